//! Tests of `nimatron verify`: each check passes on a correct problem and detects its error.

#![expect(clippy::panic, reason = "a test fails by panicking")]

use crate::project::{Project, Ran};

/// The spec of a small game with twenty positions in total.
const NIM: &str = "\
name: Small Nim
limits: { time: 1s, memory: 256MiB }
input:
  - n: 1..=2
  - a[n]: 0..=3
answer:
  - winner: [Yes, No]
game:
  position: { heaps: a }
  moves:
    - { take: any }
tests:
  sample:
    - { input: \"2\\n1 2\\n\", answer: \"Yes\\n\" }
  tiny: { every: { n: 1, a: 0..=3 } }
";

const NIM_STATEMENT: &str = "Nim with $n$ heaps, $1 \\le n \\le 2$, of sizes $0 \\le a_i \\le 3$.\n";

/// A correct program. It is in C, since the checks start it on many positions.
const NIM_C: &str = "\
#include <stdio.h>
int main(void) {
    int n, a, x = 0;
    scanf(\"%d\", &n);
    while (n-- && scanf(\"%d\", &a) == 1) x ^= a;
    puts(x ? \"Yes\" : \"No\");
}
";

const YES_C: &str = "#include <stdio.h>\nint main(void) { puts(\"Yes\"); }\n";

fn nim(spec: &str, reference: &str) -> Project {
    Project::new()
        .file("problems/nim/problem.yaml", spec)
        .file("problems/nim/statement.md", NIM_STATEMENT)
        .file("solutions/nim/accepted/reference.c", reference)
}

/// Returns the JSON line of this check.
#[track_caller]
fn check(ran: &Ran, name: &str) -> serde_json::Value {
    let found = ran.json().into_iter().find(|line| line["check"] == name);
    found.unwrap_or_else(|| panic!("no check {name}: {ran:#?}"))
}

#[test]
fn a_correct_reference_is_proved_on_every_position() {
    let ran = nim(NIM, NIM_C).run(&["verify", "nim", "--json"]).code(0);
    let oracle = check(&ran, "oracle");
    assert_eq!((oracle["status"].as_str(), oracle["positions"].as_u64()), (Some("pass"), Some(20)), "{oracle}");
    assert!(oracle["detail"].as_str().is_some_and(|detail| detail.contains("n ≤ 2, a ≤ 3")), "{oracle}");
}

#[test]
fn positions_on_which_the_reference_takes_long_or_fails_are_compared() {
    let reference = |extra: &str| {
        let program = NIM_C.replace("int main", "#include <unistd.h>\nint main");
        nim(NIM, &program.replace("    puts(", &format!("    {extra}\n    puts(")))
    };
    // A run that takes 20 ms ends the queue of runs.
    let ran = reference("if (x == 2) usleep(20000);").run(&["verify", "nim", "--json"]).code(0);
    assert_eq!(check(&ran, "oracle")["positions"], 20);
    let detail = |extra: &str| {
        let ran = reference(extra).run(&["verify", "nim", "--json"]).code(1);
        check(&ran, "oracle")["detail"].as_str().unwrap_or_default().to_owned()
    };
    let failed = detail("if (x == 1 && a == 3) return 5;");
    assert!(failed.contains("failed on the input \"2\\n2 3\": exit code 5"), "{failed}");
    // The first position on which the reference is wrong is reported, and not a later one on which it fails.
    let wrong = detail("if (x == 0 && a == 1) x = 1; if (x == 1 && a == 3) return 5;");
    assert!(wrong.contains("    1 1\n") && wrong.contains("none of the 2 moves wins"), "{wrong}");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn the_wanted_number_of_positions_determines_the_bound() {
    let project = nim(NIM, NIM_C);
    for (wanted, compared) in [("1000", 20), ("5", 6), ("20", 20)] {
        let ran = project.run(&["verify", "nim", "--json", "--positions", wanted]).code(0);
        let oracle = check(&ran, "oracle");
        assert_eq!(oracle["positions"], compared, "{wanted} positions: {oracle}");
    }
    for wrong in ["0", "100001", "many"] {
        project.run(&["verify", "nim", "--positions", wrong]).code(2).complains("--positions");
    }
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn results_that_met_the_expectations_are_not_judged_again() {
    // The tests do not find the first wrong solution.
    let parity = NIM_C.replace("x ^= a", "x += a");
    let files = [("parity", parity.as_str()), ("always", YES_C)];
    let [oracle, reference] = ["oracle", "accepted/reference.c"];
    let [found, missed] = ["wrong_answer/always.c", "wrong_answer/parity.c"];
    let all = [oracle, reference, found, missed];
    let add = |project: Project, (name, text): (&str, &str)| {
        project.file(&format!("solutions/nim/wrong_answer/{name}.c"), text)
    };
    let project = files.into_iter().fold(nim(NIM, NIM_C), add);
    let cached = |project: &Project, more: &[&str]| {
        let ran = project.run(&[&["verify", "nim", "--json"], more].concat()).code(1);
        let lines = all.map(|name| check(&ran, name));
        let cached: Vec<&str> =
            all.into_iter().zip(&lines).filter(|(_, line)| line["cached"] == true).map(|(name, _)| name).collect();
        let details = lines.map(|line| (line["status"].clone(), line["detail"].clone()));
        (cached, details)
    };
    let (before, first) = cached(&project, &[]);
    assert_eq!(before, Vec::<&str>::new());
    let (after, second) = cached(&project, &[]);
    assert_eq!(after, [oracle, reference, found], "a result against the expectations is never kept");
    assert_eq!(first[..3], second[..3], "the statements are the same");
    assert_eq!(cached(&project, &["--again"]).0, Vec::<&str>::new());
    let other_reference = project.file("solutions/nim/accepted/reference.c", NIM_C.replace("x = 0", "x = 1 - 1"));
    assert_eq!(cached(&other_reference, &[]).0, [found]);
    let limits = NIM.replace("time: 1s", "time: 2s");
    let other_limits = other_reference.file("problems/nim/problem.yaml", limits);
    assert_eq!(cached(&other_limits, &[]).0, Vec::<&str>::new());
}

#[test]
fn a_wrong_reference_is_detected_with_its_position() {
    // The program is correct on every test of the problem, but wrong on 2 2.
    let parity = NIM_C.replace("x ^= a", "x += a");
    let ran =
        nim(NIM, &parity).run(&["verify", "nim"]).code(1).says("FAIL  oracle").says("winner = No").says("winner = Yes");
    assert!(ran.stdout.contains("none of the 2 moves wins"), "{}", ran.stdout);
    let ran = nim(NIM, &parity).run(&["verify", "nim", "--json"]).code(1);
    assert_eq!(check(&ran, "oracle")["status"], "fail");
    assert_eq!(ran.last_json()["event"], "verify_finished");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn every_row_of_a_file_is_a_position() {
    let spec = NIM
        .replace(
            "  - n: 1..=2\n  - a[n]: 0..=3\n",
            "  - t: 1..=50\n  - repeat: t\n    lines:\n      - n: 1..=2\n      - a[n]: 0..=3\n",
        )
        .replace("  - winner: [Yes, No]\n", "  - repeat: t\n    line: { winner: [Yes, No] }\n")
        .replace("\"2\\n1 2\\n\"", "\"1\\n2\\n1 2\\n\"")
        .replace("n: 1, a", "t: 1, n: 1, a");
    let rows = NIM_C
        .replace("int n, a, x = 0;\n", "int t, n, a, x;\n    scanf(\"%d\", &t);\n    while (t--) {\n")
        .replace("    scanf(\"%d\", &n);", "    x = 0, scanf(\"%d\", &n);")
        .replace("\"No\");\n", "\"No\");\n    }\n");
    let ran = nim(&spec, &rows).run(&["verify", "nim", "--json"]);
    assert_eq!(check(&ran, "oracle")["positions"], 20, "{ran:#?}");
    let wrong = rows.replace("^=", "+=");
    nim(&spec, &wrong).run(&["verify", "nim"]).code(1).says("of the input: (1 1)").says("winner = No");
}

#[test]
fn invalid_rules_are_marked_in_the_file() {
    let spec = NIM.replace("heaps: a", "heaps: b");
    nim(&spec, NIM_C).run(&["verify", "nim"]).code(1).says("unknown name `b` in the rules");
    nim(&NIM.replace("take: any", "tke: any"), NIM_C).run(&["verify", "nim"]).code(1).says("did you mean `take`?");
}

#[test]
fn an_invalid_spec_is_reported_with_its_position() {
    let ran = nim(&NIM.replace("answer:", "anwser:"), NIM_C).run(&["verify", "nim"]).code(1);
    for words in ["FAIL  spec", "--> ", "anwser:", "^^^^^^", "did you mean `answer`?"] {
        assert!(ran.stdout.contains(words), "{words} in {}", ran.stdout);
    }
    let last = nim(&NIM.replace("answer:", "anwser:"), NIM_C).run(&["verify", "nim", "--json"]).code(1).last_json();
    assert_eq!((last["event"].as_str(), last["passed"].as_u64()), (Some("verify_finished"), Some(0)));
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_statement_with_another_bound_or_limit_is_found_in_every_language() {
    let other = NIM_STATEMENT.replace("a_i \\le 3", "a_i \\le 4");
    let project = nim(NIM, NIM_C).file("problems/nim/statement.ru.md", other + "Ограничение по времени: 2 секунды\n");
    let ran = project.run(&["verify", "nim", "--json"]).code(1);
    assert_eq!(check(&ran, "statement")["status"], "pass");
    let russian = check(&ran, "statement.ru");
    assert_eq!(russian["status"], "fail");
    let detail = russian["detail"].as_str().unwrap_or_default();
    assert!(detail.contains("the greatest value of `a` is 4 in the statement, but 3 in the spec"), "{detail}");
    assert!(detail.contains("the time limit is 2 секунды in the statement, but 1s in the spec"), "{detail}");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_small_margin_is_a_warning() {
    // The program takes between half of the time limit and the full limit.
    let slow = NIM_C.replace("    puts", "    while (clock() < 0.7 * CLOCKS_PER_SEC);\n    puts");
    let slow = format!("#include <time.h>\n{slow}");
    let spec = NIM.replace("  tiny: { every: { n: 1, a: 0..=3 } }\n", "");
    let ran = nim(&spec, NIM_C).file("solutions/nim/accepted/slow.c", slow).run(&["verify", "nim", "--json"]);
    let margins = check(&ran, "margins");
    assert_eq!(margins["status"], "pass");
    assert!(margins["warnings"][0].as_str().is_some_and(|text| text.contains("less than 2 times")), "{margins}");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_nondeterministic_generator_is_detected() {
    let random = "#include <stdio.h>\n#include <sys/random.h>\nint main(void) {\n    unsigned a, b;\n    \
        getrandom(&a, sizeof a, 0), getrandom(&b, sizeof b, 0);\n    printf(\"2\\n%u %u\\n\", a % 4, b % 4);\n}\n";
    let spec = format!("{NIM}  made: {{ count: 20, program: any.c }}\n");
    let project = nim(&spec, NIM_C).file("problems/nim/programs/any.c", random).own_data();
    let ran = project.run(&["verify", "nim", "--json"]).code(1);
    let found = check(&ran, "determinism");
    assert_eq!(found["status"], "fail", "{found}");
    assert!(found["detail"].as_str().is_some_and(|detail| detail.contains("the input of made/")), "{found}");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn an_answer_format_that_the_checker_ignores_is_detected() {
    let spec = NIM.replace("answer:\n", "checker: { tokens: { fold_case: true } }\nanswer:\n");
    let ran = nim(&spec, NIM_C).run(&["verify", "nim", "--json"]).code(0);
    assert_eq!(check(&ran, "format")["status"], "pass");
    // The answer is a word of arbitrary letters, so an extra word can't be detected.
    let spec = NIM
        .replace("  - winner: [Yes, No]", "  - winner: word a-zA-Z~ 1..=9")
        .replace("game:\n  position: { heaps: a }\n  moves:\n    - { take: any }\n", "");
    let ran = nim(&spec, NIM_C).run(&["verify", "nim", "--json"]).code(1);
    let format = check(&ran, "format");
    assert_eq!(format["status"], "fail", "{format}");
    assert!(format["detail"].as_str().is_some_and(|detail| detail.contains("`answer:` accepts")), "{format}");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn the_html_page_is_self_contained() {
    let project = nim(NIM, NIM_C).file("solutions/nim/wrong_answer/yes.c", YES_C);
    project.run(&["verify", "nim", "--html", "page.html"]).code(0);
    let page = fs_err::read_to_string(project.path("page.html")).unwrap();
    for words in [
        "1 of 1 problems verified",
        "Small Nim",
        "the reference is correct on 20 positions",
        "wrong_answer/yes.c",
        "WA",
    ] {
        assert!(page.contains(words), "{words} in {page}");
    }
    assert!(!page.contains("<script"), "{page}");
}
