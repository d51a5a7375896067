//! The gradebook, with a row for each student. Its contents do not depend on the order in which the programs are
//! judged.

use std::collections::BTreeSet;
use std::io;

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use crate::model::{ProblemId, Score};
use crate::yaml::nearest;

use super::marks::{Attempt, AttemptResult, Bank, Extensions, Mark, Standing, due, mark, needed, total, total_formula};
use super::overlay::Overlay;
use super::policy::Policy;
use super::roster::{Claim, Left, Roster};

/// A problem, as a column of the gradebook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GradebookColumn {
    /// Id of the problem.
    pub id: ProblemId,
    /// Display name of the problem.
    pub name: String,
    /// Maximum score that the judge awards.
    pub max: Score,
    /// Whether the problem has subtasks, which determine partial credit.
    pub scored: bool,
}

/// Marks of all students.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gradebook {
    /// Problems, in the order of the marks.
    pub columns: Vec<GradebookColumn>,
    /// Names and maximum points of the manually marked criteria.
    pub rubric: Vec<(String, Score)>,
    /// Marks of each student, sorted by the name of the student.
    pub rows: Vec<GradebookRow>,
    /// Formula of the total, for display.
    pub formula: String,
    /// Maximum total.
    pub max: Score,
    /// Description of the download's layout, such as `a folder for each student`.
    pub layout: String,
    /// Files and folders that belong to no submission, and students with a manual mark, a comment or an extension who
    /// are not in the download.
    pub left: Vec<Left>,
}

/// Marks of a student.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GradebookRow {
    /// Name of the student.
    pub student: String,
    /// Number of the student in the system that the download comes from, if known.
    pub number: Option<String>,
    /// Marks, in the order of the problems.
    pub marks: Vec<Mark>,
    /// Manual marks, in the order of the rubric; `None` for a criterion that is not marked yet.
    pub rubric: Vec<Option<Score>>,
    /// The total; `None` while a mark is open.
    pub total: Option<Score>,
    /// Comment written by a teacher; `None` if there is none.
    pub comment: Option<String>,
}

/// The rules and manual inputs that, together with the results, determine the marks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkingRules {
    /// The grading policy.
    pub policy: Policy,
    /// Extended due dates of students.
    pub extensions: Extensions,
    /// Manual marks and comments.
    pub overlay: Overlay,
}

/// Returns the range of a student's claims on a problem. Claims are sorted by student, problem and attempt.
fn span(claims: &[Claim], student: &str, problem: usize) -> std::ops::Range<usize> {
    let start = claims.partition_point(|claim| (claim.student.as_str(), claim.problem) < (student, problem));
    let end = claims.partition_point(|claim| (claim.student.as_str(), claim.problem) <= (student, problem));
    start..end
}

/// Returns, for each claim, whether it must be judged to determine the student's mark for the problem.
pub fn wanted(roster: &Roster, rules: &MarkingRules) -> Vec<bool> {
    let mut wanted = Vec::with_capacity(roster.claims.len());
    while let Some(first) = roster.claims.get(wanted.len()) {
        let own = &roster.claims[span(&roster.claims, &first.student, first.problem)];
        let due = due(&rules.policy, &rules.extensions, &first.student, first.problem);
        let times: Vec<Option<i64>> = own.iter().map(|claim| claim.at).collect();
        wanted.extend(needed(rules.policy.select, due, &times));
    }
    wanted
}

/// Returns the students who have manual marks, comments or extensions but are not in the download.
pub fn unknown_students(roster: &Roster, rules: &MarkingRules) -> Vec<Left> {
    let known: BTreeSet<&str> = roster
        .students
        .iter()
        .map(String::as_str)
        .chain(roster.claims.iter().map(|claim| claim.student.as_str()))
        .collect();
    let missing = |student: &str, what: &str| {
        let near = nearest(student, known.iter().copied()).map(|near| format!("; did you mean `{near}`?"));
        Left::new(student, format!("{what}, but is not in the download{}", near.unwrap_or_default()))
    };
    let by_hand = rules.overlay.keys().map(|student| (student, "has a manual mark or comment"));
    let extended = rules.extensions.keys().map(|(student, _)| (student, "has an extended due date"));
    let unknown = by_hand.chain(extended).filter(|(student, _)| !known.contains(student.as_str()));
    let mut unknown: Vec<Left> = unknown.map(|(student, what)| missing(student, what)).collect();
    unknown.sort();
    unknown.dedup();
    unknown
}

impl Gradebook {
    /// Computes the gradebook. `results` contains one result for each claim.
    pub fn new(
        columns: Vec<GradebookColumn>,
        roster: &Roster,
        rules: &MarkingRules,
        results: &[AttemptResult],
    ) -> Gradebook {
        let policy = &rules.policy;
        let mut students = roster.students.clone();
        students.extend(roster.claims.iter().map(|claim| claim.student.clone()));
        let rows: Vec<GradebookRow> =
            students.iter().map(|student| student_row(&columns, roster, rules, results, student)).collect();
        let most = |(column, worth): (&GradebookColumn, &super::policy::MarkingScheme)| {
            let max = worth.points.unwrap_or(column.max).as_thousandths();
            Score::thousandths(max.saturating_mul(worth.weight.as_thousandths()) / 1_000)
        };
        let max = columns.iter().zip(&policy.problems).map(most).fold(Score::ZERO, Score::plus);
        let max = policy.rubric.iter().map(|(_, most)| *most).fold(max, Score::plus);
        let ids: Vec<&str> = columns.iter().map(|column| column.id.as_str()).collect();
        let formula = total_formula(policy, &ids);
        let mut left = roster.left.clone();
        left.extend(unknown_students(roster, rules));
        left.sort();
        left.dedup();
        Gradebook { rubric: policy.rubric.clone(), columns, rows, formula, max, layout: roster.layout.clone(), left }
    }

    /// Formats the gradebook as CSV: `student,<problem>…,<criterion>…,total`, one row per student. Open marks are
    /// empty.
    pub fn csv(&self) -> String {
        let shown = |score: Option<Score>| score.map(|score| score.to_string()).unwrap_or_default();
        let mut lines = vec![csv_line(
            std::iter::once("student".to_owned())
                .chain(self.columns.iter().map(|column| column.id.to_string()))
                .chain(self.rubric.iter().map(|(name, _)| name.clone()))
                .chain(["total".to_owned()]),
        )];
        for row in &self.rows {
            lines.push(csv_line(
                std::iter::once(without_formula(&row.student))
                    .chain(row.marks.iter().map(|mark| shown(mark.points)))
                    .chain(row.rubric.iter().map(|score| shown(*score)))
                    .chain([shown(row.total)]),
            ));
        }
        lines.concat()
    }

    /// Writes the gradebook as JSON, one student at a time. The JSON contains the formula of each mark.
    ///
    /// # Errors
    /// Returns an error if the gradebook can't be written.
    pub fn json(&self, roster: &Roster, mut to: impl io::Write) -> io::Result<()> {
        let columns = self.columns.iter().map(|c| json!({ "id": c.id, "name": c.name, "max_score": c.max }));
        let whole = GradebookFile {
            format: 1,
            layout: &self.layout,
            left: self.left.iter().map(|left| json!({ "path": left.path, "reason": left.reason })).collect(),
            max_total: self.max,
            problems: columns.collect(),
            students: Students(self, roster),
            total: &self.formula,
        };
        serde_json::to_writer_pretty(&mut to, &whole)?;
        to.write_all(b"\n")
    }

    fn row_json(&self, row: &GradebookRow, roster: &Roster) -> Value {
        let marks = self.columns.iter().zip(&row.marks).map(|(column, mark)| {
            let (state, submission, verdict) = match mark.standing {
                Standing::Missing => ("missing", None, None),
                Standing::Attempt(submission, verdict) => ("judged", Some(submission), Some(verdict)),
                Standing::Open(submission) => ("open", Some(submission), None),
            };
            json!({
                "problem": column.id,
                "state": state,
                "verdict": verdict,
                "mark": mark.points,
                "max_mark": mark.max,
                "formula": mark.formula,
                "attempts": mark.attempts,
                "late_seconds": mark.late.map(|late| late.seconds),
                "file": submission.map(|at| roster.claims[at].path.clone()),
                "comment": mark.comment,
            })
        });
        let rubric = self.rubric.iter().zip(&row.rubric).map(|((name, _), score)| (name.clone(), json!(score)));
        json!({
            "student": row.student,
            "number": row.number,
            "marks": marks.collect::<Vec<_>>(),
            "rubric": rubric.collect::<serde_json::Map<_, _>>(),
            "total": row.total,
            "comment": row.comment,
        })
    }

    /// Returns the marks to be published, each as the student, the column and the mark.
    pub fn published(&self) -> Vec<(String, String, String)> {
        let mut all = Vec::new();
        for row in &self.rows {
            let mut add = |what: &str, score: Option<Score>| {
                let mark = score.map_or("open".to_owned(), |score| score.to_string());
                all.push((row.student.clone(), what.to_owned(), mark));
            };
            for (column, mark) in self.columns.iter().zip(&row.marks) {
                add(column.id.as_str(), mark.points);
            }
            add("total", row.total);
        }
        all
    }
}

/// The JSON form of the gradebook.
#[derive(Serialize)]
struct GradebookFile<'a> {
    format: u32,
    layout: &'a str,
    left: Vec<Value>,
    max_total: Score,
    problems: Vec<Value>,
    students: Students<'a>,
    total: &'a str,
}

/// The rows in JSON. A row is built when it is serialized, so that only one row is in memory at a time.
struct Students<'a>(&'a Gradebook, &'a Roster);

impl Serialize for Students<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Students(book, roster) = self;
        serializer.collect_seq(book.rows.iter().map(|row| book.row_json(row, roster)))
    }
}

/// Computes the marks of a student. `results` contains one result for each claim.
pub fn student_row(
    columns: &[GradebookColumn],
    roster: &Roster,
    rules: &MarkingRules,
    results: &[AttemptResult],
    student: &str,
) -> GradebookRow {
    let policy = &rules.policy;
    let by_hand = rules.overlay.get(student);
    let mut bank = Bank::of(policy);
    let mut number = None;
    let mut marks = Vec::with_capacity(columns.len());
    for (problem, column) in columns.iter().enumerate() {
        let span = span(&roster.claims, student, problem);
        let attempt = |submission: usize| {
            let claim = &roster.claims[submission];
            Attempt { submission, at: claim.at, result: results[submission].clone() }
        };
        number = number.or_else(|| roster.claims[span.clone()].iter().find_map(|claim| claim.number.clone()));
        let attempts: Vec<Attempt> = span.map(attempt).collect();
        let due = due(policy, &rules.extensions, student, problem);
        let own = by_hand.and_then(|by_hand| by_hand.problems.get(&problem));
        marks.push(mark(policy, problem, due, column.max, &attempts, own, &mut bank));
    }
    let rubric = by_hand.map_or_else(|| vec![None; policy.rubric.len()], |by_hand| by_hand.rubric.clone());
    let given: Vec<Score> = rubric.iter().flatten().copied().collect();
    let total = total(policy, &marks, &given);
    let comment = by_hand.and_then(|by_hand| by_hand.comment.clone());
    GradebookRow { student: student.to_owned(), number, marks, rubric, total, comment }
}

/// Formats a line of CSV. Cells are quoted if necessary.
pub fn csv_line(cells: impl Iterator<Item = String>) -> String {
    let quoted =
        |cell: String| match cell.contains([',', '"', '\n', '\r']) || cell.starts_with(' ') || cell.ends_with(' ') {
            true => format!("\"{}\"", cell.replace('"', "\"\"")),
            false => cell,
        };
    cells.map(quoted).collect::<Vec<_>>().join(",") + "\n"
}

/// Prepends `'` to text that a spreadsheet would interpret as a formula.
pub fn without_formula(text: &str) -> String {
    if text.starts_with(['=', '+', '-', '@', '\t']) { format!("'{text}") } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;
    use crate::model::Verdict;

    fn claim(student: &str, problem: usize, attempt: u64) -> Claim {
        let path = format!("{student}/{problem}-{attempt}.py");
        Claim {
            student: student.to_owned(),
            number: None,
            problem,
            path,
            files: vec![],
            attempt,
            at: None,
            guesses: vec![],
        }
    }

    fn book(results: &[AttemptResult]) -> (Gradebook, Roster) {
        let columns = ["classic-nim", "split-nim"].map(|id| GradebookColumn {
            id: id.parse().unwrap(),
            name: id.to_owned(),
            max: Score::points(100),
            scored: false,
        });
        let claims = vec![claim("Smith, Zoë", 0, 1), claim("Smith, Zoë", 0, 2), claim("ann", 1, 0)];
        let students = ["bob".to_owned()].into();
        let roster = Roster { layout: "x".to_owned(), claims, students, left: vec![Left::new("a.txt", "no")] };
        let rules = MarkingRules { policy: Policy::plain(2), extensions: Extensions::new(), overlay: Overlay::new() };
        assert_eq!(wanted(&roster, &rules), [false, true, true]);
        (Gradebook::new(columns.to_vec(), &roster, &rules, results), roster)
    }

    fn judged(points: u32) -> AttemptResult {
        let verdict = if points == 100 { Verdict::Accepted } else { Verdict::Partial };
        AttemptResult::Result { verdict, score: Score::points(points), max: Score::points(100), cases: (0, 0) }
    }

    fn written(book: &Gradebook, roster: &Roster) -> Value {
        let mut bytes = Vec::new();
        book.json(roster, &mut bytes).unwrap();
        serde_json::from_slice(&bytes).unwrap()
    }

    #[test]
    fn one_row_per_student() {
        let (book, roster) = book(&[AttemptResult::Ignored, judged(30), judged(100)]);
        assert_snapshot!(book.csv(), @r#"
        student,classic-nim,split-nim,total
        "Smith, Zoë",30,0,30
        ann,0,100,100
        bob,0,0,0
        "#);
        let json = written(&book, &roster);
        assert_eq!(json["students"][0]["marks"][0]["attempts"], 2);
        assert_eq!(json["students"][2]["marks"][0]["state"], "missing");
        assert_eq!(json["left"][0]["path"], "a.txt");
    }

    #[test]
    fn open_mark_and_its_total_are_empty() {
        let (book, roster) = book(&[AttemptResult::Ignored, AttemptResult::Fault("no Python".to_owned()), judged(100)]);
        assert!(book.csv().contains("\"Smith, Zoë\",,0,\n"), "{}", book.csv());
        let json = written(&book, &roster);
        assert_eq!(json["students"][0]["marks"][0]["state"], "open");
        assert!(json["students"][0]["total"].is_null());
    }
}
