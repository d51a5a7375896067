//! Tests of interactive problems: programs and interactors in both protocols, and the failures of each.

use crate::project::{Project, Ran, at_once, verdicts};

mod recorded;

const SPEC: &str = "\
name: Guess
limits: { time: 1s, wall: 2s, memory: 256MiB, output: 1MiB }
input:
  - secret: 1..=1000
interactor: INTERACTOR
tests:
  sample:
    - input: \"700\\n\"
  more: { count: 2 }
";

/// An interactor that allows ten guesses and answers `less`, `more` or `right`.
const KIT: &str = "\
use nimatron_kit::*;
fn main() -> std::process::ExitCode {
    interactor(|talk| {
        let secret: i64 = talk.input.int(1..=1000)?;
        talk.say(1000)?;
        for guess in 1..=10 {
            let heard = talk.heard.int(1..=1000)?;
            if heard == secret {
                talk.say(\"right\")?;
                return accept(format!(\"{guess} guesses\"));
            }
            talk.say(if secret < heard { \"less\" } else { \"more\" })?;
        }
        wrong(\"ten guesses and not found\")
    })
}
";

/// The same interactor with testlib's exit codes and streams; it writes the number of guesses to the output file.
const CPP: &str = r#"
#include <fstream>
#include <iostream>
#include <string>
int main(int argc, char** argv) {
    if (argc != 4) return 3;
    std::ifstream input(argv[1]);
    std::ofstream output(argv[2]);
    long secret = 0;
    input >> secret;
    std::cout << 1000 << std::endl;
    for (int guess = 1; guess <= 10; guess++) {
        long heard;
        if (!(std::cin >> heard)) { std::cerr << "wrong output format Unexpected end of file"; return 2; }
        if (heard == secret) {
            std::cout << "right" << std::endl;
            output << guess << "\n";
            std::cerr << "ok found";
            return 0;
        }
        std::cout << (secret < heard ? "less" : "more") << std::endl;
    }
    std::cerr << "wrong answer ten guesses and not found";
    return 1;
}
"#;

/// The same interactor in Python with the protocol of ICPC packages.
const PYTHON: &str = "\
import sys
secret = int(open(sys.argv[1]).read())
def end(code, said):
    open(sys.argv[3] + 'judgemessage.txt', 'w').write(said)
    sys.exit(code)
print(1000, flush=True)
for guess in range(10):
    line = sys.stdin.readline()
    if not line.strip().isdigit():
        end(43, 'no number')
    heard = int(line)
    if heard == secret:
        print('right', flush=True)
        end(42, 'found')
    print('less' if secret < heard else 'more', flush=True)
end(43, 'ten guesses and not found')
";

/// A program that searches by bisection; `LAST` is executed when the secret is found.
const GOOD: &str = "\
use std::io::{BufRead, Write};
fn main() {
    let mut lines = std::io::stdin().lock().lines();
    let mut high: i64 = lines.next().unwrap().unwrap().parse().unwrap();
    let mut low = 1;
    loop {
        let guess = (low + high) / 2;
        println!(\"{guess}\");
        std::io::stdout().flush().unwrap();
        match lines.next().unwrap().unwrap().as_str() {
            \"less\" => high = guess - 1,
            \"more\" => low = guess + 1,
            _ => break,
        }
    }
    LAST
}
";

fn good(last: &str) -> String {
    GOOD.replace("LAST", last)
}

fn project(interactor: &str, file: &str, text: &str) -> Project {
    Project::new()
        .file("problems/guess/problem.yaml", SPEC.replace("INTERACTOR", interactor))
        .file("problems/guess/statement.md", "Guess.\n")
        .file(&format!("problems/guess/programs/{file}"), text)
        .file("solutions/guess/accepted/reference.rs", good(""))
}

/// Like [`project`], with a short time limit, for programs that use all of it.
fn project_with_little_time(interactor: &str, file: &str, text: &str) -> Project {
    let spec = SPEC.replace("INTERACTOR", interactor).replace("time: 1s", "time: 200ms");
    project(interactor, file, text).file("problems/guess/problem.yaml", spec)
}

fn judge(project: Project, program: &str) -> Ran {
    project.file("a.rs", program).run(&["run", "guess", "a.rs", "--json", "--case", "sample/001"])
}

/// Returns the verdict on the sample, and its message or fault.
fn judged(project: Project, program: &str) -> (String, String) {
    judge(project, program).case_result()
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn every_exit_of_a_program_has_its_verdict_with_every_interactor() {
    let flood = "let b = \"1\\n\".repeat(1 << 16); loop { if std::io::Write::write_all(&mut std::io::stdout(), b.as_bytes()).is_err() { return } }";
    let interactors = [
        ("guess.rs", "guess.rs", KIT),
        ("{ program: guess.cpp, protocol: testlib }", "guess.cpp", CPP),
        ("{ program: guess.py }", "guess.py", PYTHON),
    ];
    at_once(interactors, |(spelling, file, text)| {
        for (program, verdicts) in [
            (good(""), &["AC"][..]),
            (good("std::process::exit(1)"), &["RTE"]),
            (good("loop { std::thread::sleep(std::time::Duration::from_secs(9)) }"), &["ILE"]),
            (good("let mut x = 1u64; loop { x = std::hint::black_box(x.wrapping_mul(3)); }"), &["TLE"]),
            // If the guesses are wrong, the verdict is a wrong answer even if the program then reads the end of the
            // input and crashes.
            (good("").replace("(low + high) / 2", "low"), &["WA"]),
            (good("").replace("println!(\"{guess}\")", "println!(\"none\")"), &["WA", "PE"]),
            ("fn main() {}".to_owned(), &["WA", "PE"]),
            ("fn main() { panic!(\"no\") }".to_owned(), &["RTE"]),
            ("fn main() { std::thread::sleep(std::time::Duration::from_secs(9)) }".to_owned(), &["ILE"]),
            (format!("fn main() {{ {flood} }}"), &["WA", "OLE"]),
        ] {
            let (verdict, message) = judged(project_with_little_time(spelling, file, text), &program);
            assert!(verdicts.contains(&verdict.as_str()), "{file}: {verdict} ({message}) for {program}");
        }
        let (_, message) = judged(project(spelling, file, text), &good("").replace("(low + high) / 2", "low"));
        assert!(message.contains("ten guesses and not found"), "{message}");
        let (_, message) = judged(project(spelling, file, text), "fn main() {}");
        assert!(message.contains("the program ended first"), "{message}");
    });
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_program_that_was_rejected_is_stopped_and_its_later_limits_do_not_count() {
    let endless = "let mut x = 1u64; loop { x = std::hint::black_box(x.wrapping_mul(3)); }";
    let project = || project("{ program: guess.py }", "guess.py", PYTHON);
    let ran = judge(project(), &format!("fn main() {{ println!(\"none\"); {endless} }}"));
    let case = ran.json().into_iter().find(|line| line["event"] == "case_finished").unwrap();
    assert_eq!(case["verdict"], "WA", "{ran:#?}");
    assert!(case["cpu_ms"].as_f64().unwrap() < 900.0, "without a stop it uses twice its limit of 1 s: {ran:#?}");
    // The interactor rejects the program because it closed its output, so the program's own end counts.
    let closes = "use std::os::fd::FromRawFd;\nfn main() { drop(unsafe { std::fs::File::from_raw_fd(1) }); ENDLESS }";
    let project = project_with_little_time("{ program: guess.py }", "guess.py", PYTHON);
    let (verdict, message) = judged(project, &closes.replace("ENDLESS", endless));
    assert_eq!(verdict, "TLE", "{message}");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_program_that_waits_gets_a_hint() {
    let project = || project("{ program: guess.py }", "guess.py", PYTHON);
    // The guess stays in the buffer while the program waits for a reply.
    let buffered = "use std::io::Write;\nfn main() {\n    let mut line = String::new();\n    \
        std::io::stdin().read_line(&mut line).unwrap();\n    \
        let mut out = std::io::BufWriter::new(std::io::stdout());\n    writeln!(out, \"500\").unwrap();\n    \
        std::io::stdin().read_line(&mut line).unwrap();\n}\n";
    let unfinished =
        buffered.replace("writeln!(out, \"500\").unwrap();", "write!(out, \"500\").unwrap(); out.flush().unwrap();");
    let programs = [(buffered, "must flush its output before"), (&unfinished, "must end with a line break")];
    at_once(programs, |(program, hint)| {
        let (verdict, message) = judged(project(), program);
        assert_eq!((verdict.as_str(), message.contains(hint)), ("ILE", true), "{message}");
    });
}

#[test]
fn verify_names_the_case_of_a_failing_interactor() {
    let text = "import sys\nif open(sys.argv[1]).read() != '700\\n': raise ValueError('oh no')\n\
                print(1000, flush=True)\ninput()\nsys.exit(42)\n";
    let ran = project("{ program: i.py }", "i.py", text)
        .file("solutions/guess/wrong_answer/none.py", "print()\n")
        .run(&["verify", "guess"]);
    assert_eq!(ran.code, 3, "{ran:#?}");
    ran.complains("accepted/reference.rs: more/").complains("oh no");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_failing_interactor_is_a_judge_error() {
    let limits = "limits: { time: 300ms, wall: 1s, memory: 64MiB, output: 100kB }";
    let interactors = [
        ("import sys; sys.exit(0)", "exit code 0"),
        ("raise ValueError('oh no')", "oh no"),
        ("print(1000, flush=True); input(); raise ValueError('oh no')", "oh no"),
        ("print(1000, flush=True)\nwhile True: pass", "time limit"),
        ("import time; time.sleep(60)", "idle limit"),
        ("print(1000, flush=True); input(); import time; time.sleep(60)", "idle limit"),
        ("while True: print('more', flush=True)", ""),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "SIGKILL"),
    ];
    at_once(interactors, |(text, said)| {
        let spelling = format!("{{ program: i.py, {limits} }}");
        let ran = judge(
            project(&spelling, "i.py", text),
            &good("")
                .replace(".unwrap().unwrap()", ".unwrap_or(Ok(String::new())).unwrap()")
                .replace(".parse().unwrap()", ".parse().unwrap_or(9)"),
        );
        let last = ran.last_json();
        assert_eq!((ran.code, last["verdict"].as_str()), (3, Some("JE")), "{text}: {ran:#?}");
        let message = last["faults"][0]["message"].as_str().unwrap();
        assert!(message.contains(said) && message.contains("i.py"), "{text}: {message}");
    });
}

#[test]
fn the_checker_checks_the_output_of_the_interactor() {
    let checker = "import sys\nguesses, answer = [int(open(name).read()) for name in sys.argv[2:4]]\n\
                   sys.exit(0 if guesses <= answer else 1)\n";
    let spelling = "{ program: guess.cpp, protocol: testlib }\nchecker: { program: c.py, protocol: testlib }";
    let spec = SPEC.replace("INTERACTOR", spelling);
    let project = || {
        project("guess.cpp", "guess.cpp", CPP)
            .file("problems/guess/problem.yaml", &spec)
            .file("problems/guess/programs/c.py", checker)
    };
    assert_eq!(judged(project(), &good("")).0, "AC");
    // The program makes exactly as many guesses as the reference needs.
    let slower = good("").replace("let mut low = 1;", "let mut low = 1; println!(\"1\"); lines.next();");
    assert_eq!(judged(project(), &slower).0, "WA");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn blocked_and_large_dialogues_end() {
    // Both write a megabyte before they read, which is more than a pipe holds.
    let shouting = "\
import sys
sys.stdout.write('x' * (1 << 20) + '\\n')
sys.stdout.flush()
line = sys.stdin.readline()
sys.exit(42 if len(line) == (1 << 19) + 1 else 43)
";
    let program = "use std::io::{BufRead, Write};\nfn main() { let mut out = std::io::stdout(); \
                   out.write_all(&vec![b'y'; 1 << 19]).unwrap(); out.write_all(b\"\\n\").unwrap(); out.flush().unwrap(); \
                   let mut line = String::new(); std::io::stdin().lock().read_line(&mut line).unwrap(); \
                   assert_eq!(line.len(), (1 << 20) + 1) }";
    let (verdict, message) = judged(project("i.py", "i.py", shouting), program);
    // Neither side reads while it writes, so the writes block when the buffers are full, and the program is stopped.
    assert_eq!(verdict, "ILE", "{message}");
    let listening = program.replace(
        "out.write_all(&vec",
        "let mut line = String::new(); std::io::stdin().lock().read_line(&mut line).unwrap(); out.write_all(&vec",
    );
    let listening = listening.replacen(
        "let mut line = String::new(); std::io::stdin().lock().read_line(&mut line).unwrap(); assert",
        "assert",
        1,
    );
    assert_eq!(judged(project("i.py", "i.py", shouting), &listening).0, "AC");
}

#[test]
fn the_transcript_shows_both_sides() {
    let project = project("guess.rs", "guess.rs", KIT).file("a.rs", good("")).file("b.rs", "fn main() {}");
    let ran = project.run(&["run", "guess", "a.rs", "--case", "sample", "--transcript"]).code(0).silent();
    for line in [
        "interactor    1000",
        "program       500",
        "interactor    more",
        "program       700",
        "interactor    right",
        "(ended)",
    ] {
        assert!(ran.stdout.contains(line), "{line}: {}", ran.stdout);
    }
    project.run(&["run", "guess", "a.rs"]).code(0).says("AC");
    project
        .run(&["run", "guess", "b.rs"])
        .code(1)
        .says("dialogue")
        .says("interactor    1000")
        .says("(the program ended");
}

#[test]
fn ones_own_interactor_replaces_the_reference_on_an_input() {
    let project = Project::with_sum()
        .file("solutions/sum/accepted/reference.rs", "fn main() { std::process::exit(3) }\n")
        .file(
            "judge.py",
            "import sys\nnumbers = open(sys.argv[1]).read().split()\nsys.exit(int(input()) != int(numbers[1]))\n",
        )
        .file("right.py", "print(-7)\n")
        .file("my.txt", "1\n-7\n");
    let args = ["run", "sum", "right.py", "--input", "my.txt"];
    project.run(&args).code(2).complains("failed on my.txt: exit code 3");
    let ran = project.run(&[&args[..], &["--interactor", "judge.py", "--json"]].concat());
    let output = ran.json().into_iter().find(|line| line["event"] == "program_output");
    assert!(output.is_none_or(|output| output["checked"] == true), "{ran:#?}");
    assert_eq!(verdicts(&ran.code(0)), ["AC"]);
}

#[test]
fn several_passes_with_an_interactor() {
    // In the second pass the secret is greater by one.
    let twice = "\
import os, sys
secret = int(open(sys.argv[1]).read())
print(1000, flush=True)
while True:
    heard = int(sys.stdin.readline())
    if heard == secret:
        break
    print('less' if secret < heard else 'more', flush=True)
print('right', flush=True)
mark = sys.argv[3] + 'mark'
if not os.path.exists(mark):
    open(mark, 'w').write('x')
    open(sys.argv[3] + 'nextpass.in', 'w').write('%d\\n' % (secret + 1))
sys.exit(42)
";
    let project = project("i.py\npasses: 2", "i.py", twice).file("a.rs", good(""));
    project.run(&["run", "guess", "a.rs", "--case", "sample"]).code(0).says("AC").silent();
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn stress_finds_and_minimizes_inputs_of_interactive_problems() {
    let project = project("guess.rs", "guess.rs", KIT)
        .file("low.rs", good("").replace("(low + high) / 2", "(low + high) / 2 - i64::from(low > 600)"))
        .file("right.rs", good(""));
    let ran = project.run(&["stress", "guess", "low.rs", "--seconds", "60"]).code(1);
    ran.says("minimal").says("nimatron run guess low.rs --input guess-fail.in");
    let found: i64 = fs_err::read_to_string(project.path("guess-fail.in")).unwrap().trim().parse().unwrap();
    assert!((600..=1000).contains(&found), "{found}");
    project.run(&["run", "guess", "low.rs", "--input", "guess-fail.in"]).code(1);
    project.run(&["stress", "guess", "right.rs", "--count", "50"]).code(0).silent();
    project.run(&["stress", "guess", "low.rs", "--against", "right.rs"]).code(2).complains("is interactive");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn verify_judges_the_solutions_of_an_interactive_problem() {
    let statement = "# Guess\n\n## Sample\n";
    let project = project("guess.rs", "guess.rs", KIT)
        .file("problems/guess/statement.md", statement)
        .file("solutions/guess/wrong_answer/low.rs", good("").replace("(low + high) / 2", "low"))
        .file(
            "solutions/guess/time_limit_exceeded/silent.rs",
            "fn main() { std::thread::sleep(std::time::Duration::from_secs(9)) }",
        );
    let ran = project.run(&["verify", "guess", "--json"]);
    let checks: Vec<(String, String)> = ran
        .json()
        .iter()
        .filter(|line| line["check"].as_str().is_some_and(|check| check.ends_with(".rs")))
        .map(|line| (line["check"].as_str().unwrap().to_owned(), line["status"].as_str().unwrap().to_owned()))
        .collect();
    assert!(checks.len() >= 3 && checks.iter().all(|(_, status)| status == "pass"), "{checks:?} {ran:#?}");
}
