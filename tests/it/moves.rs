//! Tests of the verdicts and messages in problems that accept any winning move, and in problems in which a program
//! plays against the machine. The periods of `subtraction-period` are compared with the certified periods of the
//! library.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use nimatron::games::grundy::HeapGame;

use crate::project::Project;

/// Judges a program of these lines on one sample case and returns the verdict and the message.
fn judged(problem: &str, case: &str, program: &str) -> (String, String) {
    let ran = Project::new().file("a.py", program).run(&["run", problem, "a.py", "--json", "--case", case]);
    let case = ran.json().into_iter().find(|line| line["event"] == "case_finished").unwrap();
    let text = |key: &str| case[key].as_str().unwrap_or_default().to_owned();
    (text("verdict"), text("message"))
}

#[track_caller]
fn check(problem: &str, case: &str, output: &str, verdict: &str, words: &str) {
    let (found, message) = judged(problem, case, &format!("print({output:?})\n"));
    assert_eq!(found, verdict, "{problem} {case}: {output}: {message}");
    assert!(message.contains(words), "{problem} {case}: {output}: {message}");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn misere_subtraction_game_accepts_exactly_the_winning_moves() {
    let check = |case, output, verdict, words| check("subtraction-game-misere", case, output, verdict, words);
    // The heaps have 4 and 8 objects, and a move takes at most 3.
    for right in ["1 3", "2 3", " 2\n3"] {
        check("sample/002", right, "AC", "");
    }
    for (wrong, words) in [
        ("0 0", "there is a winning move"),
        ("1 1", "the other player wins"),
        ("1 4", "from 0 to 3"),
        ("3 1", "from 0 to 2"),
        ("1 0", "is no move"),
        ("0 2", "is no move"),
        ("1 3 1", "the end"),
        ("1", "the end"),
        ("one 3", "`one`"),
    ] {
        check("sample/002", wrong, "WA", words);
    }
    // The position with heaps of 5 and 4 is lost.
    check("sample/001", "0 0", "AC", "");
    check("sample/001", "1 1", "WA", "the other player wins");
    // The only heap is empty, so there is no move.
    check("sample/004", "1 1", "WA", "has only 0");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn split_nim_accepts_exactly_the_winning_splits() {
    let check = |case, output, verdict, words| check("grundys-game-heaps", case, output, verdict, words);
    // The heaps have 5 and 3 objects; either part of a heap determines the split.
    check("sample/001", "1 2", "AC", "");
    check("sample/001", "1 3", "AC", "");
    for (wrong, words) in [
        ("1 1", "the nim-sum is 1"),
        ("2 1", "the nim-sum is 2"),
        ("1 5", "cannot be split"),
        ("1 0", "is no move"),
        ("0 0", "there is a winning move"),
        ("3 1", "from 0 to 2"),
    ] {
        check("sample/001", wrong, "WA", words);
    }
    // A heap of 6 can't be split into the equal halves 3 and 3.
    check("sample/002", "1 3", "WA", "cannot be split");
    check("sample/002", "0 0", "AC", "");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn matches_against_the_machine_are_judged() {
    let says = |lines: &str| format!("for line in {lines:?}.split(','):\n    print(line, flush=True)\n    input()\n");
    for (lines, words) in [
        ("1 4", "holds 3 stones"),
        ("4 1", "from 1 to 3"),
        ("1 0", "from 1 to 300"),
        ("first", "`first`"),
        // The machine answers 3 4 4 with 4 4, and then repeats each move in the other heap.
        ("3 1,2 4,3 4", "its move 1, 1 from heap 3, gave the win away"),
    ] {
        let (verdict, message) = judged("nimatron", "sample/001", &says(lines));
        assert!(verdict == "WA" && message.contains(words), "{lines}: {verdict} {message}");
    }
    for (lines, words) in [
        ("third", "`third`"),
        // Two tokens on three stacks are a loss for the player who moves first.
        ("first,1,1 1", "it chose the wrong side"),
        ("first,9", "from 1 to 3"),
    ] {
        let (verdict, message) = judged("building-nim-match", "sample/002", &says(lines));
        assert!(verdict == "WA" && message.contains(words), "{lines}: {verdict} {message}");
    }
}

#[test]
fn a_split_can_be_given_by_one_part() {
    let game = ["play", "grundys-game-heaps", "--position", "5 3"];
    Project::new().type_in(&game, "1 2\nquit\n").code(0).says("You: split heap 1 into 2 3").silent();
    let project = Project::new().file("a.py", "input()\nprint(0, 0) if input() == '2 1' else print(1, 1)\n");
    project.run(&["play", "grundys-game-heaps", "a.py", "--position", "3"]).code(0).says("The program wins");
}

#[test]
fn the_periods_of_all_tests_are_those_that_the_library_certifies() {
    let project = Project::new();
    project.run(&["generate", "subtraction-period", "--out", "data"]).code(0);
    let mut compared = 0;
    for entry in fs_err::read_dir(project.path("data")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "in") {
            continue;
        }
        let numbers = |path: &std::path::Path| -> Vec<u64> {
            fs_err::read_to_string(path).unwrap().split_whitespace().map(|word| word.parse().unwrap()).collect()
        };
        let (input, answer) = (numbers(&path), numbers(&path.with_extension("ans")));
        let (set, heap) = (&input[1..input.len() - 1], input[input.len() - 1]);
        let game = HeapGame::subtraction(set);
        let most = 2 * (answer[0] + answer[1]) as usize + 300;
        let values = game.values(most);
        let period = game.period(&values).unwrap();
        assert!(period.certified, "{}", path.display());
        let expected = [period.preperiod as u64, period.period as u64, u64::from(values[period.index(heap)])];
        assert_eq!(answer, expected, "{}: {input:?}", path.display());
        compared += 1;
    }
    assert!(compared > 40, "{compared}");
}
