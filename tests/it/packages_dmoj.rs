//! Tests of the defaults and implicit rules of DMOJ packages: `nimatron` must judge as DMOJ's judge does.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::guide_shell::installed;
use crate::project::{Project, Ran, zipped};

/// A program that doubles a number, but is wrong for 2.
const BUT_TWO: &str = "n = int(input())\nprint(5 if n == 2 else 2 * n)\n";

/// Creates a package `p` with this `init.yml`, the inputs 0 to 4 and their doubles as answers.
fn doubles(init: &str) -> Project {
    let project = Project::new().file("p/init.yml", init).file("double.py", "print(2 * int(input()))\n");
    (0..5).fold(project.file("a.py", BUT_TWO), |project, n| {
        project.file(&format!("p/{n}.in"), format!("{n}\n")).file(&format!("p/{n}.out"), format!("{}\n", 2 * n))
    })
}

/// Writes the archive `p/a.zip` with these files, each containing 7.
fn zip(project: &Project, names: &[&str]) {
    let files: Vec<(&str, &[u8])> = names.iter().map(|name| (*name, &b"7\n"[..])).collect();
    fs_err::write(project.path("p/a.zip"), zipped(&files)).unwrap();
}

/// Returns the verdict of each case, in order, or `-` if the case was skipped.
#[track_caller]
fn cases(ran: &Ran) -> Vec<String> {
    let lines = ran.json();
    let one = |line: &serde_json::Value| match line["event"].as_str() {
        Some("case_finished") => line["verdict"].as_str().map(str::to_owned),
        Some("case_skipped") => Some("-".to_owned()),
        _ => None,
    };
    lines.iter().filter_map(one).collect()
}

/// Returns the verdict, the points and the maximum points of a run.
#[track_caller]
fn whole(ran: &Ran) -> [String; 3] {
    let last = ran.last_json();
    ["verdict", "score", "max_score"].map(|key| last[key].as_str().unwrap().to_owned())
}

#[test]
fn cases_inherit_keys_from_batch_and_package() {
    let batch = "- {batched: [{in: 1.in}, {in: 1.in}], out: 1.out, points: 10}";
    let single = "- {out: 1.out, points: 3}\n- {out: ~, points: 5}";
    let project = doubles(&format!("in: 1.in\ntest_cases:\n{batch}\n{single}\n"));
    let ran = project.run(&["run", "p", "double.py", "--json"]).code(1);
    assert_eq!(cases(&ran), ["AC", "AC", "AC", "WA"], "an answer that is null is empty");
    assert_eq!(whole(&ran), ["PT", "13", "18"]);
}

#[test]
fn keys_with_expressions_are_rejected() {
    for init in [
        "test_cases: [{in: 1.in, out: 1.out, points+: '1'}]\n",
        "test_cases: [{batched: [{in: 1.in, out+: '1'}]}]\n",
        "test_cases: {input_format+: '1'}\narchive: a.zip\n",
        "test_cases: [{in: 1.in, checker: {name: standard, args+: '{}'}}]\n",
        "interactive: {files+: '[]'}\ntest_cases: [{in: 1.in}]\n",
    ] {
        let project = doubles(init);
        zip(&project, &["1.in"]);
        project.run(&["run", "p", "double.py"]).code(2).complains("keys that end in `+` contain Python code");
    }
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn cases_and_batches_without_points_are_worth_1() {
    let cases_said =
        "- {in: 1.in, out: 1.out}\n- {in: 2.in, out: 2.out}\n- {batched: [{in: 3.in}, {in: 3.in}], out: 3.out}\n";
    let project = doubles(&format!("test_cases:\n{cases_said}"));
    let ran = project.run(&["run", "p", "a.py", "--json"]).code(1);
    assert_eq!(cases(&ran), ["AC", "WA", "AC", "AC"]);
    assert_eq!(whole(&ran), ["PT", "2", "3"]);
    project
        .run(&["run", "p", "a.py"])
        .code(1)
        .says("no positive points are specified, so a case or batch without points is worth 1 point");
    let project = doubles(&format!("points: 0\ntest_cases:\n{cases_said}"));
    let ran = project.run(&["run", "p", "a.py", "--json"]).code(1);
    assert_eq!(cases(&ran), ["AC", "WA", "-", "-"], "a failed case without points ends the judging");
    assert_eq!(whole(&ran)[..2], ["WA", "0"]);
    project.run(&["run", "p", "a.py"]).code(1).says("no case has points, so all cases must pass");
}

#[test]
fn an_unpaired_file_of_the_archive_is_a_case() {
    let archived = |init: &str, names: &[&str]| {
        let project = Project::new()
            .file("p/init.yml", format!("archive: a.zip\n{init}"))
            .file("p/talk.py", "import sys\nprint(7, flush=True)\nsys.exit(input() != '14')\n")
            .file("double.py", "print(2 * int(input()), flush=True)\n")
            .file("nothing.py", "pass\n");
        zip(&project, names);
        project
    };
    let talk = archived("interactive: {files: talk.py}\n", &["1.in", "2.in"]);
    assert_eq!(whole(&talk.run(&["run", "p", "double.py", "--json"]).code(0)), ["AC", "2", "2"]);
    let compared = archived("", &["1.in", "2.in", "2.out"]);
    let ran = compared.run(&["run", "p", "nothing.py", "--json"]).code(1);
    assert_eq!(cases(&ran), ["AC", "WA"], "output compared with an empty answer must be empty");
    compared.run(&["verify", "-v", "p"]).says("the archive has no answer for `1.in`; an empty file is used");
}

#[test]
fn a_batch_ends_at_a_partially_accepted_case() {
    let init = "checker: linecount\ntest_cases:\n- {batched: [{in: 2.in}, {in: 2.in}], out: two, points: 10}\n\
        - {in: 2.in, out: two, points: 8}\n";
    let project = doubles(init).file("p/two", "5\n6\n");
    let ran = project.run(&["run", "p", "a.py", "--json"]).code(1);
    assert_eq!(cases(&ran), ["PT", "-", "PT"]);
    assert_eq!(whole(&ran), ["PT", "4", "18"], "a batch that was not run to its end earns no points");
}

#[test]
fn testlib_points_pass_a_case_for_dependent_batches() {
    // The output for 2 earns 5 points and the output for 1 none; neither is a wrong answer.
    let check = "import sys\nn = int(open(sys.argv[1]).read())\n\
        if n in (1, 2):\n    print('points', {1: 0, 2: 5}[n], file=sys.stderr)\n    sys.exit(7)\nsys.exit(n == 4)\n";
    let init = "checker: {name: bridged, args: {files: check.py, type: testlib}}\npoints: 10\ntest_cases:\n\
        - {batched: [{in: 2.in}, {in: 3.in}]}\n\
        - {batched: [{in: 1.in}, {in: 3.in}], dependencies: [1]}\n\
        - {batched: [{in: 3.in}, {in: 4.in}, {in: 3.in}], dependencies: [2]}\n\
        - {batched: [{in: 3.in}], dependencies: [3]}\n";
    let ran = doubles(init).file("p/check.py", check).run(&["run", "p", "double.py", "--json"]).code(1);
    assert_eq!(cases(&ran), ["PT", "AC", "PT", "AC", "AC", "WA", "-", "-"]);
    assert_eq!(whole(&ran), ["PT", "5", "40"]);
}

#[test]
fn a_batch_among_the_pretests_keeps_its_points_and_ends_nothing() {
    let init = "pretest_test_cases:\n- {batched: [{in: 2.in}], out: 2.out, points: 10}\ntest_cases:\n\
        - {in: 1.in, out: 1.out, points: 20}\n";
    let ran = doubles(init).run(&["run", "p", "a.py", "--json"]).code(1);
    assert_eq!(cases(&ran), ["WA", "AC"]);
    assert_eq!(whole(&ran), ["PT", "20", "30"]);
}

#[test]
fn unbuffered_dialogues_need_no_flush() {
    let talk_c = "#include \"say.h\"\nint main(int argc, char **argv) {\n    int n, got;\n\
        \x20   FILE *input = fopen(argv[1], \"r\");\n    while (fscanf(input, \"%d\", &n) == 1) {\n        say(n);\n\
        \x20       if (scanf(\"%d\", &got) != 1 || got != 2 * n) return 1;\n    }\n    return 0;\n}\n";
    let talk_py = "import sys\nfor line in open(sys.argv[1]):\n    print(line.strip())\n    \
        if sys.stdin.readline().strip() != str(2 * int(line)):\n        sys.exit(1)\n";
    let python = "import sys\nwhile line := sys.stdin.readline():\n    print(2 * int(line))\n";
    let c = "#include <stdio.h>\nint main(void) {\n    int n;\n\
        \x20   while (scanf(\"%d\", &n) == 1) printf(\"%d\\n\", 2 * n);\n    return 0;\n}\n";
    let talk_cpp = "#include <fstream>\n#include <iostream>\nint main(int argc, char **argv) {\n    int n, got;\n\
        \x20   std::ios::sync_with_stdio(false);\n    std::cin.tie(nullptr);\n    std::ifstream input(argv[1]);\n\
        \x20   while (input >> n) {\n        std::cout << n << '\\n';\n\
        \x20       if (!(std::cin >> got) || got != 2 * n) return 1;\n    }\n}\n";
    let cpp = "#include <iostream>\nint main() {\n    std::ios::sync_with_stdio(false);\n    std::cin.tie(nullptr);\n\
        \x20   for (int n; std::cin >> n;) std::cout << 2 * n << '\\n';\n}\n";
    for (interactor, program) in [("talk.c", "twice.py"), ("talk.py", "twice.c"), ("talk.cpp", "twice.cpp")] {
        let init = format!("unbuffered: yes\ninteractive: {{files: {interactor}}}\ntest_cases: [{{in: numbers}}]\n");
        let project = Project::new()
            .file("p/init.yml", init)
            .file("p/numbers", "1\n2\n3\n")
            .file("p/talk.c", talk_c)
            .file("p/say.h", "#include <stdio.h>\nstatic void say(int n) { printf(\"%d\\n\", n); }\n")
            .file("p/talk.py", talk_py)
            .file("p/talk.cpp", talk_cpp)
            .file("twice.cpp", cpp)
            .file("twice.c", c)
            .file("twice.py", python);
        let ran = project.run(&["run", "p", program, "--json"]).code(0);
        assert_eq!(whole(&ran), ["AC", "1", "1"], "{interactor}");
    }
}

#[test]
fn a_folder_named_like_the_unbuffering_file_is_harmless() {
    let project = doubles("unbuffered: yes\ntest_cases: [{in: 1.in, out: 1.out}]\n")
        .file("python/main.py", "print(2 * int(input()))\n")
        .file("python/__main__.py/x", "")
        .file("cpp/main.cpp", "#include <cstdio>\nint main() { int n; scanf(\"%d\", &n); printf(\"%d\\n\", 2 * n); }\n")
        .file("cpp/nimatron_unbuffered.cpp/x", "")
        .file("nothing/__main__.py/main.py", "print(2)\n");
    for program in ["python", "cpp"] {
        let ran = project.run(&["run", "p", program, "--json"]).code(0);
        assert_eq!(whole(&ran), ["AC", "1", "1"], "{program}");
    }
    // The only file of this folder conflicts with a file that the judge adds, so no program is left.
    let ran = project.run(&["run", "p", "nothing", "--json"]).code(1);
    assert_eq!(whole(&ran)[0], "RTE");
}

#[test]
fn extra_files_of_an_interactor_are_limited_in_size() {
    let project = doubles("interactive: {files: talk.c}\ntest_cases: [{in: 1.in}, {in: 2.in}]\n")
        .file("p/talk.c", "int main(void) { return 0; }\n");
    let unused = fs_err::File::create(project.path("p/unused.h")).unwrap();
    unused.set_len(1 << 40).unwrap();
    let said = "the size of the program and its headers exceeds";
    project.run(&["run", "p", "double.py"]).code(2).complains(said);
}

#[test]
fn a_python_checker_gets_all_keyword_arguments() {
    // The checker accepts no other keyword arguments, as checkers need not.
    let check = "from dmoj.result import CheckerResult, Result\n\
        def check(process_output, judge_output, judge_input, submission_source, submission_language, point_value,\n          \
        case_position, batch, binary_data, execution_time, problem_id, case, result):\n    \
        right = [\n        \
            process_output == judge_output == b'2\\n', judge_input == b'1\\n' == case.input_data(),\n        \
            submission_source == b'print(2 * int(input()))\\n', submission_language in ('PY3', 'PYPY3'),\n        \
            (point_value, case_position, batch, binary_data) == (5, 1, 1, False),\n        \
            0 < execution_time == result.execution_time < case.problem.time_limit,\n        \
            problem_id == 'p', case.points == 5, case.output_data() == judge_output,\n        \
            isinstance(result, Result), result.result_flag == Result.AC, result.max_memory > 0,\n        \
            result.proc_output == process_output, result.get_main_code() == Result.AC,\n    \
        ]\n    \
        return CheckerResult(all(right), point_value if all(right) else 0, str(right))\n";
    let init = "test_cases:\n- {in: 1.in, out: 1.out, points: 1}\n\
        - {batched: [{in: 1.in, out: 1.out, checker: {name: check.py, args: {batch: 9}}}], points: 5}\n";
    let project = doubles(init).file("p/check.py", check);
    let ran = project.run(&["run", "p", "double.py", "--json"]).code(0);
    assert_eq!(whole(&ran), ["AC", "6", "6"], "{}", ran.stdout);
    // The source is that of the submission, and not of a file that the judge adds.
    let project = doubles(&format!("unbuffered: yes\n{init}")).file("p/check.py", check);
    let ran = project.run(&["run", "p", "double.py", "--json"]).code(0);
    assert_eq!(whole(&ran), ["AC", "6", "6"], "{}", ran.stdout);
}

#[test]
fn coci_and_peg_checkers_award_fractions() {
    // The answer is that of the submission for odd inputs; for 2 a half and for 4 nothing is awarded.
    let coci = "import sys\nsource, output, answer = (open(name).read().strip() for name in sys.argv[1:])\n\
        part = {'2': 1, '4': 0}.get(source)\nprint('as', answer)\nif part is not None:\n    \
        print('partial %d/2' % part, file=sys.stderr)\n    sys.exit(7)\nsys.exit(output != answer)\n";
    let peg = "import sys\nanswer, output, source = (open(name).read().strip() for name in sys.argv[1:])\n\
        if source == '2':\n    print('1.0', '2', sep='\\n')\nsys.exit(source == '4' or output != answer)\n";
    let cases_said = "- {batched: [{in: 2.in, out: 2.out}, {in: 3.in, out: 3.out}]}\n- {in: 4.in, out: 4.out}\n\
        - {in: 1.in, out: 2.out}\n";
    for (kind, check, verdicts) in [("coci", coci, ["PT", "AC", "PT", "WA"]), ("peg", peg, ["PT", "AC", "WA", "WA"])] {
        let init = format!(
            "points: 10\nchecker: {{name: bridged, args: {{files: check.py, type: {kind}}}}}\ntest_cases:\n{cases_said}"
        );
        let ran = doubles(&init).file("p/check.py", check).run(&["run", "p", "double.py", "--json"]).code(1);
        assert_eq!(cases(&ran), verdicts, "{kind}");
        assert_eq!(whole(&ran), ["PT", "5", "30"], "{kind}");
    }
}

#[test]
fn args_format_string_orders_the_files() {
    let check = "import sys\n_, key, answer, output = sys.argv\nassert key == '--key'\n\
        same = open(answer).read() == open(output).read()\nif same:\n    print('points 3', file=sys.stderr)\n\
        sys.exit(7 if same else 1)\n";
    let args = "{files: check.py, type: testlib, args_format_string: '--key {answer_file} {output_file}'}";
    let init = format!("points: 5\nchecker: {{name: bridged, args: {args}}}\ntest_cases: [{{in: 1.in, out: 1.out}}]\n");
    let project = doubles(&init).file("p/check.py", check);
    assert_eq!(whole(&project.run(&["run", "p", "double.py", "--json"]).code(1)), ["PT", "3", "5"]);
    let talk = "import sys\nn = int(open(sys.argv[2]).read())\nprint(n, flush=True)\n\
        sys.exit(int(input()) != int(open(sys.argv[1]).read()))\n";
    let init = "interactive: {files: talk.py, args_format_string: '{answer_file} {input_file} {output_file}'}\n\
        test_cases: [{in: 3.in, out: 3.out}]\n";
    let project = doubles(init).file("p/talk.py", talk);
    assert_eq!(whole(&project.run(&["run", "p", "double.py", "--json"]).code(0)), ["AC", "1", "1"]);
    let init = "interactive: {files: talk.py, args_format_string: '{batch_no}'}\ntest_cases: [{in: 3.in}]\n";
    let project = doubles(init).file("p/talk.py", talk);
    project.run(&["run", "p", "double.py"]).code(2).complains("the only valid placeholders are `{input_file}`");
}

#[test]
fn flags_reach_the_compilers_of_generators_checkers_and_interactors() {
    let generator = "#include <stdio.h>\nint main(void) { printf(\"%d\\n\", N); fprintf(stderr, \"%d\\n\", 2 * N); }\n";
    let checker = "int main(void) { return CODE; }\n";
    let init = |code: u32| {
        format!(
            "checker: {{name: bridged, args: {{files: [chk.c], flags: [-DCODE={code}]}}}}\n\
             test_cases: [{{generator: {{source: [gen.c], flags: [-DN=4, -O1]}}}}]\n"
        )
    };
    let project = doubles(&init(0)).file("p/gen.c", generator).file("p/chk.c", checker);
    project.run(&["run", "p", "double.py"]).code(0);
    let project = project.file("p/init.yml", init(1));
    project.run(&["run", "p", "double.py"]).code(1);
    let dialogue = "#include <stdio.h>\nint main(void) { int n; printf(\"4\\n\"); fflush(stdout); \
                    return scanf(\"%d\", &n) == 1 && n == WANTED ? 0 : 1; }\n";
    for (wanted, code) in [(8, 0), (9, 1)] {
        let init = format!(
            "interactive: {{files: talk.c, flags: [-DWANTED={wanted}]}}\ntest_cases: [{{in: 4.in, out: 4.out}}]\n"
        );
        let project = doubles(&init).file("p/talk.c", dialogue);
        project.run(&["run", "p", "double.py"]).code(code);
    }
    let case = |flag: &str| format!("{{generator: {{source: gen.c, flags: [{flag}]}}}}");
    let project = doubles(&format!("test_cases: [{}, {}]\n", case("-DN=1"), case("-DN=2"))).file("p/gen.c", generator);
    project.run(&["run", "p", "double.py"]).code(2).complains("different `flags`");
}

#[test]
fn generators_print_the_missing_files() {
    // The input has a `\\r` and no line end, and stays as it is; the lines of the answer are terminated.
    let gen_py = "import sys\nn = int(sys.argv[1]) if len(sys.argv) > 1 else 1\n\
        print(n, end='\\r')\nprint(2 * n, end='', file=sys.stderr)\n";
    let gen_c = "#include \"twice.h\"\n#include <stdio.h>\n#include <string.h>\nint main(int argc, char **argv) {\n    \
        int n;\n    if (argc != 3 || strcmp(argv[1], \"False\") || strcmp(argv[2], \"a b\")) return 1;\n    \
        if (scanf(\"%d\", &n) != 1) return 1;\n    printf(\"%d\\n\", n);\n    \
        fprintf(stderr, \"%d\\n\", TWICE(n));\n    return 0;\n}\n";
    let init = "generator: gen.py\nchecker: identical\ntest_cases:\n- {generator_args: [3]}\n\
        - {batched: [{generator_args: [4]}, {in: 1.in}, {out: 2.out, generator_args: [2]}]}\n\
        - {generator: {source: [gen.c, twice.h], args: [false, a b]}, generator_in: 2.in}\n";
    let project =
        doubles(init).file("p/gen.py", gen_py).file("p/gen.c", gen_c).file("p/twice.h", "#define TWICE(n) (2 * (n))\n");
    let ran = project.run(&["run", "p", "double.py", "--json"]).code(0);
    assert_eq!(whole(&ran), ["AC", "3", "3"], "{}", ran.stdout);
    let ran = project.run(&["run", "p", "a.py", "--json"]).code(1);
    assert_eq!(cases(&ran), ["AC", "AC", "AC", "WA", "WA"]);
    let both = "generator: gen.py\ntest_cases: [{in: 1.in, generator_args: [3]}]\n";
    let project = doubles(both).file("p/gen.py", gen_py);
    project.run(&["run", "p", "double.py"]).code(2).complains("so it cannot also be generated");
    let project = doubles("generator: gem.py\ntest_cases: [{points: 1}]\n");
    project.run(&["run", "p", "double.py"]).code(2).complains("file `gem.py` does not exist");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn generators_have_the_limits_of_the_package() {
    let generator = |limit: &str| format!("generator: {{source: gen.py, {limit}}}\ntest_cases: [{{points: 1}}]\n");
    let waste = "import sys\nx = bytearray(200 << 20)\nprint(1)\nprint(2, file=sys.stderr)\n";
    let spin = "import sys, time\nwhile time.process_time() < 0.5: pass\nprint(1)\nprint(2, file=sys.stderr)\n";
    for (text, limit, code) in [
        (waste, "memory_limit: 524288", 0),
        (waste, "memory_limit: 65536", 2),
        (spin, "time_limit: 20", 0),
        (spin, "time_limit: 0.1", 2),
    ] {
        let project = doubles(&generator(limit)).file("p/gen.py", text);
        let ran = project.run(&["run", "p", "double.py"]).code(code);
        if code == 2 {
            ran.complains(if text == waste { "gen.py failed: memory limit" } else { "gen.py failed: time limit" });
        }
    }
    let project = doubles(&generator("memory_limit: 0")).file("p/gen.py", waste);
    project.run(&["run", "p", "double.py"]).code(2).complains("expected a number greater than 0");
}

#[test]
fn memory_that_is_reserved_is_limited() {
    let program = |mib: u32| format!("char waste[{mib} << 20];\nint main() {{ return waste[0]; }}\n");
    let project = doubles("checker: linecount\ntest_cases: [{in: 1.in, out: 1.out}]\n")
        .file("less.c", program(50))
        .file("more.c", program(200));
    // Both programs print nothing, and neither uses its array.
    for (name, wanted) in [("less.c", "WA"), ("more.c", "RTE")] {
        let ran = project.run(&["run", "p", name, "--memory", "16MiB", "--json"]).code(1);
        assert_eq!(cases(&ran), [wanted], "{name}: {}", ran.stdout);
    }
}

#[test]
fn the_resident_set_is_limited() {
    // The table is part of the program's file. The control group of a run is not charged for pages of the file that are
    // in the page cache, so the run with the larger limit, which reads all of them, is first.
    let program = "\
#include <stdio.h>
static const volatile char table[32 << 20] = {2};
int main(void) {
    int n, sum = 0;
    for (int i = 0; i < sizeof table; i += 1024) sum += table[i];
    scanf(\"%d\", &n);
    printf(\"%d\\n\", sum * n);
}
";
    let project = doubles("test_cases: [{in: 3.in, out: 3.out}]\n").file("twice.c", program);
    for (limit, verdict, words) in [("64MiB", "AC", ""), ("16MiB", "MLE", "the limit is 16 MiB")] {
        let ran = project.run(&["run", "p", "twice.c", "--memory", limit]).code(i32::from(verdict != "AC"));
        ran.says(verdict).says(words);
    }
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn java_programs_follow_the_rules_of_the_package() {
    if !installed(&["javac"]) {
        return;
    }
    let program = |before: &str, class: &str, twice: &str| {
        let main = "public static void main(String[] args) { java.util.Scanner in = new java.util.Scanner(System.in);";
        format!("{before} {class} Twice {{ {main} System.out.println({twice}); }} }}\n")
    };
    let (plain, big) = ("2 * in.nextInt()", "in.nextBigInteger().shiftLeft(1)");
    let forbidden = "(forbidden by";
    let (nobigmath, public) = ("hints: [nobigmath]\n", "public class");
    for (hints, text, verdict, words) in [
        ("", program("", public, plain), "AC", ""),
        ("", program("", public, big), "AC", ""),
        (nobigmath, program("", public, plain), "AC", ""),
        (nobigmath, program("", public, big), "RTE", forbidden),
        (nobigmath, program("", public, "new java.math.BigDecimal(6)"), "RTE", forbidden),
        ("", program("", public, "sun.misc.Unsafe.class"), "RTE", forbidden),
        ("", program("", public, plain).replace("main", "run"), "RTE", "Main method not found"),
        ("", program("", "class", plain) + "public class Empty { }", "RTE", "Main method not found"),
        ("", program("", "class", plain), "CE", "requires a public class"),
        ("", program("package a.b;", public, plain), "CE", "remove the line `package a.b;`"),
    ] {
        let project = doubles(&format!("{hints}test_cases: [{{in: 3.in, out: 3.out}}]\n")).file("Twice.java", &text);
        let ran = project.run(&["run", "p", "Twice.java"]).code(i32::from(verdict != "AC"));
        ran.says(verdict).says(words);
    }
}

#[test]
fn a_signature_grader_calls_the_functions_of_submissions() {
    let init = "signature_grader: {entry: main.c, header: twice.h}\ntest_cases: [{in: 3.in, out: 3.out}]\n";
    let grader = "#include \"twice.h\"\n#include <stdio.h>\n#ifndef SIGNATURE_GRADER\n#error not defined\n#endif\n\
        int main(void) {\n    int n;\n    if (scanf(\"%d\", &n) != 1) return 1;\n    printf(\"%d\\n\", twice(n));\n    \
        return 0;\n}\n";
    // The submissions do not include the header, and have a function `main` of their own.
    let twice = "int twice(int n) { return 2 * n; }\nint main() { return 1; }\n";
    let project = doubles(init)
        .file("p/main.c", grader)
        .file("p/twice.h", "#ifndef TWICE_H\n#define TWICE_H\nint twice(int);\n#endif\n")
        .file("twice.c", twice)
        .file("twice.cpp", format!("#include <iostream>\n{twice}"))
        .file("broken.cpp", "int twice(int n) { return 2 * n }\n");
    for program in ["twice.c", "twice.cpp"] {
        assert_eq!(whole(&project.run(&["run", "p", program, "--json"]).code(0))[0], "AC", "{program}");
    }
    project.run(&["run", "p", "double.py"]).code(2).complains("the problem allows only c, cpp");
    // The line of an error is that of the submission.
    project.run(&["run", "p", "broken.cpp"]).code(1).says("broken.cpp:1:");
    let project = doubles("signature_grader: {entry: main.c}\ntest_cases: [{in: 3.in}]\n").file("p/main.c", grader);
    project.run(&["run", "p", "double.py"]).code(2).complains("`header`: the key is missing");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn an_interactive_grader_in_python_holds_the_dialogue() {
    let judge = "from dmoj.graders.interactive import InteractiveGrader\nfrom dmoj.result import CheckerResult\n\
        class Grader(InteractiveGrader):\n    def interact(self, case, interactor):\n        \
        print('not for the submission')\n        n = int(case.input_data())\n        \
        assert b'input' in self.source and self.language.startswith('PY')\n        \
        for number in (n, n + 1):\n            interactor.writeln(number)\n            \
            if interactor.readint(0, 100) != 2 * number:\n                return False\n        \
        return CheckerResult(True, case.points / 2) if n == 3 else True\n";
    let init = "custom_judge: judge.py\ntest_cases: [{in: 1.in, points: 4}, {in: 3.in, points: 4}]\n";
    let loops = |line: &str| format!("for _ in range(2):\n    n = int(input())\n    print({line}, flush=True)\n");
    let project = doubles(init)
        .file("p/judge.py", judge)
        .file("good.py", loops("2 * n"))
        .file("large.py", loops("1000"))
        .file("bad.py", loops("n"));
    let ran = project.run(&["run", "p", "good.py", "--json"]).code(1);
    assert_eq!(cases(&ran), ["AC", "AC"], "{}", ran.stdout);
    assert_eq!(whole(&ran), ["PT", "6", "8"]);
    assert_eq!(cases(&project.run(&["run", "p", "bad.py", "--json"]).code(1)), ["WA", "WA"]);
    // This program ends after one answer.
    assert_eq!(cases(&project.run(&["run", "p", "double.py", "--json"]).code(1)), ["WA", "WA"]);
    let ran = project.run(&["run", "p", "large.py", "--json"]).code(1);
    assert!(ran.stdout.contains("expected int in range [0, 100], got 1000"), "{}", ran.stdout);
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_checker_that_runs_on_error_awards_points_to_failed_runs() {
    let check = |flag: &str| {
        format!(
            "from dmoj.result import CheckerResult, Result\n\
            def check(process_output, judge_output, point_value, result, **kwargs):\n    \
            failed = result.result_flag in (Result.IR, Result.TLE) and result.get_main_code() != Result.AC\n    \
            return CheckerResult(False, point_value / 4 if failed and process_output == b'4\\n' else 0)\n\
            check.run_on_error = {flag}\n"
        )
    };
    let init = "points: 8\ntest_cases:\n- {in: 2.in, out: two, checker: linecount}\n\
        - {in: 2.in, out: 2.out, checker: check.py}\n- {in: 2.in, out: 2.out}\n";
    let loops = "#include <stdio.h>\nint main(void) { int n; scanf(\"%d\", &n); printf(\"%d\\n\", 2 * n); \
                 fflush(stdout); for (;;); }\n";
    let project = doubles(init)
        .file("p/two", "4\n5\n")
        .file("p/check.py", check("True"))
        .file("exits.py", "print(2 * int(input()))\nexit(3)\n")
        .file("loops.c", loops);
    let ran = project.run(&["run", "p", "exits.py", "--json"]).code(1);
    assert_eq!((cases(&ran), whole(&ran)[1].as_str()), (vec!["RTE".to_owned(); 3], "6"), "{}", ran.stdout);
    let ran = project.run(&["run", "p", "loops.c", "--json", "--time", "100ms"]).code(1);
    assert_eq!((cases(&ran), whole(&ran)[1].as_str()), (vec!["TLE".to_owned(); 3], "6"), "{}", ran.stdout);
    let project = project.file("p/check.py", check("False"));
    let ran = project.run(&["run", "p", "exits.py", "--json"]).code(1);
    assert_eq!((cases(&ran), whole(&ran)[1].as_str()), (vec!["RTE".to_owned(); 3], "4"), "{}", ran.stdout);
}
