//! Tests of `nimatron stress` in folders that contain only programs and samples.

use std::time::Duration;

use crate::project::Project;

/// A generator of lists of up to 12 numbers from 1 to 50. Like the other programs that run in many tests, it is in C,
/// since a program in Python takes twenty times as long to start.
const GEN: &str = "#include <stdio.h>\n#include <stdlib.h>\nstatic unsigned state;\n\
                   static int next(int most) { return 1 + ((state = state * 1664525u + 1013904223u) >> 8) % most; }\n\
                   int main(int argc, char *argv[]) {\n    int seed = atoi(argv[argc - 1]), n = 1 + seed % 12;\n    \
                   state = seed * 2654435761u;\n    printf(\"%d\\n\", n);\n    \
                   for (int i = 0; i < n; i++) printf(\"%d%c\", next(50), i + 1 < n ? ' ' : '\\n');\n}\n";

/// Returns a program for the sum of a list, with an error that the expression `wrong` of `n`, `a`, `sum` and the
/// greatest number `most` adds.
fn sum(wrong: &str) -> String {
    format!(
        "#include <stdio.h>\nint main(void) {{\n    int n, more, most = 0, sum = 0, a[1000] = {{0}};\n    \
         if (scanf(\"%d\", &n) != 1 || n > 1000) return 1;\n    \
         for (int i = 0; i < n; i++) {{\n        if (scanf(\"%d\", &a[i]) != 1) return 1;\n        \
         sum += a[i];\n        if (a[i] > most) most = a[i];\n    }}\n    \
         if (scanf(\"%d\", &more) == 1) return 1;\n    printf(\"%d\\n\", sum + ({wrong}));\n}}\n"
    )
}

fn project(wrong: &str) -> Project {
    Project::new().file("sol.c", sum(wrong)).file("brute.c", sum("0")).file("gen.c", GEN)
}

const GENERATED: [&str; 6] = ["stress", ".", "sol.c", "--against", "brute.c", "--generator"];

fn generated(rest: &[&'static str]) -> Vec<&'static str> {
    [&GENERATED[..], rest].concat()
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn three_programs_are_enough() {
    let project = project("most > 30");
    let ran = project.run(&generated(&["gen.c", "--out", "x.in"])).code(1).silent();
    let ran = ran.says("wrong answer in x.in").says("nimatron run . sol.c --input x.in --against brute.c");
    let ran = ran.says("--input-spec 'n: 1..=12; a[n]: 1..=50'").says("the output of `gen.c ");
    ran.says("to repeat: nimatron stress . sol.c --against brute.c --generator gen.c --seed 1 --count ");
    assert_eq!(fs_err::read_to_string(project.path("x.in")).unwrap(), "1\n31\n");
    project.run(&["run", ".", "sol.c", "--input", "x.in", "--against", "brute.c"]).code(1).says("expected `31`");
    project
        .run(&["stress", ".", "sol.c", "--against", "brute.c"])
        .code(2)
        .complains("neither a generator nor a description");
}

#[test]
fn the_printed_command_finds_it_again() {
    let project = project("sum % 5 == 0 && most > 40");
    let first = project.run(&generated(&["gen.c", "--out", "x.in", "--shrink", "0", "--jobs", "2"])).code(1);
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
    let project = Project::new().file("sol.c", sum("n == 7 && a[0] > a[6]")).file("brute.c", sum("0"));
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
    let ran = project.run(&generated(&["gen.c"])).code(1).silent();
    ran.says("wrong answer on sample `tests/2`").says("--case tests/2").says("`sol.c` and `brute.c` agree");
    let last = project.run(&generated(&["gen.c", "--json"])).code(1).last_json();
    assert_eq!((&last["sample"], &last["input"]), (&"tests/2".into(), &serde_json::Value::Null));
    let ran = project.run(&["stress", ".", "sol.c", "--against", "brute.c"]).code(2);
    ran.complains("there is neither a generator nor a description of the inputs").complains("n: 1..=2; a[n]: 1..=4");
    project.run(&["stress", ".", "sol.c"]).code(2).complains("there is no program that computes the answers");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn several_programs_are_compared() {
    let names = ["sol.c", "brute.c", "third.c"];
    let project = names.iter().fold(Project::new(), |project, name| project.file(name, sum("0")));
    let project = project.file("other.c", sum("a[0] == 5")).file("gen.c", GEN);
    let against = ["--against", "brute.c", "--against", "other.c", "--against", "third.c"];
    let args = [&["stress", ".", "sol.c", "--generator", "gen.c", "--out", "x.in"][..], &against].concat();
    let ran = project.run(&args).code(1).silent();
    let ran = ran.says("`other.c` disagrees with `brute.c` in x.in");
    ran.says("`sol.c`, `brute.c` and `third.c` agree; `other.c` differs");
    assert_eq!(fs_err::read_to_string(project.path("x.in")).unwrap(), "1\n5\n");
    let project = project.file("sol.c", sum("3 * (a[0] == 5)"));
    project.run(&args).code(1).says("`brute.c` and `third.c` agree; `sol.c` and `other.c` differ");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn the_brute_force_is_blamed_for_its_own_failures() {
    let crashes = "n < 5 ? 1 : (__builtin_trap(), 0)";
    let project = project(crashes).file("brute.c", sum(crashes));
    project.run(&generated(&["gen.c"])).code(2).complains("`brute.c`, which provides the answers, failed");
    // The search waits at least 10 s for a program without end, so memory is what the program uses up here.
    let fills = "for (int i = 0; i < n - 1 << 14; i++) kept = memset(malloc(1 << 20), 1, 1 << 20);\n    printf";
    let large = format!(
        "#include <stdlib.h>\n#include <string.h>\nchar *volatile kept;\n{}",
        sum("0").replace("printf", fills)
    );
    // The lists grow, so the program that needs too much memory is run on one of them only.
    let grows = "import sys\nn = int(sys.argv[1])\nprint(n)\nprint(*range(1, n + 1))\n";
    let project = project.file("sol.c", sum("0")).file("brute.c", large).file("grows.py", grows);
    let args = generated(&["grows.py", "--count", "6", "--time", "100ms", "--jobs", "1"]);
    let ran = project.run(&args).code(0).silent();
    ran.says("`brute.c` exceeded its time or memory limit on an input of 6 B")
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
    project.run(&generated(&["gen.c", "--checker", "tokns"])).code(2).complains("did you mean `tokens`?");
    project.run(&generated(&["gen.c", "--input-spec", "n: 1..=2"])).code(2).complains("cannot be used with");
    project.run(&["stress", "gone", "sol.c", "--against", "brute.c"]).code(2).complains("unknown problem `gone`");
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
    let project = project("most > 40").file("gen.cpp", generator);
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
    let generator = "#include <stdio.h>\n#include <stdlib.h>\nint next(int most) { return 1 + rand() % most; }\n\
        int main(int argc, char *argv[]) {\n    srand(atoi(argv[1]));\n    \
        int t = next(5);\n    printf(\"%d\\n\", t);\n    \
        while (t--) {\n        int n = next(4), m = next(4);\n        printf(\"%d %d\\n\", n, m);\n        \
        for (int i = 1; i <= n * m; i++) printf(\"%d%c\", next(60), i % m ? ' ' : '\\n');\n    }\n}\n";
    let program = |wrong: &str| {
        format!(
            "#include <stdio.h>\nint main(void) {{\n    int t, n, m, x;\n    \
             if (scanf(\"%d\", &t) != 1) return 1;\n    \
             while (t--) {{\n        int first = 0, most = 0;\n        \
             if (scanf(\"%d%d\", &n, &m) != 2 || n < 1 || m < 1) return 1;\n        \
             for (int i = 0; i < n * m; i++) {{\n            if (scanf(\"%d\", &x) != 1) return 1;\n            \
             if (i == 0) first = x;\n            if (x > most) most = x;\n        }}\n        \
             printf(\"%d\\n\", most + ({wrong}));\n    }}\n}}\n"
        )
    };
    let project = project("0").file("gen.c", generator).file("brute.c", program("0"));
    let project = project.file("sol.c", program("first > 50"));
    project.run(&generated(&["gen.c", "--out", "x.in"])).code(1).silent().says("no single line or value");
    assert_eq!(fs_err::read_to_string(project.path("x.in")).unwrap(), "1\n1 1\n51\n");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_checker_and_a_validator_decide() {
    let mean = |format: &str| sum("0").replace("%d\\n\", sum + (0)", &format!("{format}\\n\", (double)sum / n"));
    let checked = "#include <math.h>\n#include <stdio.h>\nint main(int argc, char *argv[]) {\n    \
        double out, answer;\n    \
        fscanf(fopen(argv[2], \"r\"), \"%lf\", &out);\n    fscanf(fopen(argv[3], \"r\"), \"%lf\", &answer);\n    \
        return fabs(out - answer) > 1;\n}\n";
    let project = project("0")
        .file("sol.c", mean("%.3f"))
        .file("brute.c", mean("%.9f"))
        .file("check.c", checked)
        .file("even.c", "#include <stdio.h>\nint main(void) { int n; scanf(\"%d\", &n); return n % 2; }\n");
    project.run(&generated(&["gen.c", "--count", "40"])).code(1).silent();
    project.run(&generated(&["gen.c", "--count", "40", "--checker", "float:1e-2"])).code(0).silent();
    project.run(&generated(&["gen.c", "--count", "40", "--checker", "check.c"])).code(0).silent();
    let project = project.file("sol.c", sum("a[0] > 20")).file("brute.c", sum("0"));
    let even =
        ["stress", ".", "sol.c", "--against", "brute.c", "--out", "x.in", "--validator", "even.c", "--input-spec"];
    project.run(&[&even[..], &["n: 1..=12; a[n]: 1..=50"]].concat()).code(1).silent();
    assert_eq!(fs_err::read_to_string(project.path("x.in")).unwrap(), "2\n21 1\n");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn an_interrupted_search_with_own_programs_reports_its_progress() {
    let project = project("0");
    project.run(&generated(&["gen.c", "--count", "1"])).code(0);
    let child = project.start(&generated(&["gen.c", "--seconds", "100"]));
    std::thread::sleep(Duration::from_secs(3));
    child.interrupt();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("stopped after"), "{output:?}");
}
