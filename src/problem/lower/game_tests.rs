//! Tests of `game:`: its questions, its errors with their positions, and the answers that follow from the rules.

use std::path::Path;

use super::super::super::{Problem, Question, Unanswered, read};
use crate::model::Diagnostic;

fn lower(input: &str, answer: &str, game: &str) -> Result<Problem, Diagnostic> {
    let answer = if answer.is_empty() { String::new() } else { format!("answer:\n{answer}\n") };
    let text = format!(
        "name: Game\ninput:\n{input}\n{answer}game:\n{game}\ntests:\n  all: {{ cases: [{{ input: \"x\" }}] }}\n"
    );
    read("problem.yaml", &text, "game".parse().unwrap(), Path::new("."))
}

const HEAPS: &str = "  - n: 1..=9\n  - a[n]: 0..=9";
const WINNER: &str = "  - winner: [Yes, No]";
const NIM: &str = "  position: { heaps: a }\n  moves:\n    - { take: any }";

#[track_caller]
fn complaint(input: &str, answer: &str, game: &str) -> (String, String) {
    let error = lower(input, answer, game).unwrap_err();
    let marked = error.place.map(|place| error.text[place.start..place.end].to_owned());
    (format!("{} {}", error.message, error.help.unwrap_or_default()), marked.unwrap_or_default())
}

#[track_caller]
fn answer(problem: &Problem, input: &str) -> Result<String, Unanswered> {
    let mut oracle = problem.game.as_ref().unwrap().oracle(&problem.input, 100_000);
    let input = problem.input.read(input.as_bytes(), None).unwrap();
    problem.answer_by_rules(&mut oracle, &input).map(|bytes| String::from_utf8(bytes).unwrap())
}

#[test]
fn two_words_are_the_outcome() {
    let nim = lower(HEAPS, WINNER, NIM).unwrap();
    assert_eq!(answer(&nim, "3\n1 2 3\n"), Ok("No\n".to_owned()));
    assert_eq!(answer(&nim, "3\n1 2 4\n"), Ok("Yes\n".to_owned()));
    let misere = lower(HEAPS, WINNER, &format!("{NIM}\n  last_mover: loses")).unwrap();
    assert_eq!(answer(&misere, "2\n0 0\n"), Ok("Yes\n".to_owned()));
    let three = lower(HEAPS, "  - winner: [A, B, C]", &format!("{NIM}\n  players: 3")).unwrap();
    assert_eq!(answer(&three, "2\n1 2\n"), Ok("B\n".to_owned()));
    assert_eq!(answer(&three, "3\n4 4 4\n"), Ok("C\n".to_owned()));
}

#[test]
fn other_questions_have_answers() {
    let asked = |answers: &str, asks: &str| lower(HEAPS, answers, &format!("{NIM}\n  asks: {asks}")).unwrap();
    assert_eq!(answer(&asked("  - moves: 0..=n", "winning-moves"), "3\n6 6 7\n"), Ok("3\n".to_owned()));
    assert_eq!(answer(&asked("  - value: 0..=99", "{ value: grundy }"), "2\n5 1\n"), Ok("4\n".to_owned()));
    let other_way = asked("  - winner: [No, Yes]", "{ winner: { words: [Yes, No] } }");
    assert_eq!(answer(&other_way, "1\n1\n"), Ok("Yes\n".to_owned()));
    let step = asked(
        "  - winner: [win, lose]\n  - heap: 0..=n\n    amount: 0..=9",
        "{ winner: outcome, heap: winning-heap, amount: winning-amount }",
    );
    assert_eq!(answer(&step, "3\n3 4 5\n"), Ok("win\n1 2\n".to_owned()));
    assert_eq!(answer(&step, "2\n5 5\n"), Ok("lose\n0 0\n".to_owned()));
    // Heaps are numbered in the order of the input.
    assert_eq!(answer(&step, "2\n5 1\n"), Ok("win\n1 4\n".to_owned()));
    assert_eq!(answer(&step, "2\n0 1\n"), Ok("win\n2 1\n".to_owned()));
    let candy = lower(HEAPS, "  - mine: 0..=99", &format!("{NIM}\n  payoff: [win, taken]\n  asks: taken")).unwrap();
    assert_eq!(answer(&candy, "2\n3 3\n"), Ok("3\n".to_owned()));
}

#[test]
fn numbers_and_rows_are_separate_games() {
    let sticks = lower(
        "  - n: 1..=20\n    k: 1..=3\n  - p[k]: 1..=n",
        "  - outcomes: word WL n..=n",
        "  position: { heaps: n }\n  moves: { take: { in: p } }\n  asks: { outcomes: { words: [W, L], each: n } }",
    );
    assert_eq!(answer(&sticks.unwrap(), "10 3\n1 3 4\n"), Ok("WLWWWWLWLW\n".to_owned()));
    let rows = lower(
        "  - t: 1..=9\n  - repeat: t\n    lines:\n      - n: 1..=9\n      - a[n]: 0..=9",
        "  - repeat: t\n    line: { winner: [John, Brother] }",
        &format!("{NIM}\n  last_mover: loses"),
    );
    let rows = rows.unwrap();
    assert_eq!(rows.game.as_ref().unwrap().each_row_of.as_deref(), Some("t"));
    assert_eq!(answer(&rows, "3\n3\n3 5 1\n1\n1\n2\n1 1\n"), Ok("John\nBrother\nJohn\n".to_owned()));
}

#[test]
fn answers_without_a_question_have_no_meaning() {
    let open = lower(HEAPS, "  - moves: 0..=n", NIM).unwrap();
    assert!(open.game.as_ref().unwrap().asks.is_empty());
    assert_eq!(answer(&open, "1\n1\n"), Err(Unanswered::Unasked("moves".to_owned())));
    assert_eq!(lower(HEAPS, WINNER, NIM).unwrap().game.unwrap().asks[0].question, Question::Outcome);
}

#[test]
fn errors_mark_their_position_and_suggest_names() {
    let heaps = |from: &str, to: &str| complaint(HEAPS, WINNER, &NIM.replacen(from, to, 1));
    let (message, marked) = heaps("heaps: a", "heaps: b");
    assert!(message.contains("unknown name `b` in the rules") && message.contains("`n`, `a`"), "{message}");
    assert_eq!(marked, "b");
    let (message, marked) = heaps("position", "positoin");
    assert!(message.contains("unknown key `positoin`") && message.contains("did you mean `position`?"), "{message}");
    assert_eq!(marked, "positoin");
    let (message, marked) = heaps("take: any", "tak: any");
    assert!(message.contains("did you mean `take`?"), "{message}");
    assert_eq!(marked, "tak");
    let (message, marked) = heaps("take: any", "take: anny");
    assert!(message.contains("did you mean `any`?"), "{message}");
    assert_eq!(marked, "anny");
    let (message, marked) = heaps("take: any", "walk: edge");
    assert!(message.contains("does not fit this kind of position"), "{message}");
    assert_eq!(marked, "moves");
}

#[test]
fn questions_must_fit_the_answer() {
    let asks = |answers: &str, asks: &str| complaint(HEAPS, answers, &format!("{NIM}\n  asks: {asks}"));
    assert_eq!(asks(WINNER, "grundi").1, "grundi");
    assert!(asks(WINNER, "grundi").0.contains("did you mean `grundy`?"));
    assert!(asks(WINNER, "grundy").0.contains("`winner` is not a number"));
    let (message, marked) = asks(WINNER, "{ winer: outcome }");
    assert!(message.contains("did you mean `winner`?"), "{message}");
    assert_eq!(marked, "winer");
    let (message, marked) = asks("  - all: word WL n..=n", "{ all: { words: [W, L], each: m } }");
    assert!(message.contains("the input has no such integer `m`"), "{message}");
    assert_eq!(marked, "m");
    assert!(asks("  - winner: [A, B, C]", "outcome").0.contains("3 words, but the game has 2 places"));
    assert!(asks(WINNER, "{ winner: { words: [Yes, Nope] } }").0.contains("`Nope` is not a word"));
    assert!(asks("  - x: 0..=9", "taken").0.contains("`taken` requires the payoff"));
    assert!(asks("  - x: 0..=9\n  - y: 0..=9", "grundy").0.contains("several values"));
    assert!(complaint(HEAPS, "", &format!("{NIM}\n  asks: grundy")).0.contains("require an `answer:`"));
}
