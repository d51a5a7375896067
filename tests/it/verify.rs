//! `nimatron verify`: what a setter must know before trusting a problem, each thing found when it is wrong.

use crate::project::{Project, Ran};

/// The spec of a small game: all there is of it are twenty positions.
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

const NIM_PY: &str = "\
n = int(input())
x = 0
for a in input().split():
    x ^= int(a)
print('Yes' if x else 'No')
";

fn nim(spec: &str, reference: &str) -> Project {
    Project::new()
        .file("problems/nim/problem.yaml", spec)
        .file("problems/nim/statement.md", NIM_STATEMENT)
        .file("solutions/nim/accepted/reference.py", reference)
}

/// The line of this check among the JSON lines.
#[track_caller]
fn check(ran: &Ran, name: &str) -> serde_json::Value {
    let found = ran.json().into_iter().find(|line| line["check"] == name);
    found.unwrap_or_else(|| panic!("no check {name}: {ran:#?}"))
}

#[test]
fn a_right_reference_is_proved_on_every_position() {
    let ran = nim(NIM, NIM_PY).run(&["verify", "nim", "--json"]).code(0);
    let oracle = check(&ran, "oracle");
    assert_eq!((oracle["status"].as_str(), oracle["positions"].as_u64()), (Some("pass"), Some(20)), "{oracle}");
    assert!(oracle["detail"].as_str().is_some_and(|detail| detail.contains("n ≤ 2, a ≤ 3")), "{oracle}");
}

#[test]
fn a_wrong_reference_is_caught_by_the_rules_and_the_position_is_shown() {
    // Right on every test of the problem, but not on 2 2.
    let parity = NIM_PY.replace("x ^= int(a)", "x += int(a)");
    let ran =
        nim(NIM, &parity).run(&["verify", "nim"]).code(1).says("FAIL  oracle").says("winner = No").says("winner = Yes");
    assert!(ran.stdout.contains("none of the 2 moves wins"), "{}", ran.stdout);
    let ran = nim(NIM, &parity).run(&["verify", "nim", "--json"]).code(1);
    assert_eq!(check(&ran, "oracle")["status"], "fail");
    assert_eq!(ran.last_json()["event"], "verify_finished");
}

#[test]
fn every_row_of_a_file_is_a_position() {
    let spec = NIM
        .replace(
            "  - n: 1..=2\n  - a[n]: 0..=3\n",
            "  - t: 1..=50\n  - repeat: t\n    lines:\n      - n: 1..=2\n      - a[n]: 0..=3\n",
        )
        .replace("  - winner: [Yes, No]\n", "  - repeat: t\n    line: { winner: [Yes, No] }\n")
        .replace("\"2\\n1 2\\n\"", "\"1\\n2\\n1 2\\n\"")
        .replace("n: 1, a", "t: 1, n: 1, a");
    let rows = "for _ in range(int(input())):\n    n = int(input())\n    x = 0\n    for a in input().split():\n        x ^= int(a)\n    print('Yes' if x else 'No')\n";
    let ran = nim(&spec, rows).run(&["verify", "nim", "--json"]);
    assert_eq!(check(&ran, "oracle")["positions"], 20, "{ran:#?}");
    let wrong = rows.replace("^=", "+=");
    nim(&spec, &wrong).run(&["verify", "nim"]).code(1).says("of a file: (1 1)").says("winner = No");
}

#[test]
fn rules_that_do_not_fit_are_marked_in_the_file() {
    let spec = NIM.replace("heaps: a", "heaps: b");
    nim(&spec, NIM_PY).run(&["verify", "nim"]).code(1).says("the rules name `b`");
    nim(&NIM.replace("take: any", "tke: any"), NIM_PY).run(&["verify", "nim"]).code(1).says("did you mean `take`?");
}
