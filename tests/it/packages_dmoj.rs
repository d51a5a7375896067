//! Tests of the defaults and implicit rules of DMOJ packages: `nimatron` must judge as DMOJ's judge does.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::project::{Project, Ran};

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
    let mut zip = zip::ZipWriter::new(fs_err::File::create(project.path("p/a.zip")).unwrap());
    for name in names {
        zip.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        std::io::Write::write_all(&mut zip, b"7\n").unwrap();
    }
    zip.finish().unwrap();
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
fn cases_and_batches_without_points_are_worth_1() {
    let cases_said =
        "- {in: 1.in, out: 1.out}\n- {in: 2.in, out: 2.out}\n- {batched: [{in: 3.in}, {in: 3.in}], out: 3.out}\n";
    let project = doubles(&format!("test_cases:\n{cases_said}"));
    let ran = project.run(&["run", "p", "a.py", "--json"]).code(1);
    assert_eq!(cases(&ran), ["AC", "WA", "AC", "AC"]);
    assert_eq!(whole(&ran), ["PT", "2", "3"]);
    project.run(&["run", "p", "a.py"]).code(1).says("no points are specified, so each case or batch is worth 1");
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
    let note = "the checker `linecount` is not run after a crash";
    assert!(project.run(&["verify", "-v", "p"]).stdout.contains(note));
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
    let said = "with `unused.h`, the program and its headers exceed";
    project.run(&["run", "p", "double.py"]).code(2).complains(said);
}
