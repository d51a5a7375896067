//! Tests of `nimatron stress` in folders that contain only programs and samples.

use std::time::Duration;

use crate::project::Project;

/// Returns a program for the sum of a list, with an error that the expression `wrong` of `a` adds.
fn sum(wrong: &str) -> String {
    format!("n = int(input())\na = list(map(int, input().split()))\nassert len(a) == n\nprint(sum(a) + ({wrong}))\n")
}

/// A generator of lists of up to 12 numbers from 1 to 50.
const GEN: &str = "import random, sys\nrandom.seed(int(sys.argv[-1]))\nn = random.randint(1, 12)\nprint(n)\n\
                   print(*[random.randint(1, 50) for _ in range(n)])\n";

/// A generator in C of such lists.
const GEN_IN_C: &str = "#include <stdio.h>\n#include <stdlib.h>\nstatic unsigned state;\n\
                        static int next(int most) { return 1 + ((state = state * 1664525u + 1013904223u) >> 8) % most; }\n\
                        int main(int argc, char *argv[]) {\n    int seed = atoi(argv[argc - 1]), n = 1 + seed % 12;\n    \
                        state = seed * 2654435761u;\n    printf(\"%d\\n\", n);\n    \
                        for (int i = 0; i < n; i++) printf(\"%d%c\", next(50), i + 1 < n ? ' ' : '\\n');\n}\n";

fn project(wrong: &str) -> Project {
    Project::new().file("sol.py", sum(wrong)).file("brute.py", sum("0")).file("gen.py", GEN)
}

/// Returns a program in C for the sum of a list, with an error that the expression `wrong` of `n` and `a` adds. A search
/// that runs many tests uses it, since a program in Python takes twenty times as long to start.
fn sum_in_c(wrong: &str) -> String {
    format!(
        "#include <stdio.h>\nint main(void) {{\n    int n, more, sum = 0, a[1000];\n    \
         if (scanf(\"%d\", &n) != 1 || n > 1000) return 1;\n    \
         for (int i = 0; i < n; i++) {{\n        if (scanf(\"%d\", &a[i]) != 1) return 1;\n        sum += a[i];\n    }}\n    \
         if (scanf(\"%d\", &more) == 1) return 1;\n    printf(\"%d\\n\", sum + ({wrong}));\n}}\n"
    )
}

const GENERATED: [&str; 6] = ["stress", ".", "sol.py", "--against", "brute.py", "--generator"];

fn generated(rest: &[&'static str]) -> Vec<&'static str> {
    [&GENERATED[..], rest].concat()
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn three_programs_are_enough() {
    let project = project("max(a) > 30");
    let ran = project.run(&generated(&["gen.py", "--out", "x.in"])).code(1).silent();
    let ran = ran.says("wrong answer in x.in").says("nimatron run . sol.py --input x.in --against brute.py");
    let ran = ran.says("--input-spec 'n: 1..=12; a[n]: 1..=50'").says("the output of `gen.py ");
    ran.says("to repeat: nimatron stress . sol.py --against brute.py --generator gen.py --seed 1 --count ");
    assert_eq!(fs_err::read_to_string(project.path("x.in")).unwrap(), "1\n31\n");
    project.run(&["run", ".", "sol.py", "--input", "x.in", "--against", "brute.py"]).code(1).says("expected `31`");
    project
        .run(&["stress", ".", "sol.py", "--against", "brute.py"])
        .code(2)
        .complains("neither a generator nor a description");
}

#[test]
fn the_printed_command_finds_it_again() {
    let project = project("sum(a) % 5 == 0 and max(a) > 40");
    let first = project.run(&generated(&["gen.py", "--out", "x.in", "--shrink", "0", "--jobs", "2"])).code(1);
    let again = first.stdout.split("to repeat: ").nth(1).unwrap().trim();
    let mut args: Vec<&str> = again.split(' ').skip(1).collect();
    args.extend(["--out", "y.in", "--shrink", "0"]);
    project.run(&args).code(1);
    let read = |name: &str| fs_err::read(project.path(name)).unwrap();
    assert_eq!(read("x.in"), read("y.in"), "{again}");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_description_on_one_line_replaces_a_generator() {
    let project = Project::new().file("sol.c", sum_in_c("n == 7 && a[0] > a[6]")).file("brute.c", sum_in_c("0"));
    let project = project.file("spec.txt", "# a list\nn: 1..=1000\na[n]: 1..=100\n");
    let yaml = "input:\n  - n: 1..=1000\n  - a[n]: 1..=100\n";
    let project = project.file("spec.yaml", yaml);
    for spec in ["n: 1..=1000; a: list(n, 1..=100)", "spec.txt", "spec.yaml"] {
        let args = ["stress", ".", "sol.c", "--against", "brute.c", "--out", "x.in", "--input-spec", spec];
        project.run(&args).code(1).silent().says("minimal");
        assert_eq!(fs_err::read_to_string(project.path("x.in")).unwrap(), "7\n2 1 1 1 1 1 1\n", "{spec}");
    }
    let wrong =
        |spec: &str| project.run(&["stress", ".", "sol.c", "--against", "brute.c", "--input-spec", spec]).code(2);
    wrong("n: 1..=3; a[m]: 1..=2").complains("a[m]").complains("--input-spec");
    wrong("gone.txt").complains("neither a file nor a description");
}

#[test]
fn samples_come_first() {
    let project =
        project("0").file("1.in", "2\n1 2\n").file("1.out", "3\n").file("2.in", "1\n4\n").file("2.out", "5\n");
    let ran = project.run(&generated(&["gen.py"])).code(1).silent();
    ran.says("wrong answer on sample `tests/2`").says("--case tests/2").says("`sol.py` and `brute.py` agree");
    let last = project.run(&generated(&["gen.py", "--json"])).code(1).last_json();
    assert_eq!((&last["sample"], &last["input"]), (&"tests/2".into(), &serde_json::Value::Null));
    let ran = project.run(&["stress", ".", "sol.py", "--against", "brute.py"]).code(2);
    ran.complains("there is neither a generator nor a description of the inputs").complains("n: 1..=2; a[n]: 1..=4");
    project.run(&["stress", ".", "sol.py"]).code(2).complains("there is no program that computes the answers");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn several_programs_are_compared() {
    let names = ["sol.c", "brute.c", "third.c"];
    let project = names.iter().fold(Project::new(), |project, name| project.file(name, sum_in_c("0")));
    let project = project.file("other.c", sum_in_c("a[0] == 5")).file("gen.c", GEN_IN_C);
    let against = ["--against", "brute.c", "--against", "other.c", "--against", "third.c"];
    let args = [&["stress", ".", "sol.c", "--generator", "gen.c", "--out", "x.in"][..], &against].concat();
    let ran = project.run(&args).code(1).silent();
    let ran = ran.says("`other.c` disagrees with `brute.c` in x.in");
    ran.says("`sol.c`, `brute.c` and `third.c` agree; `other.c` differs");
    assert_eq!(fs_err::read_to_string(project.path("x.in")).unwrap(), "1\n5\n");
    let project = project.file("sol.c", sum_in_c("3 * (a[0] == 5)"));
    project.run(&args).code(1).says("`brute.c` and `third.c` agree; `sol.c` and `other.c` differ");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn the_brute_force_is_blamed_for_its_own_failures() {
    let project = project("1 // (len(a) < 5)").file("brute.py", sum("1 // (len(a) < 5)"));
    project.run(&generated(&["gen.py"])).code(2).complains("`brute.py`, which provides the answers, failed");
    // The search waits at least 10 s for a program without end, so memory is what the program uses up here.
    let large = sum("0").replace("print", "b = [b'x' * (1 << 20) for _ in range(n - 1 << 14)]\nprint");
    // The lists grow, so the program that needs too much memory is run on one of them only.
    let grows = "import sys\nn = int(sys.argv[1])\nprint(n)\nprint(*range(1, n + 1))\n";
    let project = project.file("sol.py", sum("0")).file("brute.py", large).file("grows.py", grows);
    let args = generated(&["grows.py", "--count", "6", "--time", "100ms", "--jobs", "1"]);
    let ran = project.run(&args).code(0).silent();
    ran.says("`brute.py` exceeded its time or memory limit on an input of 6 B")
        .says("5 tests were checked only for crashes");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn errors_of_the_other_programs_are_explained() {
    let project = project("0").file("crash.py", "raise SystemExit('no idea')").file("none.py", "pass\n");
    project.run(&generated(&["crash.py 10"])).code(2).complains("`crash.py 10 1` failed").complains("no idea");
    project.run(&generated(&["none.py"])).code(2).complains("printed nothing").complains("NIMATRON_SEED");
    let project = project.file("same.py", "print(1)\nprint(7)").file("valid.py", "assert int(input()) > 100");
    project.run(&generated(&["same.py", "--count", "5"])).code(0).says("the same input every time");
    let ran = project.run(&generated(&["same.py", "--validator", "valid.py"])).code(2);
    ran.complains("the output of `same.py 1` is invalid").complains("valid.py").complains("AssertionError");
    project.run(&generated(&["gone.py"])).code(2).complains("gone.py");
    project.run(&generated(&["gen.py", "--checker", "tokns"])).code(2).complains("did you mean `tokens`?");
    project.run(&generated(&["gen.py", "--input-spec", "n: 1..=2"])).code(2).complains("cannot be used with");
    project.run(&["stress", "gone", "sol.py", "--against", "brute.py"]).code(2).complains("unknown problem `gone`");
}

#[test]
fn the_seed_is_in_the_environment_and_has_a_place() {
    let generator =
        "import os, sys\nassert sys.argv[1:] == [os.environ['NIMATRON_SEED'], 'n']\nprint(1)\nprint(sys.argv[1])\n";
    let project = project("a[0] == 3").file("gen.py", generator);
    let ran = project.run(&generated(&["gen.py {seed} n", "--shrink", "0"])).code(1).silent();
    ran.says("found by test 3, the output of `gen.py 3 n`").says("--generator 'gen.py {seed} n' --seed 1 --count 3");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_generator_includes_a_header_and_gets_its_own_arguments() {
    // Like testlib, the header derives the random numbers from all arguments, so the seed is one of them.
    let header = "#pragma once\n#include <cstdio>\n#include <cstdlib>\n#include <string>\n\
        struct random_t {\n    unsigned state = 2166136261u;\n    int next(int low, int high) {\n        \
        state = state * 1664525u + 1013904223u;\n        return low + (state >> 8) % (high - low + 1);\n    }\n} rnd;\n\
        char **words;\ntemplate <class T> T opt(int at) { return (T)std::atoll(words[at]); }\n\
        void registerGen(int count, char **all, int) {\n    words = all;\n    for (int at = 1; at < count; at++)\n        \
        for (char c : std::string(all[at]) + ' ') rnd.state = (rnd.state ^ (unsigned char)c) * 16777619u;\n}\n";
    let generator = "#include \"testlib.h\"\nint main(int argc, char *argv[]) {\n    registerGen(argc, argv, 1);\n    \
        int n = rnd.next(1, opt<int>(1));\n    std::printf(\"%d\\n\", n);\n    \
        for (int i = 0; i < n; i++) std::printf(\"%d%c\", rnd.next(1, opt<int>(2)), i + 1 < n ? ' ' : '\\n');\n}\n";
    let project = project("max(a) > 40").file("gen.cpp", generator);
    let missing = project.run(&generated(&["gen.cpp 12 50"])).code(2);
    missing.complains("gen.cpp").complains("testlib.h");
    // The header may lie beside the generator or in a folder above it.
    let project = project.file("testlib.h", header).file("gens/gen.cpp", generator);
    for name in ["gen.cpp 12 50", "gens/gen.cpp 12 50"] {
        project.run(&generated(&[name, "--out", "x.in"])).code(1).silent().says("wrong answer in x.in");
        assert_eq!(fs_err::read_to_string(project.path("x.in")).unwrap(), "1\n41\n", "{name}");
    }
    // With other arguments no number is so large.
    project.run(&generated(&["gen.cpp 12 40", "--count", "50"])).code(0);
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn inputs_of_unknown_form_are_shrunk_as_text() {
    // There is no description for test cases with grids of different sizes.
    let generator = "import random, sys\nrandom.seed(int(sys.argv[1]))\nt = random.randint(1, 5)\nprint(t)\n\
               for _ in range(t):\n    n, m = random.randint(1, 4), random.randint(1, 4)\n    print(n, m)\n    \
               for _ in range(n): print(*[random.randint(1, 60) for _ in range(m)])\n";
    let program = |wrong: &str| {
        format!(
            "for _ in range(int(input())):\n    n, m = map(int, input().split())\n    \
                 g = [list(map(int, input().split())) for _ in range(n)]\n    \
                 assert all(len(r) == m for r in g)\n    print(max(map(max, g)) + ({wrong}))\n"
        )
    };
    let project = project("0").file("gen.py", generator).file("brute.py", program("0"));
    let project = project.file("sol.py", program("g[0][0] > 50"));
    project.run(&generated(&["gen.py", "--out", "x.in"])).code(1).silent().says("no single line or value");
    assert_eq!(fs_err::read_to_string(project.path("x.in")).unwrap(), "1\n1 1\n51\n");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_checker_and_a_validator_decide() {
    let real = "n = int(input())\na = list(map(int, input().split()))\n";
    let checked =
        "import sys\nout, answer = [float(open(f).read()) for f in sys.argv[2:4]]\nsys.exit(abs(out - answer) > 1)\n";
    let project = project("0")
        .file("sol.py", format!("{real}print('%.3f' % (sum(a) / n))"))
        .file("brute.py", format!("{real}print('%.9f' % (sum(a) / n))"))
        .file("check.py", checked)
        .file("even.py", "n = int(input())\nassert n % 2 == 0\n");
    project.run(&generated(&["gen.py", "--count", "40"])).code(1).silent();
    project.run(&generated(&["gen.py", "--count", "40", "--checker", "float:1e-2"])).code(0).silent();
    project.run(&generated(&["gen.py", "--count", "40", "--checker", "check.py"])).code(0).silent();
    let project = project.file("sol.c", sum_in_c("a[0] > 20")).file("brute.c", sum_in_c("0"));
    let even =
        ["stress", ".", "sol.c", "--against", "brute.c", "--out", "x.in", "--validator", "even.py", "--input-spec"];
    project.run(&[&even[..], &["n: 1..=12; a[n]: 1..=50"]].concat()).code(1).silent();
    assert_eq!(fs_err::read_to_string(project.path("x.in")).unwrap(), "2\n21 1\n");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn an_interrupted_search_with_own_programs_reports_its_progress() {
    let project = project("0");
    project.run(&generated(&["gen.py", "--count", "1"])).code(0);
    let child = project.start(&generated(&["gen.py", "--seconds", "100"]));
    std::thread::sleep(Duration::from_secs(3));
    child.interrupt();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("stopped after"), "{output:?}");
}
