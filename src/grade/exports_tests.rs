//! Tests of the exports.

use insta::assert_snapshot;

use super::*;
use crate::grade::gradebook::GradebookColumn;
use crate::grade::marks::Mark;

fn book() -> Gradebook {
    let column = |id: &str| GradebookColumn {
        id: id.parse().unwrap(),
        name: id.to_uppercase(),
        max: Score::points(100),
        scored: false,
    };
    let mark = |standing, points: Option<u32>| Mark {
        standing,
        points: points.map(Score::points),
        max: Score::points(100),
        formula: "f".to_owned(),
        comment: None,
        attempts: 1,
        late: None,
    };
    let row = |student: &str, number: &str, marks: Vec<Mark>| GradebookRow {
        student: student.to_owned(),
        number: Some(number.to_owned()),
        total: marks
            .iter()
            .map(|mark| mark.points)
            .collect::<Option<Vec<_>>>()
            .map(|all| all.into_iter().fold(Score::ZERO, Score::plus)),
        marks,
        rubric: vec![],
        comment: None,
    };
    let wrong = Standing::Attempt(0, Verdict::WrongAnswer);
    let right = Standing::Attempt(0, Verdict::Accepted);
    Gradebook {
        columns: vec![column("nim"), column("wythoff")],
        rubric: vec![],
        rows: vec![
            row("Zoë Żak", "11", vec![mark(right, Some(100)), mark(wrong, Some(25))]),
            row("leebob", "12", vec![mark(Standing::Missing, Some(0)), mark(Standing::Open(1), None)]),
        ],
        formula: String::new(),
        max: Score::points(200),
        layout: String::new(),
        left: vec![],
    }
}

#[test]
fn moodle_worksheet_keeps_other_columns() {
    let sheet = "\u{feff}Identifier,\"Full name\",Status,Grade,\"Maximum grade\",\"Feedback comments\"\r\n\
                 Participant 11,\"Zoë Żak\",Submitted,,200.00,\r\nParticipant 12,Bob Lee,Submitted,7,200.00,old\r\n\
                 Participant 99,Eve,No submission,3,200.00,kept\r\n";
    let filled = moodle(&book(), "w.csv", sheet).unwrap();
    assert!(filled.text.starts_with('\u{feff}') && filled.text.ends_with("\r\n"));
    assert_snapshot!(filled.text.replace(['\u{feff}', '\r'], ""), @"
    Identifier,Full name,Status,Grade,Maximum grade,Feedback comments
    Participant 11,Zoë Żak,Submitted,125,200.00,nim: 100 of 100 (accepted); wythoff: 25 of 100 (wrong answer)
    Participant 12,Bob Lee,Submitted,7,200.00,nim: 0 of 100 (no submission); wythoff: open
    Participant 99,Eve,No submission,3,200.00,kept
    ");
    assert_eq!(filled.unknown, Vec::<String>::new());
    assert!(moodle(&book(), "w.csv", "a,b\n").unwrap_err().message.contains("Grade"));
}

#[test]
fn canvas_gradebook_is_filled_by_number_login_or_name() {
    let given = "Student,ID,SIS Login ID,Section,Homework (77),Other (78)\n    Points Possible,,,,200,10\n\
                 \"Żak, Zoë\",11,zoe,A,-,9\n\"Lee, Bob\",,b,A,EX,8\n";
    let filled = canvas(&book(), Some(("c.csv", given)), "Homework").unwrap();
    assert_snapshot!(filled.text, @r#"
    Student,ID,SIS Login ID,Section,Homework (77),Other (78)
    "    Points Possible",,,,200,10
    "Żak, Zoë",11,zoe,A,125,9
    "Lee, Bob",,b,A,EX,8
    "#);
    assert_eq!(filled.unknown, Vec::<String>::new(), "leebob is Lee, Bob");
    assert!(canvas(&book(), Some(("c.csv", given)), "Quiz").unwrap_err().message.contains("Quiz"));
    assert_snapshot!(canvas(&book(), None, "Homework").unwrap().text, @r#"
    Student,ID,SIS Login ID,Section,Homework
    "    Points Possible",,,,200
    Zoë Żak,11,,,125
    leebob,12,,,
    "#);
}

#[test]
fn gradescope_score_is_omitted_while_open() {
    let book = book();
    let results = gradescope(&book, &book.rows[0]);
    assert_eq!((&results["score"], &results["tests"][1]["status"]), (&json!(125.0), &json!("failed")));
    assert_eq!(results["tests"][0]["max_score"], 100.0);
    assert!(gradescope(&book, &book.rows[1])["score"].is_null());
}

#[test]
fn junit_distinguishes_failures_and_errors() {
    let mut written = Vec::new();
    junit(&book(), &mut written).unwrap();
    let text = String::from_utf8(written).unwrap();
    assert!(
        text.contains(r#"tests="4" skipped="1" errors="1" failures="1""#)
            || text.contains("failures=\"1\" errors=\"1\""),
        "{text}"
    );
}
