//! Judges sinol packages with the `nimatron` binary: tests that a program makes, points of groups, promises, checkers
//! and interactors. The programs are in Python, which needs no compiler; those that are started often are in C or
//! Bash, which start quickly.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use crate::project::{Project, Ran, children};

/// Limits that no program of these tests reaches.
const LIMITS: &str = "time_limit: 20000\nmemory_limit: 262144\nsinol_task_id: abc\ntitle: Doubling\n";
/// Makes one sample, one test of group 1, and two tests of group 2.
const INGEN: &str = "for name, number in [('0', 1), ('1a', 2), ('2a', 3), ('2b', 400)]:\n    \
    open(f'abc{name}.in', 'w').write(f'{number}\\n')\nopen('log.txt', 'w').write('not a test')\n";
const DOUBLE: &str = "print(2 * int(input()))\n";

fn package(config: &str, files: &[(&str, &str)]) -> Project {
    let project = Project::new().file("p/config.yml", format!("{LIMITS}{config}")).file("p/prog/abc.py", DOUBLE);
    files.iter().fold(project, |project, (path, text)| project.file(&format!("p/prog/{path}"), *text))
}

/// Returns the overall verdict and points.
#[track_caller]
fn ended(ran: &Ran) -> (String, String) {
    let last = ran.last_json();
    let text = |key: &str| last[key].as_str().unwrap_or_else(|| panic!("no {key}: {ran:#?}")).to_owned();
    (text("verdict"), text("score"))
}

/// Returns the overall verdict and points of a program.
#[track_caller]
fn judged(package: &Project, program: &str) -> (String, String) {
    judged_in(package, "a.py", program)
}

/// Like [`judged`], for a program in another language.
#[track_caller]
fn judged_in(package: &Project, file: &str, program: &str) -> (String, String) {
    fs_err::write(package.path(file), program).unwrap();
    ended(&package.run(&["run", "p", file, "--json"]))
}

fn result(verdict: &str, score: &str) -> (String, String) {
    (verdict.to_owned(), score.to_owned())
}

#[test]
fn tests_are_made_by_ingen_and_answered_by_the_model_solution() {
    let package = package("scores: {1: 40, 2: 60}\n", &[("abcingen.py", INGEN)]);
    assert_eq!(judged(&package, DOUBLE), result("AC", "100"));
    assert_eq!(judged(&package, "n = int(input())\nprint(2 * n if n < 9 else 0)\n"), result("PT", "40"));
    let shown = package.run(&["run", "p", "p/prog/abc.py", "--json"]);
    for case in ["sample/0", "group1/1a", "group2/2a", "group2/2b"] {
        assert!(shown.stdout.contains(&format!("\"{case}\"")), "{case}: {shown:#?}");
    }
}

#[test]
fn ctrl_c_while_the_tests_are_generated_is_not_an_error() {
    let package = package("", &[("abcingen.py", "while True: pass\n")]).file("a.py", DOUBLE);
    let mut command = package.start(&["run", "p", "a.py"]);
    // Of the programs, only the generator runs before the tests are known.
    while !runs_below(command.id(), "/builds/") {
        assert!(command.try_wait().unwrap().is_none(), "the command has ended");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    command.interrupt();
    let output = command.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert_eq!((output.stdout.as_slice(), String::from_utf8_lossy(&output.stderr).as_ref()), (&[][..], "stopped\n"));
}

/// Returns whether a descendant of a process has this word in its command line.
fn runs_below(process: u32, word: &str) -> bool {
    children(process).into_iter().any(|child| {
        let line = fs_err::read(format!("/proc/{child}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).contains(word) || runs_below(child, word)
    })
}

#[test]
fn a_script_compiles_and_starts_the_programs_of_the_package() {
    let script = "#!/bin/bash\ntask=$(basename \"$0\" ingen.sh)\nprog=$(realpath \"$(dirname \"$0\")\")\n\
        gen=\"$prog/../.cache/gen\"\nmkdir -p \"$prog/../.cache\"\ng++ -O1 \"$prog/gen.cpp\" -o \"$gen\" || exit 1\n\
        \"$gen\" 1 > ${task}1a.in\n\"$gen\" 2 > \"$prog/../in/${task}2a.in\"\n\
        \"$gen\" 3 > ${task}2b.in & \"$gen\" 4 > ${task}2c.in &\nwait\n";
    let generator = "#include <cstdio>\n#include \"text.h\"\nint main(int, char **argv) { std::puts(TEXT(1)); }\n";
    let files = [("abcingen.sh", script), ("gen.cpp", generator), ("text.h", "#define TEXT(n) argv[n]\n")];
    let package = package("scores: {1: 40, 2: 60}\n", &files);
    assert_eq!(judged(&package, DOUBLE), result("AC", "100"));
    assert_eq!(judged(&package, "n = int(input())\nprint(2 * n if n != 3 else 0)\n"), result("PT", "40"));
    // A change of a program that the script starts changes the inputs.
    let package = package.file("p/prog/text.h", "#define TEXT(n) \"7\"\n");
    assert_eq!(judged(&package, "print(14)\n"), result("AC", "100"));
    let broken = package.file("p/prog/gen.cpp", "int main( {\n").run(&["run", "p", "a.py"]);
    assert!(broken.code == 2 && broken.stderr.contains("abcingen.sh failed"), "{broken:#?}");
}

#[test]
fn compiler_arguments_apply_to_solutions_alone() {
    let config = "extra_compilation_args: {cpp: ['-DFACTOR=2', lib.cpp], rs: [--cfg, two]}\n";
    let program = "#include <cstdio>\nint read();\nint main() { std::printf(\"%d\\n\", FACTOR * read()); }\n";
    let library = "#include <cstdio>\nint read() { int n; return std::scanf(\"%d\", &n) == 1 ? n : 0; }\n";
    let ingen = "#ifdef FACTOR\n#error not a solution\n#endif\n#include <cstdio>\n\
                 int main() { std::fputs(\"7\\n\", std::fopen(\"abc1a.in\", \"w\")); }\n";
    let package = package(config, &[("lib.cpp", library), ("abcingen.cpp", ingen)]).file("a.cpp", program);
    assert_eq!(ended(&package.run(&["run", "p", "a.cpp", "--json"])), result("AC", "100"));
    let other = package.file("p/config.yml", format!("{LIMITS}{}", config.replace("=2", "=3")));
    assert_eq!(ended(&other.run(&["run", "p", "a.cpp", "--json"])), result("WA", "0"));
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn verify_checks_the_promises_of_points_and_statuses() {
    let promises = |points: u32, status: &str| {
        format!(
            "scores: {{1: 40, 2: 60}}\nsubtask_dependencies: {{2: [1]}}\nsinol_expected_scores:\n  abcb1.py:\n    points: {points}\n    \
             expected:\n      1: {{points: {points}, status: OK}}\n      2: {{points: 0, status: {status}}}\n"
        )
    };
    let wrong = "n = int(input())\nprint(2 * n if n < 9 else 0)\n";
    let valid = "import sys\nassert sys.argv[1].startswith('abc')\nassert int(input()) < 500\n";
    let files = [("abcingen.py", INGEN), ("abcb1.py", wrong), ("abcinwer.py", valid)];
    let kept = package(&promises(40, "WA"), &files).run(&["verify", "p"]);
    assert_eq!(kept.code, 0, "{kept:#?}");
    assert!(kept.stdout.contains("4 inputs are valid"), "{kept:#?}");
    for (points, status, why) in
        [(30, "WA", "expected a score of 30 in group1, found 40 points"), (40, "TL", "no case has the verdict TLE")]
    {
        let broken = package(&promises(points, status), &files).run(&["verify", "p"]);
        assert_eq!(broken.code, 1, "{broken:#?}");
        assert!(broken.stdout.contains(why), "{why}: {broken:#?}");
    }
}

#[test]
fn a_checker_awards_a_percentage_of_the_points_of_its_group() {
    let checker = "import sys\noutput, answer = (open(path).read().strip() for path in sys.argv[2:])\n\
        print('OK' if output[-1:] == answer[-1:] else 'WRONG')\nprint('compared')\nprint(100 if output == answer else 50)\n";
    let package = package("scores: {1: 25, 2: 75}\n", &[("abcingen.py", INGEN), ("abcchk.py", checker)]);
    assert_eq!(judged(&package, DOUBLE), result("AC", "100"));
    // The last digit of each output is right. Half of 25 is rounded up, and so is half of 75.
    assert_eq!(judged(&package, "print('1' + str(2 * int(input())))\n"), result("PT", "51"));
    assert_eq!(judged(&package, "print('x')\n"), result("WA", "0"));
}

#[test]
fn an_interactor_talks_by_descriptors_and_prints_its_result() {
    let interactor = "import os, sys\nassert sys.argv[1] == '1'\n\
        reader, writer = os.fdopen(int(sys.argv[2])), os.fdopen(int(sys.argv[3]), 'w')\n\
        number = int(input())\nprint(number, file=writer, flush=True)\nreply = reader.readline()\n\
        if not reply:\n    sys.exit(141)\n\
        print('OK' if int(reply) == 2 * number else 'WRONG')\n";
    let package = package("", &[("abcingen.py", INGEN), ("abcsoc.py", interactor)]);
    assert_eq!(judged(&package, DOUBLE), result("AC", "100"));
    assert_eq!(judged(&package, "import sys\nassert sys.argv[1] == '0'\nprint(0)\n"), result("WA", "0"));
    assert_eq!(judged(&package, "pass\n"), result("WA", "0"));
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn an_interactor_talks_to_several_processes() {
    // Process 0 must double the number, and process 1 must add 1 to the double.
    let interactor = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
    int number, said;
    if (argc != 6 || strcmp(argv[1], "2") || scanf("%d", &number) != 1) return 1;
    said = number;
    for (int process = 0; process < 2; process++) {
        FILE *reader = fdopen(atoi(argv[2 + 2 * process]), "r"), *writer = fdopen(atoi(argv[3 + 2 * process]), "w");
        fprintf(writer, "%d\n", said);
        fflush(writer);
        if (fscanf(reader, "%d", &said) != 1) return printf("WRONG\nno reply from %d\n", process) < 0;
    }
    puts(said == 2 * number + 1 ? "OK" : "WRONG");
}
"#;
    let package = package("num_processes: 2\n", &[("abcingen.py", INGEN), ("abcsoc.c", interactor)]);
    let program = |process_1: &str| {
        let process_0 = "read -r number\nif [ \"$*\" = 0 ]; then\n    echo $((2 * number))";
        format!("{process_0}\nelse\n    {process_1}\nfi\n")
    };
    let right = program("echo $((number + 1))");
    assert_eq!(judged_in(&package, "a.sh", &right), result("AC", "100"));
    let shown = package.run(&["run", "p", "a.sh", "--transcript"]);
    for line in ["program     0 2\n", "interactor  1 2\n", "program     1 3\n", "program     1 (ended)\n"] {
        assert!(shown.stdout.contains(line), "{line}: {shown:#?}");
    }
    let silent = judged_in(&package, "a.sh", &program(":"));
    assert_eq!(silent, result("WA", "0"), "the interactor decides");
    let crash = program("exit 3").replace("echo $((2 * number))", "echo $((2 * number))\n    exec sleep 1000");
    assert_eq!(judged_in(&package, "a.sh", &crash), result("RTE", "0"), "process 1 failed first");
    package.run(&["run", "p", "a.sh"]).code(1).says("process 1 failed").says("exit code 3");
    let large = "import sys\nprint(2 * int(input())) if sys.argv[1:] == ['0'] else 'x' * (1 << 29)\n";
    let memory = judged(&package, large);
    assert_eq!(memory, result("MLE", "0"), "process 1 exceeds its own limit");
}

#[test]
fn a_package_without_tests_is_refused() {
    let ran = package("", &[("abcingen.py", "print('nothing')\n")]).run(&["run", "p", "p/prog/abc.py"]);
    assert_eq!(ran.code, 2, "{ran:#?}");
    assert!(ran.stderr.contains("prog/abcingen.py wrote no file"), "{ran:#?}");
}
