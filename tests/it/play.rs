//! Tests of `nimatron play`: complete games over piped standard streams.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use rustix::process::{Pid, Signal, kill_process};

use crate::project::Project;

#[test]
fn a_user_wins_by_following_hints() {
    let project = Project::new();
    let game = &["play", "classic-nim", "--position", "1 3 4"];
    let ran = project.type_in(game, "hint\n3 2\n2 1\n3 1\n3 1\n").code(0).silent();
    let ran = ran.says("nim-sum  6  1 1 0").says("`take 2 from heap 3` wins").says("You: take 2 from heap 3");
    ran.says("Nimatron: take").says("That was the last move: You win.");
}

#[test]
fn ctrl_c_ends_a_long_search() {
    // The search reaches its limit after half a second, because each heap allows many moves. On a busy machine it may
    // end before the signal arrives; then the game ends at the end of its input, and is tried again.
    let game = ["play", "candy-nim", "--position", "100 100 100 100 100", "--first", "machine"];
    let project = Project::new();
    for _ in 0..20 {
        let mut child = project.start(&game);
        // A process that has used this much CPU time is searching, since startup takes less.
        while child.try_wait().unwrap().is_none() && cpu_ticks(child.id()) < 10 {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        if child.try_wait().unwrap().is_none() {
            kill_process(Pid::from_child(&child), Signal::INT).unwrap();
        }
        let output = child.wait_with_output().unwrap();
        if output.status.code() != Some(0) {
            assert_eq!(output.status.code(), Some(3));
            assert_eq!((String::from_utf8_lossy(&output.stdout).trim(), output.stderr.as_slice()), ("", &[][..]));
            return;
        }
    }
    panic!("Ctrl-C ended no search");
}

/// Returns the CPU time that a child process has used, in ticks of 10 ms.
fn cpu_ticks(process: u32) -> u64 {
    let text = fs_err::read_to_string(format!("/proc/{process}/stat")).unwrap();
    let after_the_name = text.rsplit(')').next().unwrap();
    after_the_name.split_whitespace().skip(11).take(2).map(|ticks| ticks.parse::<u64>().unwrap()).sum()
}

#[test]
fn a_package_has_no_game() {
    let format = "problem_format_version: 2025-09\nname: One\n";
    let project = Project::new().file("p/problem.yaml", format).file("p/data/secret/1.in", "1\n");
    let project = project.file("p/data/secret/1.ans", "1\n").file("samples/1.in", "1\n").file("samples/1.ans", "1\n");
    for command in ["play", "grundy"] {
        project.run(&[command, "p"]).code(2).complains("`p` is a package, which does not contain the rules of a game");
        project.run(&[command, "samples"]).code(2).complains("`samples` is a folder of tests, which does not contain");
    }
}

#[test]
fn hints_name_equal_heaps() {
    let project = Project::new();
    let hint =
        |problem: &str, position: &str| project.type_in(&["play", problem, "--position", position], "hint\n").code(0);
    hint("classic-nim", "7 7 7").says("3 moves win here. The same move wins on any of the 3 heaps of 7.");
    hint("greedy-nim", "4 4 4").says("The same move wins on any of the 3 heaps of 4.");
    hint("building-nim", "1 1 1 + 3").says("The same move wins on any of the 3 stacks of 1.");
    let one = hint("classic-nim", "3 4 5");
    assert!(!one.stdout.contains("The same move"), "{}", one.stdout);
}

#[test]
fn a_seed_decides_the_position_and_the_end_of_input_ends_the_game() {
    let project = Project::new();
    let game = |seed: &str| project.type_in(&["play", "set-nim", "--seed", seed], "rules\n").code(0).silent().stdout;
    assert_eq!(game("7"), game("7"));
    assert!(["1", "2", "3", "4"].iter().any(|seed| game(seed) != game("7")), "all seeds give one position");
}

#[test]
fn every_problem_with_rules_can_be_played() {
    let project = Project::new();
    for row in project.run(&["list", "--json"]).code(0).json() {
        let id = row["id"].as_str().unwrap();
        let file = format!("{}/problems/{id}/problem.yaml", env!("CARGO_MANIFEST_DIR"));
        if fs_err::read_to_string(file).unwrap().contains("\ngame:") {
            project
                .type_in(&["play", id, "--seed", "3", "--level", "beginner"], "hint\nmoves\n")
                .code(0)
                .says("A move: ");
        }
    }
}

#[test]
fn position_and_first_player_can_be_chosen() {
    let project = Project::new();
    let game = ["play", "classic-nim", "--position", "2 2", "--first", "machine"];
    project.type_in(&game, "quit\n").code(0).says("Nimatron: take").says("Good-bye").silent();
    let misere = ["play", "classic-nim", "--position", "1", "--misere"];
    project.type_in(&misere, "1 1\n").code(0).says("last mover loses").says("Nimatron wins").silent();
    project.run(&["play", "classic-nim", "--position", "2 x"]).code(2).complains("found `x`");
    project.run(&["play", "three-player-nim", "--misere"]).code(2).complains("two players");
    project.run(&["play", "no-such-problem"]).code(2).complains("unknown problem `no-such-problem`");
}

#[test]
fn a_problem_without_moves_has_no_place_for_programs() {
    let project = Project::new().file("a.py", "print('Yes')\n");
    project.run(&["play", "classic-nim", "a.py"]).code(2).complains("do not print moves");
}

/// A problem whose answer is a move. Only its rules matter in these tests.
const MOVES: &str = "\
name: A Move
input:
  - n: 1..=9
  - a[n]: 1..=99
answer:
  - heap: 0..=9
    amount: 0..=99
game: { position: { heaps: a }, moves: [ { take: any, heaps: 1 } ] }
tests:
  sample:
    - { input: \"2\\n2 3\\n\", answer: \"2 1\\n\" }
";

const RIGHT: &str = "\
input()
a = list(map(int, input().split()))
x = 0
for v in a:
    x ^= v
if x == 0:
    print(1, 1)
else:
    i = next(i for i, v in enumerate(a) if v ^ x < v)
    print(i + 1, a[i] - (a[i] ^ x))
";

#[test]
fn a_program_plays_in_either_place() {
    let project = Project::new()
        .file("problems/a-move/problem.yaml", MOVES)
        .file("right.py", RIGHT)
        .file("first.py", "print(1, 1)\n")
        .file("gives_up.py", "print(0, 0)\n")
        .file("crashes.py", "raise SystemExit(3)\n")
        .file("silent.py", "pass\n");
    let play = |program: &str, more: &[&str]| {
        let mut args = vec!["play", "a-move", program, "--position", "3 4 5"];
        args.extend(more);
        project.run(&args)
    };
    play("right.py", &[]).code(0).says("The program wins").silent();
    play("first.py", &[]).code(1).says("lost from a winning position");
    play("gives_up.py", &[]).code(1).says("The program resigns");
    play("crashes.py", &[]).code(1).says("makes no move").says("3");
    play("silent.py", &[]).code(1).says("makes no move");
    // Losing from a P-position is not an error.
    play("first.py", &["--first", "machine"]).code(0).says("Nimatron wins");
    let against = ["play", "a-move", "first.py", "--as", "machine", "--position", "1 1"];
    project
        .type_in(&against, "1 1\n")
        .code(0)
        .says("The program: take 1 from heap 2")
        .says("The program wins")
        .silent();
}
