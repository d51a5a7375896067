//! Exports problems with the `nimatron` binary and reads the packages back.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;

use crate::project::{Project, Ran, SUM};

const FORMATS: [&str; 8] = ["icpc", "domjudge", "kattis-legacy", "polygon", "dmoj", "hydro", "cms", "fps"];

/// A problem with points: the second group requires the first, and `small.c` solves only the first.
const STEPS: &str = "\
name: Steps & \"more\"
license: cc0
limits: { time: 2s, memory: 512MiB, output: 1MiB }
input:
  - n: 1..=1000
answer:
  - twice: 2..=2000
checker: lines
tests:
  sample: [{ input: \"4\\n\", answer: \"8\\n\" }]
  small: { points: 40, cases: [{ input: \"1\\n\" }, { input: \"9\\n\" }] }
  large: { points: 60, after: [small], cases: [{ input: \"1000\\n\" }, { input: \"10\\n\" }] }
";

const STATEMENT: &str = "Double $n$ & smile.\n\n## Input\n\nOne number $n$.\n\n## Output\n\nTwice `n`, 100% right.\n\n\
    ## Limits\n\n* $1 \\le n \\le 1000$\n\n## Examples\n\n### 1\n\nInput:\n\n```\n4\n```\n\nOutput:\n\n```\n8\n```\n\nTwo fours.\n";

/// A checker and an interactor in the ICPC protocol, each with an argument and a judge message.
const NEAR: &str = r#"
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
static void end(int code, std::string folder, const char *words) {
    std::ofstream(folder + "judgemessage.txt") << words << std::endl;
    exit(code);
}
int main(int argc, char **argv) {
    std::ifstream input(argv[1]), answer(argv[2]);
    long n, expected, found;
    if (argc != 5 || argv[4] != std::string("by=1") || !(input >> n) || !(answer >> expected)) return 1;
    if (!(std::cin >> found)) end(43, argv[3], "there is no number");
    if (std::labs(found - expected) > 1) end(43, argv[3], "it is too far away");
    return 42;
}
"#;
const ASKS: &str = r#"
#include <fstream>
#include <iostream>
int main(int, const char **argv) {
    std::ifstream input(argv[1]);
    std::ofstream told(std::string(argv[3]) + "judgemessage.txt");
    long n, found;
    input >> n;
    std::cout << n << std::endl;
    bool right = std::cin >> found && found == 2 * n;
    told << (right ? "right" : "not twice") << std::endl;
    return right ? 42 : 43;
}
"#;

/// Returns a program in C that reads `n` and prints the value of an expression.
fn printing(value: &str) -> String {
    format!("#include <stdio.h>\nint main(void) {{ int n; scanf(\"%d\", &n); printf(\"%d\\n\", {value}); }}\n")
}

fn project_in_icpcs_protocol() -> Project {
    let spec = |judging: &str, answer: &str| {
        format!(
            "name: X\nlicense: cc0\nlimits: {{ time: 2s, memory: 512MiB }}\ninput:\n  - n: 1..=1000\n{answer}{judging}\ntests:\n  small: {{ every: {{ n: 1..=3 }} }}\n"
        )
    };
    let answer = "answer:\n  - twice: 2..=2000\n";
    let nothing = "int main(void) { return 0; }\n";
    Project::new()
        .file("problems/near/problem.yaml", spec("checker: { program: near.cpp, args: 'by=1' }", answer))
        .file("problems/near/statement.md", STATEMENT)
        .file("problems/near/programs/near.cpp", NEAR)
        .file("solutions/near/accepted/reference.c", printing("2 * n"))
        .file("solutions/near/accepted/next.c", printing("2 * n - 1"))
        .file("solutions/near/wrong_answer/far.c", printing("2 * n + 2"))
        .file("solutions/near/wrong_answer/nothing.c", nothing)
        .file("problems/asks/problem.yaml", spec("interactor: asks.cpp", ""))
        .file("problems/asks/statement.md", STATEMENT)
        .file("problems/asks/programs/asks.cpp", ASKS)
        .file("solutions/asks/accepted/reference.c", printing("2 * n"))
        .file("solutions/asks/wrong_answer/same.c", printing("n"))
        .file("solutions/asks/wrong_answer/nothing.c", nothing)
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn icpc_programs_are_wrapped_for_testlib_formats() {
    let project = project_in_icpcs_protocol();
    for problem in ["near", "asks"] {
        project.run(&["verify", problem]).code(0);
        for format in ["polygon", "dmoj"] {
            let (ran, failed, judged) = read_back(&project, problem, format);
            assert_eq!(failed, Vec::<String>::new(), "{format} {problem}: {ran:#?}");
            assert_eq!(judged.len(), if problem == "near" { 4 } else { 3 }, "{ran:#?}");
            let good = judged.values().filter(|(verdict, _)| verdict == "AC").count();
            assert_eq!(good, if problem == "near" { 2 } else { 1 }, "{judged:?}");
        }
        project.run(&["export", problem, "--to", "hydro", "--out", &format!("{problem}-hydro")]).code(0);
    }
    let ran = project.run(&["run", "near-dmoj.zip", "solutions/near/wrong_answer/far.c"]);
    ran.says("it is too far away");
    let config = fs_err::read_to_string(project.path("asks-hydro/testdata/config.yaml")).unwrap();
    assert!(config.contains("interactor: \"asks.cpp\""), "{config}");
}

fn project() -> Project {
    Project::with_sum()
        .file("solutions/sum/wrong_answer/first.c", printing("(scanf(\"%d\", &n), n)"))
        .file("solutions/sum/run_time_error/crash.c", "int main(void) { return 3; }\n")
        .file("problems/steps/problem.yaml", STEPS)
        .file("problems/steps/statement.md", STATEMENT)
        .file("problems/steps/statement.de.md", STATEMENT.replace("Input", "Eingabe").replace("smile", "lächle"))
        .file("solutions/steps/accepted/reference.py", "print(2 * int(input()))\n")
        .file("solutions/steps/wrong_answer/small.c", printing("n < 10 ? 2 * n : 0"))
        .file("solutions/steps/wrong_answer/none.c", printing("0"))
}

/// Returns the verdict and the points of each solution in the output of `verify` or `run`.
#[track_caller]
fn results(ran: &Ran) -> BTreeMap<String, (String, String)> {
    let lines = ran.json();
    let judged = lines.iter().filter(|line| line["verdict"].is_string() && line["score"].is_string());
    let one = |line: &serde_json::Value| {
        let text = |key: &str| line[key].as_str().unwrap().to_owned();
        // The folder depends on the format, but the file name does not.
        let name = text("check").rsplit('/').next().unwrap().to_owned();
        (name, (text("verdict"), text("score")))
    };
    judged.map(one).collect()
}

/// Exports a problem and verifies the package: the output, the failed checks, and the results of the solutions.
#[track_caller]
fn read_back(project: &Project, problem: &str, format: &str) -> (Ran, Vec<String>, BTreeMap<String, (String, String)>) {
    let zip = format!("{problem}-{format}.zip");
    project.run(&["export", problem, "--to", format]).code(0);
    let ran = project.run(&["verify", "--json", &zip]);
    let failed = ran.json().iter().filter(|line| line["status"] == "fail").map(ToString::to_string).collect();
    let results = results(&ran);
    (ran, failed, results)
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn an_export_is_reproducible_and_overwrites_nothing() {
    let project = project();
    for format in FORMATS {
        for problem in ["sum", "steps"] {
            let args = |out: &str| -> Vec<String> {
                ["export", problem, "--to", format, "--out", out].map(str::to_owned).to_vec()
            };
            let run = |out: &str| {
                let args = args(out);
                project.run(&args.iter().map(String::as_str).collect::<Vec<_>>())
            };
            if (format, problem) == ("cms", "steps") {
                run("never.zip").code(2).complains("groups that require other groups");
                continue;
            }
            let [one, two, folder] = ["1", "2", ""].map(|end| format!("{problem}-{format}{end}"));
            run(&format!("{one}.zip")).code(0).silent();
            run(&format!("{two}.zip")).code(0);
            let bytes = |name: &str| fs_err::read(project.path(&format!("{name}.zip"))).unwrap();
            assert!(bytes(&one) == bytes(&two), "{format} {problem}");
            run(&format!("{one}.zip")).code(2).complains("already exists");
            run(&folder).code(0);
            run(&folder).code(2).complains("is not an empty folder");
        }
    }
    project.run(&["export", "sum", "--to", "kattis-legacy"]).code(0).says("written to `sum-kattis-legacy.zip`");
    project.run(&["export", "sum", "--to", "kattis"]).code(2).complains("unknown format `kattis`");
    project.run(&["export", "sum-icpc", "--to", "dmoj"]).code(2).complains("already a package for another judge");
}

/// [`STEPS`] with a checker program.
fn with_checker(checker: &str, program: &str) -> Project {
    let spec = STEPS.replace("checker: lines", &format!("checker: {checker}"));
    project().file("problems/steps/problem.yaml", spec).file("problems/steps/programs/check.cpp", program)
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn unsupported_features_of_a_format_are_rejected() {
    // This is a stand-in for a real checker: only the text of its source matters.
    let icpc = |word: &str| format!("// {word}\nint main() {{ return 42; }}\n");
    let testlib = |word: &str| format!("// {word}\nint main() {{ return 0; }}\n");
    let plain = "{ program: check.cpp, protocol: icpc }";
    let by_testlib = "{ program: check.cpp, protocol: testlib }";
    let refused = |project: &Project, formats: &[&str], why: &str| {
        for format in formats {
            let ran = project.run(&["export", "steps", "--to", format, "--out", "never.zip"]);
            ran.code(2).complains(why);
            assert!(!project.path("never.zip").exists(), "{format}");
        }
    };
    let others = ["domjudge", "kattis-legacy", "polygon", "dmoj", "hydro"];
    let project = with_checker(plain, &icpc("score_multiplier.txt"));
    project.run(&["export", "steps", "--to", "icpc", "--out", "p"]).code(0);
    refused(&project, &others, "`check.cpp` contains `score_multiplier.txt`, which awards partial points");
    let project = with_checker(plain, &icpc("score.txt"));
    refused(&project, &["icpc"], "`check.cpp` contains `score.txt`, which awards partial points");
    refused(&project, &others, "`check.cpp` contains `score.txt`, which awards partial points");
    let project = with_checker(by_testlib, &testlib("quitp(0.5)"));
    refused(&project, &others[2..], "`check.cpp` contains `quitp`, which awards partial points");
    let project = with_checker(by_testlib, &testlib("num_points, calc_pc(1)"));
    project.run(&["export", "steps", "--to", "dmoj", "--out", "d"]).code(0);
    let project = with_checker("{ program: check.cpp, protocol: testlib, args: loose }", &testlib(""));
    refused(&project, &others[2..], "check.cpp` has arguments");
}

#[test]
fn groups_without_points_neither_earn_nor_cost_points() {
    let spec = STEPS.replace("small: { points: 40,", "small: { points: 40, after: [sample],");
    let project = project().file("problems/steps/problem.yaml", spec);
    for format in ["dmoj", "hydro"] {
        project.run(&["export", "steps", "--to", format, "--out", format]).code(0);
    }
    let read = |path: &str| fs_err::read_to_string(project.path(path)).unwrap();
    let file = |name: &str| format!("{{ in: {name}.in, out: {name}.out }}");
    let [sample, small, large] = [vec!["1-sample-1"], vec!["2-small-1", "2-small-2"], vec!["3-large-1", "3-large-2"]];
    let batch = |head: &str, names: &[&str]| {
        let cases: String = names.iter().map(|name| format!("      - {}\n", file(name))).collect();
        format!("  - points: {head}\n    batched:\n{cases}")
    };
    let first = batch("40", &[sample.clone(), small.clone()].concat());
    let second = batch("60\n    dependencies: [1]", &[sample.clone(), large].concat());
    let want = format!("test_cases:\n{first}{second}{}", batch("0", &sample));
    let init = read("dmoj/init.yml");
    assert!(init.ends_with(&want), "{init}\n{want}");
    let config = read("hydro/testdata/config.yaml");
    assert_eq!(config.matches("  - id: ").count(), 2, "{config}");
    assert!(!config.contains("score: 0"), "{config}");
    assert!(config.contains("score: 60\n    if: [1]\n    cases:\n      - { input: 1-sample-1.in"), "{config}");
}

#[test]
fn every_file_that_a_program_is_built_from_is_named() {
    let project = project_in_icpcs_protocol();
    for format in ["polygon", "hydro"] {
        project.run(&["export", "near", "--to", format, "--out", format]).code(0);
    }
    let read = |path: &str| fs_err::read_to_string(project.path(path)).unwrap();
    let config = read("hydro/testdata/config.yaml");
    assert!(config.contains("checker: \"near.cpp\"\njudge_extra_files: [\"near.icpc.h\"]\n"), "{config}");
    let xml = read("polygon/problem.xml");
    assert!(xml.contains("<resources>\n            <file path=\"files/near.icpc.h\"/>\n        </resources>"), "{xml}");
    let programs = xml.split("<executables>").nth(1).and_then(|rest| rest.split("</executables>").next()).unwrap();
    for program in ["files/near.cpp", "files/validator.cpp"] {
        assert!(programs.contains(&format!("<source path=\"{program}\"")), "{xml}");
    }
}

/// Judges the solutions of the problem itself. Returns the last event of the run of each solution, by its file name.
fn results_without_export(project: &Project, problem: &str) -> BTreeMap<String, serde_json::Value> {
    let files = walkdir::WalkDir::new(project.path(&format!("solutions/{problem}"))).into_iter().map(Result::unwrap);
    let one = |file: walkdir::DirEntry| {
        let ran = project.run(&["run", problem, file.path().to_str().unwrap(), "--json"]);
        (file.file_name().to_str().unwrap().to_owned(), ran.last_json())
    };
    files.filter(|file| file.file_type().is_file()).map(one).collect()
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn an_export_read_back_gives_the_same_verdicts() {
    let project = project();
    for problem in ["sum", "steps"] {
        let ours = results_without_export(&project, problem);
        for format in ["icpc", "domjudge", "kattis-legacy", "polygon", "dmoj"] {
            let (ran, failed, results) = read_back(&project, problem, format);
            for (program, (verdict, score)) in &results {
                let ours = ours.get(program).unwrap_or_else(|| panic!("{program}"));
                assert_eq!(ours["verdict"], verdict.as_str(), "{format} {program}: {ran:#?}");
                if problem == "steps" {
                    assert_eq!(ours["score"], score.as_str(), "{format} {program}: {ran:#?}");
                }
            }
            assert_eq!(results.len(), 3, "{format} {problem}: {ran:#?}");
            // If a folder defines the overall verdict, a program with partial points is not in `wrong_answer`.
            let partial = |failed: &String| problem == "steps" && failed.contains("small.c");
            assert!(failed.iter().all(partial), "{format} {problem}: {failed:#?}");
        }
    }
}

#[test]
fn java_solutions_that_dmoj_does_not_compile_are_noted() {
    let class = |words: &str| format!("{words} Twice {{ public static void main(String[] a) {{ }} }}\n");
    let project = project()
        .file("solutions/sum/wrong_answer/Twice.java", class("public class"))
        .file("solutions/sum/wrong_answer/inner.java", class("class"));
    let ran = project.run(&["export", "sum", "--to", "dmoj", "--out", "p"]).code(0);
    let words = "`wrong_answer/inner.java`: DMOJ does not compile it, because it has no public class";
    assert!(ran.stdout.contains(words) && !ran.stdout.contains("Twice.java"), "{ran:#?}");
}

#[test]
fn statements_and_descriptors_follow_their_formats() {
    let project = project();
    for format in FORMATS.into_iter().filter(|format| *format != "cms") {
        project.run(&["export", "steps", "--to", format, "--out", format]).code(0);
    }
    let read = |path: &str| fs_err::read_to_string(project.path(path)).unwrap();
    let tex = read("icpc/statement/problem.en.tex");
    for part in [
        "\\problemname{Steps \\& \"more\"}",
        "Double $n$ \\& smile.",
        "\\begin{Input}\nOne number $n$.\n\\end{Input}",
        "\\texttt{n}, 100\\% right.",
        "\\section*{Limits}",
        "\\textbf{1.} Two fours.",
    ] {
        assert!(tex.contains(part), "{part}: {tex}");
    }
    assert!(!tex.contains("Input:"), "{tex}");
    assert!(read("icpc/problem.yaml").contains("type: [scoring]"));
    let second = read("icpc/data/secret/3-large/test_group.yaml");
    assert_eq!(second, "max_score: 60\nscore_aggregation: pass-fail\nrequire_pass: [secret/2-small]\n");
    assert!(project.path("kattis-legacy/data/secret/3-large/2-small-1.in").exists());
    assert!(read("polygon/problem.xml").contains("<dependency group=\"small\"/>"));
    assert!(read("polygon/statement-sections/german/legend.tex").contains("lächle"));
    assert!(read("dmoj/init.yml").contains("points: 60\n    dependencies: [1]"));
    assert!(read("dmoj/statement.en.md").contains("Double ~n~"));
    assert!(read("hydro/testdata/config.yaml").contains("score: 60\n    if: [1]"));
    assert!(read("hydro/problem_de.md").contains("```input1\n4\n```"));
    assert!(read("fps/steps.xml").contains("<test_output name=\"3-large-1\"><![CDATA[2000\n]]></test_output>"));
    let page = read("domjudge/problem_statement/problem.html");
    assert!(page.contains("<i>1 ≤ n ≤ 1000</i>") && page.contains("<h1>Steps &amp; &quot;more&quot;</h1>"), "{page}");
}

/// Exported programs do not depend on features that only some judges have: files are named after their Java class, and
/// programs that test `ONLINE_JUDGE` define it.
#[test]
#[ignore = "slow; .ci/run runs it"]
fn exported_solutions_need_no_macros_or_renaming() {
    let class = |package: &str, name: &str| {
        let main = "public static void main(String[] args) { var in = new java.util.Scanner(System.in); ";
        let sum = "int n = in.nextInt(), sum = 0; while (n-- > 0) sum += in.nextInt(); System.out.println(sum); }";
        format!("{package}public class {name} {{ {main}{sum} }}\n")
    };
    let asks = "#include <stdio.h>\nint main() {\n#ifndef ONLINE_JUDGE\n    return 1;\n#endif\n    int n, a, sum = 0;\n    \
        for (scanf(\"%d\", &n); n-- > 0 && scanf(\"%d\", &a) == 1;) sum += a;\n    printf(\"%d\\n\", sum);\n}\n";
    // A few cases are enough, since only the sources differ.
    let spec = SUM.replace("tiny: { every: { n: 1..=2, a: -1..=1 } }\n  random: { count: 5,", "random: { count: 2,");
    assert_ne!(spec, SUM);
    let project = Project::with_sum()
        .file("problems/sum/problem.yaml", spec)
        .file("solutions/sum/accepted/odd.java", class("", "P1_Sum"))
        .file("solutions/sum/accepted/hidden.java", class("", "Main").replace("public class", "class"))
        .file("solutions/sum/accepted/Same.java", class("", "Same"))
        .file("solutions/sum/accepted/packed.java", class("package a.b; ", "Packed"))
        .file("solutions/sum/accepted/chinese.java", class("", "和"))
        .file("solutions/sum/accepted/asks.c", format!("\u{feff}{asks}"))
        .file("solutions/sum/accepted/asks.cpp", asks);
    for format in ["icpc", "kattis-legacy", "domjudge"] {
        let ran = project.run(&["export", "sum", "--to", format, "--out", format]).code(0);
        let ran = ran.says("`accepted/packed.java` is not exported: its class is in a package");
        let ran = ran.says("`accepted/chinese.java` is not exported: it must be named `和.java`");
        let place = project.path(&format!("{format}/submissions/accepted"));
        for file in ["odd.java/P1_Sum.java", "hidden.java/Main.java", "Same.java"] {
            assert!(place.join(file).is_file(), "{format} {file}: {ran:#?}");
        }
        for file in ["packed.java", "chinese.java"] {
            assert!(!place.join(file).exists(), "{format} {file}: {ran:#?}");
        }
        for file in ["asks.c", "asks.cpp"] {
            let text = fs_err::read_to_string(place.join(file)).unwrap();
            assert!(text.starts_with("#ifndef ONLINE_JUDGE\n#define ONLINE_JUDGE\n"), "{format}: {text}");
        }
        project.run(&["verify", format]).code(0);
    }
}
