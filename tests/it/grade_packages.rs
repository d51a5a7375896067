//! Tests of grading a class on packages of other judges and on folders of samples.

use crate::project::{Project, zipped};

const SUM: &str = "\
problem_format_version: 2025-09
name: Sum
type: pass-fail
uuid: 00000000-0000-4000-8000-000000000001
languages: [c, python3]
limits: { time_limit: 2.0, code: 1 }
";
const SUM_PY: &str = "print(sum(map(int, input().split())))\n";
const SUM_C: &str =
    "#include <stdio.h>\nint main(void) { int a, b; scanf(\"%d %d\", &a, &b); printf(\"%d\\n\", a + b); }\n";

const CHAT: &str = r#"{
    "name": "Chat", "url": "https://example.org/chat", "interactive": true, "timeLimit": 500, "memoryLimit": 64,
    "tests": [{ "input": "1\n", "output": "1\n" }]
}"#;

/// The files of an ICPC package with the description `spec`.
fn package(spec: &str) -> [(&'static str, &[u8]); 5] {
    [
        ("problem.yaml", spec.as_bytes()),
        ("data/sample/1.in", b"1 2\n"),
        ("data/sample/1.ans", b"3\n"),
        ("data/secret/2.in", b"-3 5\n"),
        ("data/secret/2.ans", b"2\n"),
    ]
}

#[test]
fn a_class_is_graded_on_packages_and_samples() {
    let large = format!("{SUM_PY}{}", "# this comment is too long\n".repeat(40));
    let mut project = Project::new()
        .file("zipped.zip", zipped(&package(&SUM.replace("Sum", "Zipped"))))
        .file("samples/1.in", "4\n")
        .file("samples/1.out", "8\n")
        .file("samples/2.in", "0\n")
        .file("samples/2.out", "0\n")
        .file("class/ann/sum.py", SUM_PY)
        .file("class/ann/zipped.c", SUM_C)
        .file("class/ann/samples.py", "print(2 * int(input()))\n")
        .file("class/bob/sum.py", "print(3)\n")
        .file("class/bob/zipped.rb", "puts gets.split.sum(&:to_i)\n")
        .file("class/bob/samples.py", "print(0)\n")
        .file("class/cyd/sum.py", large);
    for (name, content) in package(SUM) {
        project = project.file(&format!("sum/{name}"), content);
    }
    let args = ["grade", "sum", "zipped.zip", "samples", "class", "--require", "D", "--out", "o"];
    let ran = project
        .run(&args)
        .code(0)
        .complains("samples: 2 cases from `*.in` and `*.out`; checker tokens; 2s, 256MiB (default limits)");
    let expected = "student,sum,zipped,samples,total\nann,100,100,100,300\nbob,0,0,0,0\ncyd,0,0,0,0\n";
    assert_eq!(project.read("o/gradebook.csv"), expected);
    // A program that the problem does not allow has a result, as one that does not compile.
    ran.says("the program is written in Ruby, but the problem allows only c, python3: bob, zipped")
        .says("the problem allows at most 1.0 KiB: cyd, sum");
    let again = project.run(&[&args[..], &["--json"]].concat()).code(0).last_json();
    assert_eq!(again["judged"], 0, "{again}");
    let project = project.file("samples/2.out", "0.3\n");
    let changed = project.run(&[&args[..], &["--json"]].concat()).code(0).last_json();
    assert!(project.read("o/gradebook.csv").contains("ann,100,100,0,200"));
    assert_eq!(changed["judged"], 2, "the programs for `samples` are judged with the new answer: {changed}");
    // The old answer is within this tolerance of the new one.
    let args = [&args[..], &["--checker", "float:0.4", "--time", "3s", "--memory", "128MiB"]].concat();
    project.run(&args).code(0).complains("checker float:4e-1; 3s, 128MiB");
    assert_eq!(project.read("o/gradebook.csv"), expected);
}

#[test]
fn problems_with_equal_files_are_different_and_hidden_test_files_count() {
    let add = "print(int(input()) + 1)\n";
    let project = Project::new()
        .file("one/1.in", "1\n")
        .file("one/1.out", "2\n")
        .file("two/1.in", "1\n")
        .file("two/1.out", "2\n")
        .file("dmoj/init.yml", "test_cases:\n- { in: .tests/1.in, out: .tests/1.out, points: 10 }\n")
        .file("dmoj/.tests/1.in", "1\n")
        .file("dmoj/.tests/1.out", "2\n")
        .file("class/ann/one.py", add)
        .file("class/ann/two.py", "print(0)\n")
        .file("class/ann/dmoj.py", add);
    let args = ["grade", "one", "two", "dmoj", "class", "--require", "D", "--out", "o"];
    project.run(&args).code(0);
    assert_eq!(project.read("o/gradebook.csv"), "student,one,two,dmoj,total\nann,100,0,10,110\n");
    let project = project.file("dmoj/.tests/1.out", "3\n");
    project.run(&args).code(0);
    assert_eq!(project.read("o/gradebook.csv"), "student,one,two,dmoj,total\nann,100,0,0,100\n");
}

#[test]
fn a_dry_run_runs_no_generator_and_checks_the_checker() {
    let project = Project::new()
        .file("abc/config.yml", "title: Abc\ntime_limit: 1000\nmemory_limit: 65536\n")
        .file("abc/prog/abc.py", SUM_PY)
        .file("abc/prog/abcingen.py", "raise SystemExit(1)\n")
        .file("class/ann/abc.py", SUM_PY);
    let args = ["grade", "abc", "class", "--require", "D", "--out", "o"];
    project.run(&args).code(2).complains("abcingen.py");
    project.run(&[&args[..], &["--dry-run"]].concat()).code(0).says("Nothing was run").silent();
    let wrong = [&args[..], &["--dry-run", "--checker", "nope"]].concat();
    project.run(&wrong).code(2).complains("`nope` is neither a built-in checker nor an existing program");
}

#[test]
fn problems_that_cannot_be_graded_are_refused() {
    let outputs = SUM.replace("pass-fail", "submit-answer").replace("languages: [c, python3]\n", "");
    let project = Project::new()
        .file("outputs.zip", zipped(&package(&outputs)))
        .file("untimed.zip", zipped(&package("problem_format_version: legacy\nname: Untimed\n")))
        .file("empty/readme.txt", "no tests\n")
        .file("chat.json", CHAT)
        .file("many/a/1.in", "1\n")
        .file("many/a/1.out", "1\n")
        .file("many/b/1.in", "1\n")
        .file("many/b/1.out", "1\n")
        .file("class/ann/outputs.py", SUM_PY);
    for (problem, wanted) in [
        ("outputs.zip", "outputs are submitted for the problem `outputs`"),
        ("untimed.zip", "specify a time limit in the package"),
        ("empty", "no tests"),
        ("chat.json", "chat is interactive, but its samples do not include an interactor"),
        ("many", "found samples for 2 problems: `a`, `b`"),
        ("missing", "unknown problem `missing`"),
    ] {
        project.run(&["grade", problem, "class", "--require", "D", "--out", "o"]).code(2).complains(wanted);
    }
}

#[test]
fn a_checker_that_does_not_compile_is_reported_before_any_mark_changes() {
    let project = Project::new()
        .file("add/1.in", "1 2\n")
        .file("add/1.out", "3\n")
        .file("good.py", "pass\n")
        .file("bad.py", "def check(:\n")
        .file("class/ann/add.py", SUM_PY);
    let graded = |checker: &str, code: i32| {
        let args = ["grade", "add", "class", "--require", "D", "--out", "o", "--time", "5s", "--checker", checker];
        project.run(&args).code(code)
    };
    graded("good.py", 0)
        .complains("add: 1 case from `*.in` and `*.out`; checker good.py (testlib); 5s, 256MiB (default memory limit)");
    let book = project.read("o/gradebook.csv");
    graded("bad.py", 2).complains("error: bad.py does not compile").complains("SyntaxError");
    assert_eq!(project.read("o/gradebook.csv"), book);
    // The checker is not needed if all results are known.
    graded("good.py", 0).says("0 judged, 1 unchanged");
}

#[test]
fn a_class_without_submissions_is_a_warning() {
    let project = Project::new().file("add/1.in", "1 2\n").file("add/1.out", "3\n");
    let ran = project.run(&["grade", "add", "add", "--require", "D", "--out", "o"]).code(0);
    ran.complains("warning: no submissions were found in `add`; `--dry-run` lists its files");
}
