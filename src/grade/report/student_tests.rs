//! Tests that a student's page shows only what the feedback level allows.

use super::*;
use crate::grade::gradebook::GradebookColumn;
use crate::grade::record::CaseMark;
use crate::model::{ByteSize, CaseId, Difference, Exit, GroupResult, Score, TimeSpan};

fn failing() -> Record {
    let excerpt = |text: &str| Excerpt { text: text.to_owned(), cut: false };
    let difference = Difference {
        expected_line: 2,
        expected_column: 1,
        actual_line: 2,
        actual_column: 1,
        index: 2,
        expected: Some("SECRET".to_owned()),
        actual: Some("mine".to_owned()),
        message: "expected SECRET".to_owned(),
    };
    let case = CaseId::new("hidden", 1);
    let mark =
        |verdict| CaseMark { case: case.clone(), group: 0, verdict, cpu: TimeSpan::ZERO, memory: ByteSize::new(0) };
    Record {
        verdict: Verdict::WrongAnswer,
        score: Score::ZERO,
        max_score: Score::points(100),
        language: "python".to_owned(),
        refusal: None,
        groups: vec![GroupResult {
            group: "hidden".to_owned(),
            verdict: Some(Verdict::WrongAnswer),
            score: Score::ZERO,
            max_score: Score::ZERO,
        }],
        cases: vec![mark(Some(Verdict::WrongAnswer))],
        failing: vec![Failing {
            case,
            group: "hidden".to_owned(),
            verdict: Verdict::WrongAnswer,
            exit: Exit::Code(0),
            input: excerpt("INPUT <1>\n2"),
            expected: excerpt("1\nSECRET"),
            actual: excerpt("1\nmine"),
            difference: Some(difference),
            stderr: "STDERR".to_owned(),
            message: None,
        }],
    }
}

fn seen(feedback: FeedbackPolicy) -> String {
    let files = vec![("a.py".to_owned(), "if x < 1:\n    print(\"</pre>\")\n".to_owned())];
    page_of(feedback, Shown { record: failing(), files })
}

fn page_of(feedback: FeedbackPolicy, shown: Shown) -> String {
    let policy = Policy { otherwise: feedback, ..Policy::plain(1) };
    let mark = Mark {
        standing: Standing::Attempt(0, Verdict::WrongAnswer),
        points: Some(Score::ZERO),
        max: Score::points(100),
        formula: "0".to_owned(),
        comment: None,
        attempts: 1,
        late: None,
    };
    let column =
        GradebookColumn { id: "nim".parse().unwrap(), name: "Nim".to_owned(), max: Score::points(100), scored: false };
    let row = GradebookRow {
        student: "<b>Zoë</b>".to_owned(),
        number: None,
        marks: vec![mark],
        rubric: vec![],
        total: Some(Score::ZERO),
        comment: None,
    };
    let book = Gradebook {
        columns: vec![column],
        rubric: vec![],
        rows: vec![row.clone()],
        formula: "nim".to_owned(),
        max: Score::points(100),
        layout: String::new(),
        left: vec![],
    };
    student(&book, &policy, &row, &[Some(shown)])
}

#[test]
fn each_level_shows_only_allowed_data() {
    let has = |feedback, words: &[&str]| {
        let page = seen(feedback);
        words.iter().map(|word| page.contains(word)).collect::<Vec<_>>()
    };
    let words = ["hidden: ", "hidden/001 WA", "differs at line 2", "SECRET", "INPUT", "STDERR"];
    assert_eq!(has(FeedbackPolicy::None, &words), [true, false, false, false, false, false]);
    assert_eq!(has(FeedbackPolicy::Verdict, &words), [true, true, false, false, false, false]);
    assert_eq!(has(FeedbackPolicy::Hint, &words), [true, true, true, false, false, false]);
    assert_eq!(has(FeedbackPolicy::Full, &words), [true, true, false, true, true, true]);
}

#[test]
fn a_page_is_bounded() {
    let mut record = failing();
    let long = Excerpt { text: "<line of data>\n".repeat(270), cut: true };
    let one = Failing { input: long.clone(), expected: long.clone(), actual: long, ..record.failing[0].clone() };
    let group = |number: usize| GroupResult { group: format!("g{number}"), ..record.groups[0].clone() };
    let verdict = |number: usize| if number % 100 < 90 { Verdict::Accepted } else { Verdict::WrongAnswer };
    let case = |number: usize| CaseMark {
        case: CaseId::new(&format!("g{}", number / 500), number % 500 + 1),
        group: number / 500,
        verdict: Some(verdict(number)),
        ..record.cases[0].clone()
    };
    let groups = (0..200).map(group).collect();
    let cases = (0..100_000).map(case).collect();
    record.failing = (0..200).map(|number| Failing { group: format!("g{number}"), ..one.clone() }).collect();
    (record.groups, record.cases, record.refusal) = (groups, cases, Some("<error>\n".repeat(100_000)));
    let files = vec![("a.py".to_owned(), "<>".repeat(1 << 20)), ("b.py".to_owned(), "x = 1\n".repeat(100_000))];
    let page = page_of(FeedbackPolicy::Full, Shown { record, files });
    assert!(page.len() < 512 << 10, "{} bytes", page.len());
    for told in ["450 accepted", "and 160 more groups", "192 more failed cases", "more bytes", "(truncated)"] {
        assert!(page.contains(told), "{told}");
    }
    assert_eq!(page.matches("<details open").count(), 1);
}

#[test]
fn text_of_students_is_escaped() {
    let page = seen(FeedbackPolicy::Full);
    assert!(page.contains("&lt;b&gt;Zoë&lt;/b&gt;") && !page.contains("<b>Zoë"));
    assert!(page.contains("&lt;/pre&gt;") && page.contains("INPUT &lt;1&gt;"));
    assert!(!page.contains("<script") && !page.contains("http"));
}

#[test]
fn lexemes_are_split_at_line_breaks() {
    let lines = highlighted("/* a\nb */ int x;\r\n\nreturn 1;\n", "c");
    let texts: Vec<String> = lines.iter().map(|line| line.iter().map(|(_, piece)| *piece).collect()).collect();
    assert_eq!(texts, ["/* a", "b */ int x;", "", "return 1;"]);
}
