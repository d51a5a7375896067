//! The verdict matrix: the verdict of every program in every test group of a native problem or a package.

use crate::model::{CaseResult, Failure, TimeSpan, Verdict};

use super::check_result::Check;

/// A function that receives the result of each check.
pub(super) type CheckSink<'a> = dyn FnMut(Check) -> Result<(), Failure> + 'a;

/// The verdict matrix, with a row for each solution and a column for each group.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Matrix {
    /// Names of the groups, in the order of the problem.
    pub groups: Vec<String>,
    /// The solutions, in the order in which their results were reported.
    pub rows: Vec<MatrixRow>,
}

/// A solution in the verdict matrix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatrixRow {
    /// Path relative to the folder of solutions.
    pub name: String,
    /// Result in each group; `None` if the solution was not judged on any case of the group.
    pub cells: Vec<Option<MatrixCell>>,
    /// CPU time of the slowest case.
    pub slowest: TimeSpan,
    /// CPU time limit for the solution's language, if known.
    pub limit: Option<TimeSpan>,
    /// Whether the solution is expected to be accepted.
    pub right: bool,
    /// Whether the solution is expected to exceed the time limit.
    pub slow: bool,
    /// Whether the result of the solution violates an expectation.
    pub unexpected: bool,
}

impl MatrixRow {
    /// Creates the row of a solution from its results, without expectations. `group` returns the name of a case's
    /// group.
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

/// Returns the CPU time of the slowest case, or zero if there are no cases.
pub(super) fn slowest(results: &[CaseResult]) -> TimeSpan {
    results.iter().map(|result| result.usage.cpu).max().unwrap_or(TimeSpan::ZERO)
}

/// The result of a solution in a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MatrixCell {
    /// The verdict of the first case that is not accepted, or [`Verdict::Accepted`] if there is none.
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
