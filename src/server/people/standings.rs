//! Standings of an assignment: a table of students and problems.

use std::collections::HashMap;

use serde::Serialize;

use crate::grade::gradebook::{csv_line, without_formula};
use crate::model::{ProblemId, Score, Verdict};
use crate::submissions::{StoredSubmission, SubmissionId};

use super::{Account, Assignment, LateRule};

/// The result of a student on one problem of an assignment.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct StandingCell {
    /// The verdict of the best submission; `None` if no submission has a verdict.
    pub verdict: Option<Verdict>,
    /// The points of the best submission; `None` without a verdict.
    pub score: Option<Score>,
    /// The maximum points; `None` without a verdict.
    pub max_score: Option<Score>,
    /// Whether the best submission was late.
    pub late: bool,
    /// Number of submissions that count toward the standings.
    pub attempts: usize,
    /// Id of the best submission, or of the last one if none has a verdict; `None` if no submission counts.
    pub best: Option<SubmissionId>,
}

/// The row of one student in the standings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StandingRow {
    /// The id of the student.
    pub person: String,
    /// The login of the student.
    pub login: String,
    /// The display name of the student.
    pub name: String,
    /// The cells, one for each problem.
    pub cells: Vec<StandingCell>,
}

impl StandingRow {
    /// Returns the number of solved problems.
    pub fn solved(&self) -> usize {
        self.cells.iter().filter(|cell| cell.verdict == Some(Verdict::Accepted)).count()
    }
}

/// The standings of students on the problems of an assignment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AssignmentStandings {
    /// The problems, in the order of the cells.
    pub problems: Vec<ProblemId>,
    /// The rows, in the order of the students.
    pub rows: Vec<StandingRow>,
}

impl AssignmentStandings {
    /// Computes the standings of `students`. `runs` are the submissions that are judged on all cases, the oldest first.
    /// Submissions before the start do not count, nor do submissions after the end if late programs are refused.
    pub fn new(assignment: &Assignment, students: &[Account], runs: &[StoredSubmission]) -> AssignmentStandings {
        let draft = &assignment.draft;
        let mut found: HashMap<(&str, &str), StandingCell> = HashMap::new();
        for run in runs {
            let late = run.created >= draft.end;
            if run.created < draft.start
                || (late && draft.late == LateRule::Refuse)
                || !assignment.has(run.problem.as_str())
            {
                continue;
            }
            let cell = found.entry((&run.person, run.problem.as_str())).or_default();
            cell.attempts += 1;
            let is_better = rank(run.verdict, run.score) > rank(cell.verdict, cell.score);
            if is_better || cell.verdict.is_none() {
                cell.best = Some(run.id.clone());
                (cell.verdict, cell.score, cell.max_score, cell.late) = (run.verdict, run.score, run.max_score, late);
            }
        }
        let row = |student: &Account| StandingRow {
            person: student.id.clone(),
            login: student.login.clone(),
            name: student.name.clone(),
            cells: draft
                .problems
                .iter()
                .map(|problem| found.get(&(&*student.id, problem.as_str())).cloned().unwrap_or_default())
                .collect(),
        };
        AssignmentStandings { problems: draft.problems.clone(), rows: students.iter().map(row).collect() }
    }

    /// Formats the standings as CSV, with verdict, points, number of submissions and lateness for each problem.
    pub fn csv(&self) -> String {
        let titles = self
            .problems
            .iter()
            .flat_map(|problem| ["verdict", "score", "attempts", "late"].map(|title| format!("{problem} {title}")));
        let first = ["login", "name", "solved"].map(str::to_owned);
        let mut out = csv_line(first.into_iter().chain(titles));
        for row in &self.rows {
            let first = [without_formula(&row.login), without_formula(&row.name), row.solved().to_string()];
            let cells = row.cells.iter().flat_map(|cell| {
                let score = cell.score.map(|score| score.to_string()).unwrap_or_default();
                let late = if cell.late { "late" } else { "" };
                [cell.verdict.map_or("", Verdict::short).to_owned(), score, cell.attempts.to_string(), late.to_owned()]
            });
            out += &csv_line(first.into_iter().chain(cells));
        }
        out
    }
}

/// Returns the rank of a submission. The best submission is the first submission with the highest rank, or the last
/// submission if no submission has a verdict.
fn rank(verdict: Option<Verdict>, score: Option<Score>) -> (bool, bool, u64) {
    (verdict.is_some(), verdict == Some(Verdict::Accepted), score.map_or(0, Score::as_thousandths))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::people::{AssignmentDraft, FeedbackLevel, PersonRole};
    use crate::submissions::{JudgingState, Priority, SubmissionKind};

    fn assignment(late: LateRule) -> Assignment {
        let problems = vec!["sum".parse().unwrap(), "max".parse().unwrap()];
        let draft =
            AssignmentDraft { name: "a".to_owned(), problems, start: 10, end: 20, late, feedback: FeedbackLevel::Full };
        Assignment { id: "a".to_owned(), draft }
    }

    fn student(id: &str, name: &str) -> Account {
        let (id, login, name) = (id.to_owned(), id.to_owned(), name.to_owned());
        Account { id, login, name, role: PersonRole::Student, disabled: false, created: 0 }
    }

    fn run(person: &str, problem: &str, created: i64, verdict: Option<Verdict>, points: u64) -> StoredSubmission {
        StoredSubmission {
            id: format!("{created:032x}").parse().unwrap(),
            person: person.to_owned(),
            problem: problem.parse().unwrap(),
            name: "a.py".to_owned(),
            language: None,
            kind: SubmissionKind::Submit,
            priority: Priority::Person,
            created,
            started: None,
            ended: None,
            state: JudgingState::Finished,
            verdict,
            score: verdict.map(|_| Score::thousandths(points * 1_000)),
            max_score: verdict.map(|_| Score::thousandths(100_000)),
            error: None,
        }
    }

    #[test]
    fn the_best_submission_of_each_student_counts() {
        let runs = [
            run("ann", "sum", 5, Some(Verdict::Accepted), 100),
            run("ann", "sum", 11, Some(Verdict::Partial), 40),
            run("ann", "sum", 12, Some(Verdict::WrongAnswer), 0),
            run("zoe", "sum", 13, None, 0),
            run("ann", "other", 14, Some(Verdict::Accepted), 100),
            run("ann", "max", 19, Some(Verdict::Accepted), 100),
            run("ann", "max", 20, Some(Verdict::Accepted), 100),
            run("zoe", "sum", 25, Some(Verdict::Accepted), 100),
        ];
        let students = [student("ann", "=Ann, A"), student("zoe", "Zoë")];
        let table = AssignmentStandings::new(&assignment(LateRule::Refuse), &students, &runs);
        let [ann, zoe] = &table.rows[..] else { panic!("expected two rows") };
        assert_eq!((ann.cells[0].verdict, ann.cells[0].attempts, ann.solved()), (Some(Verdict::Partial), 2, 1));
        assert_eq!((zoe.cells[0].verdict, zoe.cells[0].attempts), (None, 1));
        assert_eq!(zoe.cells[0].best, Some(runs[3].id.clone()));
        assert_eq!(ann.cells[1].attempts, 1, "the late submission was refused");
        let table = AssignmentStandings::new(&assignment(LateRule::Accept), &students, &runs);
        let [ann, zoe] = &table.rows[..] else { panic!("expected two rows") };
        assert!(!ann.cells[1].late && ann.cells[1].attempts == 2, "the submission on time counts");
        assert!(zoe.cells[0].late && zoe.solved() == 1);
        let csv = table.csv();
        assert!(csv.starts_with("login,name,solved,sum verdict,sum score,sum attempts,sum late,max verdict"), "{csv}");
        assert!(csv.contains("\nann,\"'=Ann, A\",1,PT,40,2,,AC,100,2,\n"), "{csv}");
        assert!(csv.contains("\nzoe,Zoë,1,AC,100,2,late,,,0,\n"), "{csv}");
    }
}
