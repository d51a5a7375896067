//! Tests of everyday tasks in a contest. The comment before a test gives the command of `oj`, cph or another tool for
//! the task; the test uses Nimatron's command. No task needs a `problem.yaml`.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};

use crate::project::{Project, verdicts};

/// A correct program for the sum of two numbers, and one that is wrong for negative numbers.
const SUM_PY: &str = "a, b = map(int, input().split())\nprint(a + b)\n";
const ABS_PY: &str = "a, b = map(int, input().split())\nprint(abs(a) + abs(b))\n";

/// Creates a folder with two samples of the sum, named as `oj download` names them, and with a correct and a wrong
/// program.
fn downloaded() -> Project {
    Project::new()
        .file("test/sample-1.in", "1 2\n")
        .file("test/sample-1.out", "3\n")
        .file("test/sample-2.in", "-5 7\n")
        .file("test/sample-2.out", "2\n")
        .file("main.py", SUM_PY)
        .file("abs.py", ABS_PY)
}

// 1. oj test -c "python3 main.py"
#[test]
fn samples_of_oj_are_judged() {
    let project = downloaded();
    let said = project.run(&["run", ".", "main.py"]).code(0).says("AC   accepted · 2 of 2 cases").silent();
    said.says("2 cases from `test/*.in` and `test/*.out`; checker tokens; 2s, 256MiB (default limits)\n");
    project.run(&["run", ".", "abs.py"]).code(1).says("first difference");
}

// 2. oj test -c "python3 main.py" test/sample-2.*
#[test]
fn one_sample_is_judged() {
    let project = downloaded();
    project.run(&["run", ".", "abs.py", "--case", "sample/sample-1"]).code(0).says("1 of 1 case");
    let wrong = project.run(&["run", ".", "abs.py"]).code(1);
    assert!(wrong.stdout.contains("nimatron run . abs.py --case sample/sample-2"), "{}", wrong.stdout);
}

// 3. cf test (in1.txt and ans1.txt), 4. for i in 01 02; do ./a.out < $i | diff - $i.a; done
#[test]
fn names_of_other_tools_are_recognized() {
    for (input, answer) in
        [("in1.txt", "ans1.txt"), ("01", "01.a"), ("tests/1.in", "tests/1.ans"), ("1.txt.in", "1.txt.out")]
    {
        let project = Project::new().file(input, "1 2\n").file(answer, "3\n").file("main.py", SUM_PY);
        project.run(&["run", ".", "main.py"]).code(0).says("1 case from");
        project.file(answer, "4\n").run(&["run", ".", "main.py"]).code(1);
    }
}

// 5. python3 main.py < input.txt | diff - output.txt
#[test]
fn one_input_with_its_output_is_a_sample() {
    let project = Project::new().file("input.txt", "1 2\n").file("output.txt", "3\n").file("main.py", SUM_PY);
    project.run(&["run", ".", "main.py"]).code(0).says("1 case from `input.txt` and `output.txt`");
}

// 6. Copying each sample of a statement to a file of its own.
#[test]
fn samples_in_one_text_are_judged() {
    let text = "Sample Input 1\n1 2\nSample Output 1\n3\n\nSample Input 2\n-5 7\nSample Output 2\n2\n";
    let project = Project::new().file("samples.txt", text).file("main.py", SUM_PY).file("abs.py", ABS_PY);
    project.run(&["run", ".", "main.py"]).code(0).says("2 samples from `samples.txt`");
    assert_eq!(verdicts(&project.run(&["run", "samples.txt", "abs.py", "--json"]).code(1)), ["AC", "WA"]);
    let lines = Project::new().file("mine.txt", "1 2\n---\n3\n---\n2 2\n---\n5\n").file("main.py", SUM_PY);
    assert_eq!(verdicts(&lines.run(&["run", "mine.txt", "main.py", "--json"]).code(1)), ["AC", "WA"]);
    let broken = Project::new().file("mine.txt", "1 2\n3\n").file("main.py", SUM_PY);
    broken.run(&["run", "mine.txt", "main.py"]).code(2).complains("cannot read samples from");
}

const PROB: &str = r#"{"name": "A. Sum", "url": "https://example.org/a", "interactive": false, "memoryLimit": 512,
    "timeLimit": 3000, "group": "Example", "srcPath": "a.py", "tests":
    [{"id": 1, "input": "1 2\n", "output": "3\n"}, {"id": 2, "input": "-5 7\n", "output": "2\n"}]}"#;

// 7. cph: Run Testcases
#[test]
fn samples_and_limits_of_cph_are_used() {
    let other = PROB.replace("A. Sum", "B. Other").replace("a.py", "b.py").replace("3\\n", "4\\n");
    let project = Project::new()
        .file(".cph/.a.py_0123456789abcdef.prob", PROB)
        .file(".cph/.b.py_fedcba9876543210.prob", other)
        .file("a.py", SUM_PY)
        .file("b.py", SUM_PY)
        .file("c.py", SUM_PY);
    let guess = "2 samples of `A. Sum` from `.cph/.a.py_0123456789abcdef.prob` for `a.py` (samples found but not used: `b.py`); checker tokens; 3s, 512MiB\n";
    project.run(&["run", ".", "a.py"]).code(0).says(guess);
    assert_eq!(verdicts(&project.run(&["run", ".", "b.py", "--json"]).code(1)), ["WA", "AC"]);
    project.run(&["run", ".", "c.py"]).code(2).complains("`a.py`, `b.py`; `c.py` matches none of them");
    project.run(&["run", ".cph/.a.py_0123456789abcdef.prob", "c.py"]).code(0).says("2 samples of `A. Sum`");
    // Each problem has a separate history.
    let rows = |name: &str| project.run(&["history", name, "--json"]).code(0).json().len();
    assert_eq!([".", ".cph/.a.py_0123456789abcdef.prob", ".cph/.b.py_fedcba9876543210.prob"].map(rows), [3, 2, 1]);
}

// 8. Competitive Companion with a listener, then its runner
#[test]
fn a_folder_of_competitive_companion_is_judged_with_the_tests_that_a_person_added() {
    let message = PROB.replace("\"srcPath\": \"a.py\",", "\"testType\": \"single\",").replace("3000", "1500");
    let project = Project::new()
        .file("a/problem.json", message)
        .file("a/1.in", "1 2\n")
        .file("a/1.out", "3\n")
        .file("a/2.in", "-5 7\n")
        .file("a/2.out", "2\n")
        .file("a/3.in", "-1 -1\n")
        .file("a/3.out", "-2\n")
        .file("a/main.py", ABS_PY);
    let ran = project.run(&["run", "a", "a/main.py"]).code(1);
    let ran = ran.says("3 cases from `*.in` and `*.out`; checker tokens; 1500ms, 512MiB\n");
    assert!(ran.stdout.contains("2 failed") || ran.stdout.contains("1 of 3 cases"), "{}", ran.stdout);
    project.run(&["show", "a"]).code(0).says("A. Sum").says("https://example.org/a");
}

// 9. cd b && oj test
#[test]
fn samples_of_several_problems_are_never_mixed() {
    let project = Project::new()
        .file("a/1.in", "1 2\n")
        .file("a/1.out", "3\n")
        .file("b/1.in", "1 2\n")
        .file("b/1.out", "2\n")
        .file("a.py", SUM_PY)
        .file("b/solution.py", "a, b = map(int, input().split())\nprint(a * b)\n")
        .file("other.py", SUM_PY);
    project
        .run(&["run", ".", "a.py"])
        .code(0)
        .says("1 case from `*.in` and `*.out` for `a` (samples found but not used: `b`)");
    project.run(&["run", ".", "b/solution.py"]).code(0).says("for `b` (samples found but not used: `a`)");
    project
        .run(&["run", ".", "other.py"])
        .code(2)
        .complains("samples for 2 problems: `a`, `b`; `other.py` matches none of them");
    project.run(&["run", "b", "other.py"]).code(1).says("1 case from `*.in` and `*.out`;");
}

// 10. oj test -e 1e-6
#[test]
fn numbers_are_compared_with_a_tolerance() {
    let project =
        Project::new().file("1.in", "3\n").file("1.out", "0.333333\n").file("main.py", "print(1 / int(input()))\n");
    project.run(&["run", ".", "main.py"]).code(1);
    project.run(&["run", ".", "main.py", "--checker", "float:1e-6"]).code(0).says("checker float:1e-6");
    project.run(&["run", ".", "main.py", "--checker", "float:1e-9"]).code(1);
    project.run(&["run", ".", "main.py", "--checker", "float"]).code(2).complains("requires a tolerance");
    project.run(&["run", ".", "main.py", "--checker", "tokes"]).code(2).complains("did you mean `tokens`?");
}

// 11. oj test --compare-mode exact-match, 12. diff <(./a.out < 1.in | sort) <(sort 1.out), and an answer `YES` for `Yes`
#[test]
fn white_space_order_and_case_matter_as_wanted() {
    let project =
        Project::new().file("1.in", "\n").file("1.out", "Yes 2\nno\n").file("main.py", "print('NO\\nYES  2')\n");
    for (checker, code) in [("tokens", 1), ("unordered", 1), ("unordered:fold_case", 1), ("exact", 1)] {
        project.run(&["run", ".", "main.py", "--checker", checker]).code(code);
    }
    let project = project.file("main.py", "print('no')\nprint('yes 2')\n");
    project.run(&["run", ".", "main.py", "--checker", "unordered:fold_case"]).code(0);
    let project = project.file("main.py", "print('Yes  2 \\nno')\n");
    project.run(&["run", ".", "main.py", "--checker", "tokens"]).code(0);
    project.run(&["run", ".", "main.py", "--checker", "lines"]).code(1);
    let project = project.file("main.py", "print('Yes 2 \\nno')\n");
    project.run(&["run", ".", "main.py", "--checker", "lines"]).code(0);
    project.run(&["run", ".", "main.py", "--checker", "exact"]).code(1);
}

/// The part of testlib that the checker of the test uses, in a few lines.
const TESTLIB_H: &str = "\
#include <cstdio>
#include <cstdlib>
struct Stream { FILE* file = nullptr; int readInt() { int n = 0; return std::fscanf(file, \"%d\", &n) == 1 ? n : -1; } };
inline Stream inf, ouf, ans;
enum Result { _ok = 0, _wa = 1 };
inline void registerTestlibCmd(int, char** argv) {
    inf.file = std::fopen(argv[1], \"r\"), ouf.file = std::fopen(argv[2], \"r\"), ans.file = std::fopen(argv[3], \"r\");
}
inline void quitf(Result result, const char* why) { std::fputs(why, stderr); std::exit(result); }
";

// 13. oj test --judge-command ./check (testlib's, a script's, and ICPC's)
#[test]
#[ignore = "slow; .ci/run runs it"]
fn checker_programs_of_each_protocol_are_called() {
    let testlib = "#include \"testlib.h\"\nint main(int argc, char* argv[]) {\n    registerTestlibCmd(argc, argv);\n    \
        int n = inf.readInt(), a = ouf.readInt(), b = ouf.readInt();\n    \
        if (a + b == n && a > 0 && b > 0) quitf(_ok, \"42\");\n    quitf(_wa, \"not a sum\");\n}\n";
    let script = "import sys\nn = int(open(sys.argv[1]).read())\nparts = [int(x) for x in open(sys.argv[2]).read().split()]\n\
        sys.exit(sum(parts) != n or min(parts) < 1)\n";
    let icpc = "import sys\nn = int(open(sys.argv[1]).read())\nparts = [int(x) for x in sys.stdin.read().split()]\n\
        sys.exit(42 if sum(parts) == n and min(parts) > 0 else 43)\n";
    let project = Project::new()
        .file("p/1.in", "5\n")
        .file("p/1.out", "1 4\n")
        .file("testlib.h", TESTLIB_H)
        .file("p/check.cpp", testlib)
        .file("check.py", script)
        .file("icpc.py", icpc)
        .file("right.py", "print(2, int(input()) - 2)\n")
        .file("wrong.py", "print(0, int(input()))\n");
    project.run(&["run", "p", "right.py"]).code(1);
    for (checker, told) in [
        ("p/check.cpp", "checker check.cpp (testlib)"),
        ("./check.py", "checker check.py (testlib)"),
        ("icpc.py", "checker icpc.py (icpc)"),
    ] {
        project.run(&["run", "p", "right.py", "--checker", checker]).code(0).says(told);
        project.run(&["run", "p", "wrong.py", "--checker", checker]).code(1).says("WA");
    }
    let broken = project.file("broken.cpp", "int main( {}\n");
    let broken = broken.file("compiled", b"\x7fELF\x02").file("script", script);
    let with = |checker: &str| broken.run(&["run", "p", "right.py", "--checker", checker]).code(2);
    with("broken.cpp").complains("does not compile");
    with("./compiled").complains("`./compiled` is a compiled program; submit its source");
    with("script").complains("`script` has no extension").complains("`script.py`");
    broken.run(&["run", "p", "compiled"]).code(2).complains("is a compiled program; submit its source");
}

// 14. oj test-reactive ./judge.py
#[test]
fn an_interactor_of_ones_own_talks_to_the_program() {
    let judge = "import sys\nsecret = int(open(sys.argv[1]).read())\nfor _ in range(8):\n    guess = int(input())\n    \
        print('=' if guess == secret else '<' if secret < guess else '>', flush=True)\n    \
        if guess == secret:\n        sys.exit(0)\nsys.exit(1)\n";
    let halves = "low, high = 1, 100\nwhile True:\n    middle = (low + high) // 2\n    print(middle, flush=True)\n    \
        answer = input()\n    if answer == '=':\n        break\n    \
        if answer == '<':\n        high = middle - 1\n    else:\n        low = middle + 1\n";
    let counts = "for guess in range(1, 101):\n    print(guess, flush=True)\n    if input() == '=':\n        break\n";
    let message = r#"{"name": "Guess", "interactive": true, "tests": [{"input": "7\n", "output": ""}]}"#;
    let project = Project::new()
        .file("p/1.in", "7\n")
        .file("p/2.in", "93\n")
        .file("judge.py", judge)
        .file("halves.py", halves)
        .file("counts.py", counts)
        .file("q/problem.json", message);
    let args = ["--interactor", "judge.py"];
    let right = project.run(&[&["run", "p", "halves.py"], &args[..]].concat()).code(0);
    right.says("2 cases from `*.in`; interactor judge.py (testlib); 2s").says("2 of 2 cases");
    assert_eq!(
        verdicts(&project.run(&[&["run", "p", "counts.py", "--json"], &args[..]].concat()).code(1)),
        ["AC", "WA"]
    );
    project.run(&[&["run", "q", "halves.py"], &args[..]].concat()).code(0);
    project.run(&["run", "q", "halves.py"]).code(2).complains("specify an interactor with `--interactor PROGRAM`");
}

// 15. oj test --tle 0.5 --mle 64
#[test]
#[ignore = "slow; .ci/run runs it"]
fn limits_are_given_on_the_command_line() {
    let slow = "a, b = map(int, input().split())\nwhile a == -5:\n    pass\nprint(a + b)\n";
    let large = "a, b = map(int, input().split())\nif a == -5:\n    x = bytearray(200 << 20)\nprint(a + b)\n";
    let project = downloaded().file("slow.py", slow).file("large.py", large);
    let ran = project.run(&["run", ".", "slow.py", "--time", "500ms", "--json"]).code(1);
    assert_eq!(verdicts(&ran), ["AC", "TLE"]);
    let ran = project.run(&["run", ".", "large.py", "--memory", "64MiB", "--json"]).code(1);
    assert_eq!(verdicts(&ran), ["AC", "MLE"]);
    project.run(&["run", ".", "large.py", "--memory", "1GiB"]).code(0).says("1GiB");
    project.run(&["run", ".", "large.py", "--memory", "much"]).code(2).complains("much");
}

// 16. python3 main.py < my.txt, 17. echo "5 6" | python3 main.py
#[test]
fn a_program_is_just_run() {
    let project =
        Project::new().file("my.txt", "5 6\n").file("main.py", SUM_PY).file("crash.py", "print(1)\nprint(1 // 0)\n");
    let ran = project.run(&["run", ".", "main.py", "--input", "my.txt"]).code(0);
    assert_eq!(ran.stdout, "11\n");
    for part in ["the output is not compared; 2s, 256MiB (default limits)", "ended normally", "of 2 s", "MiB"] {
        assert!(ran.stderr.contains(part), "{part}: {}", ran.stderr);
    }
    let ran = project.type_in(&["run", ".", "main.py", "--input", "-", "-q"], "20 22\n").code(0);
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("42\n", ""));
    let ran = project.run(&["run", ".", "crash.py", "--input", "my.txt"]).code(1);
    assert_eq!(ran.stdout, "1\n");
    let ran = ran.complains("my.txt: run-time error").complains("ZeroDivisionError");
    ran.complains("nimatron run . crash.py --input my.txt");
    let lines = project.run(&["run", ".", "main.py", "--input", "my.txt", "--json"]).code(0).json();
    let output = lines.iter().find(|line| line["event"] == "program_output").unwrap();
    assert_eq!((output["output"].as_str(), output["checked"].as_bool()), (Some("11\n"), Some(false)));
    assert_eq!(lines.last().unwrap()["event"], "run_finished");
    project.run(&["run", ".", "main.py", "--input", "none.txt"]).code(2).complains("none.txt");
    // The tests in the folder are not needed and have no effect.
    assert_eq!(
        downloaded().file("my.txt", "1 1\n").run(&["run", ".", "main.py", "--input", "my.txt"]).code(0).stdout,
        "2\n"
    );
}

// 18. diff <(python3 main.py < my.txt) <(python3 brute.py < my.txt)
#[test]
fn two_programs_are_compared_on_an_input() {
    let project = downloaded().file("my.txt", "-1 -2\n").file("good.txt", "1 2\n").file("brute.py", SUM_PY);
    let args = |input| ["run", ".", "abs.py", "--input", input, "--against", "brute.py"];
    let wrong = project.run(&args("my.txt")).code(1).says("expected").says("first difference");
    assert!(wrong.stdout.contains("nimatron run . abs.py --input my.txt --against brute.py"), "{}", wrong.stdout);
    project.run(&args("good.txt")).code(0).says("AC   accepted").says("output\n     1 │ 3\n");
    // In a package without a reference and without `--against`, the program is only run on the input.
    let ran = project.run(&["run", "./test", "main.py", "--input", "my.txt"]).code(0);
    assert_eq!(ran.stdout, "-3\n");
}

// 19. ls main.py | entr -c oj test
#[test]
fn a_program_is_judged_again_when_it_is_saved() {
    let project = downloaded();
    let mut child = project.start(&["watch", ".", "abs.py", "-q"]);
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut until = |text: &str| while !lines.next().unwrap().unwrap().contains(text) {};
    until("WA");
    until("waiting");
    fs_err::write(project.path("abs.py"), SUM_PY).unwrap();
    until("AC");
    until("waiting");
    child.interrupt();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    project.run(&["watch", ".", "abs.py", "--input", "-"]).code(2).complains("save the input to a file");
}

// 20. head test/*
#[test]
fn samples_are_shown() {
    downloaded().run(&["show", "."]).code(0).says("Sample 1").says("-5 7").says("Sample 2");
    let tests = Project::new().file("1.in", "1 2\n").file("1.out", "3\n");
    tests.run(&["show", "."]).code(0).says("tests/1").says("1 2").says("There is no statement");
    let cph = Project::new().file(".cph/.a.py_0123.prob", PROB);
    cph.run(&["show", "."]).code(0).says("A. Sum").says("time 3s · memory 512MiB · https://example.org/a");
}

// 21. unzip tests.zip && oj test, for the tests that an author published
#[test]
fn a_folder_of_tests_is_verified_with_the_programs_beside_it() {
    let project = downloaded().file("solutions/accepted/sum.py", SUM_PY).file("solutions/wrong_answer/abs.py", ABS_PY);
    project.run(&["verify", "."]).code(0).says("2 cases from `test/*.in` and `test/*.out`").says("abs.py");
}

// 22. python3 gen.py > 3.in
#[test]
fn what_is_missing_for_generated_tests_is_told() {
    let project = downloaded();
    let told = project.run(&["generate", "."]).code(2).complains("no description of its inputs");
    told.complains("nimatron new NAME");
    project.run(&["export", ".", "--to", "icpc"]).code(2).complains("no `problem.yaml`");
    Project::new().run(&["generate", "."]).code(2).complains("expected a problem folder");
}

// 23. oj test, in a folder whose samples were not downloaded
#[test]
fn a_folder_without_tests_says_what_was_looked_for() {
    let project = Project::new().file("here/main.py", SUM_PY).file("here/1.in", "1 2\n");
    let told = project.run(&["run", "here", "here/main.py"]).code(2);
    let words = told.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "`1.in`: it has no answer",
        "expected an input with its answer",
        "`1.out`",
        "`.cph/*.prob`",
        "`samples.txt`",
        "`--input FILE`",
    ] {
        assert!(words.contains(part), "{part}: {words}");
    }
    project
        .run(&["run", "here/main.py", "here"])
        .code(2)
        .complains("the problem is the first argument of `nimatron run PROBLEM PROGRAM`");
    project.run(&["run", "here/main.py"]).code(2).complains("nimatron run . here/main.py");
    project.run(&["run", "there", "here/main.py"]).code(2).complains("unknown problem `there`");
    project.run(&["show", "here"]).code(2).complains("no complete test");
}

// 24. Reading the traceback of a crash.
#[test]
fn standard_error_keeps_its_form() {
    let program = "import sys\nprint('  marked:', file=sys.stderr)\nprint('    ^^^', file=sys.stderr)\nsys.exit(3)\n";
    let project = downloaded().file("crash.py", program);
    let ran = project.run(&["run", ".", "crash.py"]).code(1);
    assert!(ran.stdout.contains("     1 │   marked:\n     2 │     ^^^\n"), "{}", ran.stdout);
}

// 25. oj test on many tests that all fail
#[test]
fn few_of_many_failures_are_shown() {
    let mut project = Project::new().file("main.py", "print(0)\n");
    for number in 1..=30 {
        project = project.file(&format!("a rather long name of a case {number}.in"), "1\n");
        project = project.file(&format!("a rather long name of a case {number}.out"), "1\n");
    }
    let ran = project.run(&["run", ".", "main.py"]).code(1).says("… and 27 more failed cases");
    let rows = ran.stdout.lines().filter(|line| line.starts_with("WA   tests/")).count();
    assert_eq!(rows, 3, "{}", ran.stdout);
    let columns: BTreeSet<Option<usize>> =
        ran.stdout.lines().filter(|line| line.starts_with("WA   tests")).map(|line| line.find(" ms")).collect();
    assert_eq!(columns.len(), 1, "the figures stand in one column: {}", ran.stdout);
    assert!(ran.stdout.rfind("first difference") > ran.stdout.find("wrong answer"), "{}", ran.stdout);
}

/// Adds programs in C, which start quickly, for searches with many tests: a correct program for the sum of two numbers,
/// and one that is right on the samples, but wrong if the first number is greater than 5.
fn with_sums(project: Project) -> Project {
    let sum = |wrong: &str| {
        format!(
            "#include <stdio.h>\nint main(void) {{\n    int a, b;\n    \
             if (scanf(\"%d%d\", &a, &b) != 2) return 1;\n    \
             printf(\"%d\\n\", a + b + ({wrong}));\n}}\n"
        )
    };
    project.file("sum.c", sum("0")).file("large.c", sum("a > 5"))
}

// 26. for i in $(seq 1000); do ./gen $i > in; diff <(./a < in) <(./brute < in) || break; done
#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_mistake_is_found_with_a_generator_of_ones_own() {
    let generator = "#include <stdio.h>\n#include <stdlib.h>\nint main(int argc, char *argv[]) {\n    \
        srand(atoi(argv[1]));\n    int a = rand() % 19 - 9, b = rand() % 9 + 1;\n    printf(\"%d %d\\n\", a, b);\n}\n";
    let project = with_sums(downloaded()).file("gen.c", generator);
    let args = ["stress", ".", "large.c", "--against", "sum.c", "--generator", "gen.c", "--out", "found.in"];
    let found = project.run(&args).code(1).says("wrong answer in found.in");
    found.says("nimatron run . large.c --input found.in --against sum.c");
    assert_eq!(fs_err::read_to_string(project.path("found.in")).unwrap(), "6 1\n");
    project.run(&["run", ".", "large.c", "--input", "found.in", "--against", "sum.c"]).code(1).says("first difference");
    // No search is needed for a program that fails a sample.
    let ran = project.run(&["stress", ".", "abs.py", "--against", "sum.c", "--generator", "gen.c"]).code(1);
    ran.says("wrong answer on sample `sample/sample-2`");
}

// 27. oj generate-input ./gen.py && oj generate-output -c ./brute && oj test, with a generator to be written first
#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_mistake_is_found_with_a_description_of_the_input() {
    let project = with_sums(downloaded());
    let described = |program, spec| {
        ["stress", ".", program, "--against", "sum.c", "--input-spec", spec, "--out", "found.in", "--count", "500"]
    };
    project.run(&described("large.c", "a: 0..=7, b: 0..=2")).code(1).says("minimal");
    let found = fs_err::read_to_string(project.path("found.in")).unwrap();
    assert!(found.starts_with("6 "), "{found}");
    project.run(&described("sum.c", "a: 0..=7, b: 0..=2")).code(0);
    project.run(&["stress", ".", "large.c"]).code(2).complains("--against");
}
