//! The verdict matrix: the verdict of every program in every test group, for problems and packages alike.

use crate::model::{CaseResult, EventKind, Failure, Fault, Outcome, TimeSpan, Verdict};
use crate::service::RunReport;

use super::check_result::Check;
use super::expectation::SubmissionResults;

/// Receives each check when it ends.
pub(super) type CheckSink<'a> = dyn FnMut(Check) -> Result<(), Failure> + 'a;

/// The verdict matrix: solutions by groups.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Matrix {
    /// Names of the groups, in order.
    pub groups: Vec<String>,
    /// Solutions in order.
    pub rows: Vec<MatrixRow>,
}

/// A solution in the verdict matrix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatrixRow {
    /// Path relative to the folder of solutions.
    pub name: String,
    /// Result in each group; `None` if the solution was not judged on it.
    pub cells: Vec<Option<MatrixCell>>,
    /// CPU time of the slowest case.
    pub slowest: TimeSpan,
    /// CPU time limit for the solution's language, if known.
    pub limit: Option<TimeSpan>,
    /// It is expected to be accepted.
    pub right: bool,
    /// It is expected to exceed the time limit.
    pub slow: bool,
    /// An expectation of the solution does not hold.
    pub unexpected: bool,
}

impl MatrixRow {
    /// A solution's results by groups; `group` names that of a case. Nothing is expected of it yet.
    pub(super) fn new<'r>(
        name: &str,
        groups: &[String],
        results: &'r [CaseResult],
        group: impl Fn(&'r CaseResult) -> &'r str,
    ) -> MatrixRow {
        let in_group = |name: &String| -> Vec<&CaseResult> {
            results.iter().filter(|result| group(result) == name.as_str()).collect()
        };
        MatrixRow {
            name: name.to_owned(),
            cells: groups.iter().map(|name| MatrixCell::of(&in_group(name))).collect(),
            slowest: slowest(results),
            limit: None,
            right: false,
            slow: false,
            unexpected: false,
        }
    }
}

/// The CPU time of the slowest case.
pub(super) fn slowest(results: &[CaseResult]) -> TimeSpan {
    results.iter().map(|result| result.usage.cpu).max().unwrap_or(TimeSpan::ZERO)
}

/// What a solution got in a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MatrixCell {
    /// The first verdict that is not accepted, or accepted if there is none.
    pub verdict: Verdict,
    /// CPU time of the slowest case in the group.
    pub slowest: TimeSpan,
}

impl MatrixCell {
    fn of(results: &[&CaseResult]) -> Option<MatrixCell> {
        let slowest = results.iter().map(|result| result.usage.cpu).max()?;
        let failed = results.iter().map(|result| result.verdict).find(|verdict| !verdict.accepted());
        Some(MatrixCell { verdict: failed.unwrap_or(Verdict::Accepted), slowest })
    }
}

/// A solution or submission that was judged.
pub(super) struct JudgedSubmission {
    /// What expectations are compared with.
    pub(super) results: SubmissionResults,
    /// The compiler's output if the program does not compile.
    pub(super) compile_error: String,
    /// The fault that left it without a verdict.
    pub(super) fault: Option<Fault>,
}

impl JudgedSubmission {
    /// Takes what verification needs from the report of a run. `by_requirement`: cases are skipped only because groups that
    /// they require were not accepted. Otherwise they are skipped after a failure, and their results are not known.
    pub(super) fn new(report: RunReport, by_requirement: bool) -> JudgedSubmission {
        let mut judged = JudgedSubmission {
            results: SubmissionResults::default(),
            compile_error: report.compile_error.unwrap_or_default(),
            fault: None,
        };
        let results = &mut judged.results;
        for entry in report.log {
            match entry.kind {
                EventKind::CaseFinished(result) => results.cases.push(*result),
                EventKind::CaseSkipped { case, .. } if by_requirement => results.skipped.push(case.to_string()),
                EventKind::GroupFinished(group) => results.groups.push((group.group, group.score)),
                _ => {}
            }
        }
        match report.summary.outcome {
            Outcome::Final { verdict, score } => {
                (results.verdict, results.score) = (Some(verdict), (score, report.summary.max_score));
            }
            Outcome::Inconclusive { faults } => judged.fault = Some(Fault::first_of(&faults)),
        }
        judged
    }
}
