//! Tests of problems with checker and validator programs: both protocols, several languages, and programs that fail.

use crate::project::Project;

/// A problem that asks for two numbers with a given sum and therefore has many right answers.
const SPEC: &str = "\
name: Two numbers
limits: { time: 2s, memory: 256MiB, output: 1MiB }
input:
  - n: 2..=100
checker: CHECKER
tests:
  sample:
    - { input: \"5\\n\", answer: \"2 3\\n\" }
  more: { count: 3, with: { n: 10..=100 } }
";

const REFERENCE: &str = "\
fn main() {
    let mut text = String::new();
    std::io::stdin().read_line(&mut text).unwrap();
    let n: i64 = text.trim().parse().unwrap();
    println!(\"1 {}\", n - 1);
}
";

/// A checker that uses the kit. It gives half of the points for a right sum with a zero.
const KIT: &str = "\
use nimatron_kit::*;
fn main() -> std::process::ExitCode {
    checker(|case| {
        let n: i64 = case.input.int(2..=100)?;
        let pair = case.output.ints(2, 0..=n)?;
        case.output.end()?;
        if pair[0] + pair[1] != n {
            return wrong(format!(\"{} and {} make {}\", pair[0], pair[1], pair[0] + pair[1]));
        }
        if pair.contains(&0) {
            return partial(0.5, \"one of them is nothing\");
        }
        accept(\"a right pair\")
    })
}
";

/// The same checker in C++, with testlib's exit codes and streams but without its header.
const CPP: &str = r#"
#include "readers.h"
int main(int argc, char** argv) {
    if (argc != 4) { std::cerr << "FAIL three arguments\n"; return 3; }
    std::ifstream input(argv[1]), output(argv[2]), answer(argv[3]);
    long n = number(input), a, b, right;
    if (!(answer >> right)) { std::cerr << "FAIL no answer\n"; return 3; }
    if (!(output >> a >> b)) { std::cerr << "wrong output format two numbers are expected\n"; return 2; }
    std::string more;
    if (output >> more) { std::cerr << "wrong output format Extra information in the output file\n"; return 4; }
    if (a + b != n) { std::cerr << "wrong answer the sum is " << a + b << "\n"; return 1; }
    if (a == 0 || b == 0) { std::cerr << "points 0.5 one of them is nothing\n"; return 7; }
    std::cerr << "ok\n";
    return 0;
}
"#;

const CPP_HEADER: &str = "\
#include <fstream>
#include <iostream>
#include <string>
inline long number(std::istream& from) { long n = 0; from >> n; return n; }
";

/// The same checker in Python, with the protocol of ICPC packages.
const PYTHON: &str = "\
import sys
n = int(open(sys.argv[1]).read())
open(sys.argv[2]).read()
def end(code, said, name='judgemessage.txt'):
    with open(sys.argv[3] + name, 'w') as file:
        file.write(said)
    if code:
        sys.exit(code)
try:
    pair = [int(word) for word in sys.stdin.read().split()]
except ValueError:
    end(43, 'no numbers')
if len(pair) != 2 or sum(pair) != n or min(pair) < 0:
    end(43, 'the sum is %d' % sum(pair))
if 0 in pair:
    end(0, '0.5', 'score_multiplier.txt')
    end(42, 'one of them is nothing')
end(42, 'a right pair')
";

fn project(checker: &str, file: &str, text: &str) -> Project {
    Project::new()
        .file("problems/pair/problem.yaml", SPEC.replace("CHECKER", checker))
        .file("problems/pair/statement.md", "Print two numbers.\n")
        .file(&format!("problems/pair/programs/{file}"), text)
        .file("solutions/pair/accepted/reference.rs", REFERENCE)
}

/// Returns the verdict and the credit on the sample, or the fault.
fn judged(project: Project, program: &str) -> (String, f64, String) {
    let ran = project.file("a.rs", program).run(&["run", "pair", "a.rs", "--json", "--case", "sample/001"]);
    let (verdict, message) = ran.case_result();
    (verdict, ran.case_json()["credit"].as_f64().unwrap_or(-1.0), message)
}

fn printing(text: &str) -> String {
    format!("fn main() {{ print!({text:?}); }}")
}

/// Asserts that all three checkers give the same verdicts.
fn agree(checker: &str, file: &str, text: &str) {
    let project = || project(checker, file, text).file("problems/pair/programs/readers.h", CPP_HEADER);
    let malformed = if file.ends_with(".py") { "WA" } else { "PE" };
    for (output, verdict, credit) in [
        ("2 3\n", "AC", 1.0),
        ("4\n 1", "AC", 1.0),
        ("2 2\n", "WA", 0.0),
        ("5 0\n", "PT", 0.5),
        ("two three\n", if file.ends_with(".rs") { "WA" } else { malformed }, 0.0),
        ("", if file.ends_with(".rs") { "WA" } else { malformed }, 0.0),
    ] {
        let (found, share, message) = judged(project(), &printing(output));
        assert_eq!((found.as_str(), share), (verdict, credit), "{output:?}: {message}");
    }
    let (_, _, message) = judged(project(), &printing("2 2\n"));
    assert!(message.contains('4'), "{message}");
    // Generating the data also runs the checker on the output of the reference solution.
    project().file("a.rs", REFERENCE).run(&["run", "pair", "a.rs"]).code(0).says("AC").silent();
    // The checker is not run for a program that crashes.
    assert_eq!(judged(project(), "fn main() { println!(\"2 3\"); std::process::exit(1) }").0, "RTE");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_checker_in_the_kit() {
    agree("{ program: check.rs }", "check.rs", KIT);
    // The kit detects the protocol.
    let (verdict, credit, message) =
        judged(project("{ program: c.rs, protocol: testlib }", "c.rs", KIT), &printing("x 5"));
    assert_eq!((verdict.as_str(), credit), ("PE", 0.0));
    assert_eq!(message, "wrong output format line 1, column 1: expected an integer from 0 to 5, found `x`");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_checker_with_testlibs_exit_codes() {
    agree("{ program: check.cpp, protocol: testlib }", "check.cpp", CPP);
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_checker_of_an_icpc_package() {
    agree("{ program: check.py, protocol: icpc }", "check.py", PYTHON);
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_failing_checker_is_a_judge_error() {
    let limits = "limits: { time: 300ms, wall: 1s, memory: 64MiB, output: 1MiB }";
    for (protocol, text, said) in [
        ("icpc", "import sys; sys.exit(0)", "exit code 0"),
        ("icpc", "raise ValueError('oh no')", "oh no"),
        ("icpc", "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "SIGSEGV"),
        ("icpc", "while True: pass", "time limit"),
        ("icpc", "import time; time.sleep(60)", "idle limit"),
        ("icpc", "x = [0] * (1 << 28)", ""),
        ("icpc", "import sys\nwhile True: sys.stdout.write('x' * 65536)", "output limit"),
        ("icpc", "import sys; open(sys.argv[1], 'w')", ""),
        ("icpc", "import sys; open(sys.argv[3] + 'score.txt', 'w').write('7'); sys.exit(42)", "score.txt"),
        ("icpc", "import sys; open(sys.argv[3] + 'nextpass.in', 'w').write('7'); sys.exit(42)", "another pass"),
        (
            "testlib",
            "import sys; print('FAIL the answer is wrong', file=sys.stderr); sys.exit(3)",
            "the answer is wrong",
        ),
        ("testlib", "import sys; sys.exit(7)", "did not write `points NUMBER`"),
    ] {
        let checker = format!("{{ program: check.py, protocol: {protocol}, {limits} }}");
        let project = project(&checker, "check.py", text).file("a.rs", REFERENCE);
        // The checker runs on a sample's answer when the data is generated; generated cases have no such answer.
        let spec = SPEC.replace("CHECKER", &checker).replace(", answer: \"2 3\\n\"", "");
        let ran = project
            .file("problems/pair/problem.yaml", spec)
            .run(&["run", "pair", "a.rs", "--json", "--case", "sample"]);
        let last = ran.last_json();
        assert_eq!((ran.code, last["verdict"].as_str()), (3, Some("JE")), "{text}: {ran:#?}");
        let message = last["faults"][0]["message"].as_str().unwrap();
        assert!(message.contains(said) && message.contains("check.py"), "{text}: {message}");
        assert_eq!(last["faults"][0]["kind"], "checker", "{message}");
    }
}

#[test]
fn an_output_cannot_imitate_a_checker_verdict() {
    let forged = "\
use std::io::Write;
fn main() {
    for name in [\"score.txt\", \"judgemessage.txt\", \"nextpass.in\", \"output\", \"answer\"] {
        let _ = std::fs::write(name, \"1\");
    }
    eprintln!(\"ok accepted\\npoints 1\");
    std::io::stdout().write_all(b\"ok\\x1b[2J 42\\n\").unwrap();
}
";
    let (verdict, credit, message) = judged(project("{ program: check.rs }", "check.rs", KIT), forged);
    assert_eq!((verdict.as_str(), credit), ("WA", 0.0));
    assert!(message.contains("expected an integer"), "{message}");
    let text = project("{ program: check.rs }", "check.rs", KIT).file("a.rs", forged).run(&["run", "pair", "a.rs"]);
    assert!(text.stdout.contains("expected an integer") && !text.stdout.contains('\u{1b}'), "{text:#?}");
}

#[test]
fn points_become_credit_and_score() {
    let spec = SPEC
        .replace("CHECKER", "{ program: check.cpp, protocol: testlib, points: 40 }")
        .replace("with: { n: 10..=100 } }", "with: { n: 10..=100 }, points: 60 }");
    let project = project("tokens", "check.cpp", &CPP.replace("points 0.5", "points 10"))
        .file("problems/pair/problem.yaml", spec)
        .file("problems/pair/programs/readers.h", CPP_HEADER)
        .file("a.rs", REFERENCE.replace("1 {}\", n - 1", "0 {}\", n"));
    let last = project.run(&["run", "pair", "a.rs", "--json"]).code(1).last_json();
    assert_eq!((last["verdict"].as_str(), last["score"].as_str()), (Some("PT"), Some("15")));
}

#[test]
fn several_passes() {
    // Each pass halves the number; the checker counts the passes in a file.
    let checker = "\
import os, sys
count = sys.argv[3] + 'count'
passes = int(open(count).read()) if os.path.exists(count) else 0
n, out = int(open(sys.argv[1]).read()), int(sys.stdin.read())
if out != n // 2:
    sys.exit(43)
open(count, 'w').write(str(passes + 1))
if out > 1:
    open(sys.argv[3] + 'nextpass.in', 'w').write('%d\\n' % out)
sys.exit(42)
";
    let spec = "\
name: Half
input:
  - n: 2..=100
checker: { program: check.py }
passes: 6
tests:
  sample:
    - input: \"40\\n\"
";
    let half = "fn main() { let mut t = String::new(); std::io::stdin().read_line(&mut t).unwrap(); \
                println!(\"{}\", t.trim().parse::<u32>().unwrap() / 2); }";
    let late = half.replace("/ 2)", "/ 2 + u32::from(t.trim() == \"5\"))");
    let project = Project::new()
        .file("problems/half/problem.yaml", spec)
        .file("problems/half/programs/check.py", checker)
        .file("solutions/half/accepted/reference.rs", half)
        .file("a.rs", half)
        .file("b.rs", late);
    project.run(&["run", "half", "a.rs"]).code(0).says("AC").silent();
    project.run(&["run", "half", "b.rs"]).code(1).says("WA").silent();
    let project = project.file("problems/half/problem.yaml", spec.replace("passes: 6", "passes: 3"));
    project.run(&["run", "half", "a.rs"]).code(3).says("requests another pass, but the maximum number of passes is 3");
}

/// A validator that requires even numbers, in each language.
const VALIDATORS: [(&str, &str, &str); 3] = [
    (
        "even.rs",
        "{ program: even.rs }",
        "use nimatron_kit::*;\nfn main() -> std::process::ExitCode { validator(|input, _| { let n: u32 = input.int(2..=100)?; \
         if n % 2 == 1 { return Err(input.complaint(\"odd\")) } input.newline()?; input.end() }) }",
    ),
    (
        "even.py",
        "even.py",
        "import sys\nn = int(input())\nif n % 2: sys.stderr.write('odd'); sys.exit(43)\nsys.exit(42)\n",
    ),
    (
        "even.cpp",
        "{ program: even.cpp, protocol: testlib }",
        "#include <iostream>\nint main() { int n; std::cin >> n; if (n % 2) { std::cerr << \"FAIL odd\"; return 3; } }",
    ),
];

#[test]
fn validators_check_every_input() {
    for (file, spelling, text) in VALIDATORS {
        let spec = SPEC.replace("CHECKER", "tokens").replace(", answer: \"2 3\\n\"", "");
        let spec = spec.replace("tests:", &format!("validator: {spelling}\ntests:"));
        let with = |input: &str, more: &str| {
            let spec = spec.replace("\"5\\n\"", input).replace("count: 3, with: { n: 10..=100 }", more);
            let project = project("tokens", file, text).file("problems/pair/problem.yaml", spec);
            project.run(&["generate", "pair"])
        };
        with("\"6\\n\"", "count: 1, with: { n: 8 }").code(0);
        with("\"6\\n\"", "count: 1, with: { n: 9 }").code(2).complains("odd").complains("more/001").complains(file);
        with("\"5\\n\"", "count: 1, with: { n: 8 }").code(2).complains("sample/001");
    }
}

#[test]
fn a_failing_validator_is_reported() {
    let spec = SPEC.replace("CHECKER", "tokens").replace("tests:", "validator: { program: v.py, args: a b }\ntests:");
    let fails = "import sys\nassert sys.argv[1:] == ['a', 'b']\nraise KeyError('lost')\n";
    let project = project("tokens", "v.py", fails).file("problems/pair/problem.yaml", spec);
    project.run(&["generate", "pair"]).code(2).complains("v.py ended with exit code 1").complains("lost");
}

#[test]
fn generators_in_three_languages_give_equal_data() {
    let recipe = |file: &str| format!("count: 2, program: {file}, args: \"n=20\"");
    let kit = "use nimatron_kit::*;\nfn main() -> std::process::ExitCode { generator(|args| { let n: u64 = args.get(\"n\")?; \
               Ok(format!(\"{}\\n\", n + args.get::<u64>(\"seed\")? % 50)) }) }";
    let python = "import sys\na = dict(w.split('=') for w in sys.argv[1:])\nprint(int(a['n']) + int(a['seed']) % 50)\n";
    let cpp = "#include \"args.hpp\"\nint main(int, char** a) { std::cout << number(a[1] + 2) + number(a[2] + 5) % 50 << \"\\n\"; }";
    let header = "#include <iostream>\n#include <cstdlib>\ninline unsigned long long number(const char* t) { return std::strtoull(t, 0, 10); }\n";
    let made: Vec<String> = [("g.rs", kit), ("g.py", python), ("g.cpp", cpp)]
        .map(|(file, text)| {
            let spec = SPEC.replace("CHECKER", "tokens").replace(", answer: \"2 3\\n\"", "");
            let spec = spec.replace("count: 3, with: { n: 10..=100 }", &recipe(file));
            let project = project("tokens", file, text).file("problems/pair/programs/args.hpp", header);
            let project = project.file("problems/pair/problem.yaml", spec);
            project.run(&["generate", "pair", "--out", "out"]).code(0);
            fs_err::read_to_string(project.path("out/more-001.in")).unwrap()
        })
        .into();
    assert!(made.iter().all(|text| *text == made[0]), "{made:?}");
}

#[test]
fn invalid_program_specs_are_reported_at_their_position() {
    for (checker, complaint) in [
        ("{ program: none.rs }", "program `none.rs` does not exist"),
        ("{ program: ../check.rs }", "expected the name of a file or folder in `programs/`"),
        ("{ program: check.rs, protocol: polygon }", "polygon"),
        ("{ program: check.rs, points: 0 }", "expected points from 1"),
        ("{ program: check.rs, limits: { time: 0s } }", "more than 0"),
        ("{ program: check.rs, shout: true }", "shout"),
        ("check.rs", "{ program: check.rs }"),
        ("tokens\npasses: 2", "several passes"),
        ("{ program: check.rs }\ninteractor: check.rs", "the problem cannot have a checker"),
        ("tokens\ninteractor: { program: check.rs, protocol: testlib }", "by a checker program"),
        ("{ program: check.rs }\nvalidator: { program: check.rs, points: 3 }", "cannot award points"),
    ] {
        let ran = project(checker, "check.rs", KIT).run(&["generate", "pair"]).code(2).complains(complaint);
        assert!(ran.stderr.contains("problem.yaml"), "{}", ran.stderr);
    }
    let broken =
        project("{ program: check.rs }", "check.rs", "fn main() { nimatron_kit::shout() }").file("a.rs", REFERENCE);
    broken.run(&["run", "pair", "a.rs"]).code(2).complains("check.rs does not compile").complains("shout");
}

#[test]
fn submissions_cannot_use_the_kit() {
    let project = project("{ program: check.rs }", "check.rs", KIT).file("a.rs", "use nimatron_kit::*; fn main() {}");
    project.run(&["run", "pair", "a.rs"]).code(1).says("CE").says("nimatron_kit");
}
