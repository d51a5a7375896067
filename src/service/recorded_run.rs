//! Converts the report of a run to an entry of the history.

use crate::history::{NewRun, ProblemKey};
use crate::model::Outcome;
use crate::package::PackageFormat;
use crate::runner::{JudgeOptions, PreparedProblem};

use super::request::RunReport;

/// The part of a problem that a run judges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunScope {
    /// All cases, with the rules and limits of the problem. If the program is accepted, the problem is solved.
    Whole,
    /// Only some of the cases, or cases that are judged with other rules or limits.
    Part,
    /// An input of the user instead of the cases. Runs with this scope are not recorded.
    OwnInput,
}

impl RunScope {
    /// Returns the scope of a run with `options`.
    pub fn of(problem: &PreparedProblem, options: &JudgeOptions) -> RunScope {
        if !options.inputs.is_empty() {
            RunScope::OwnInput
        } else if !options.only.is_empty() || replaces_rules(problem, options) {
            RunScope::Part
        } else {
            RunScope::Whole
        }
    }
}

/// Returns whether `options` override the checker, the interactor or a limit of the problem. For a folder of tests,
/// only the limits count, and only if the folder specifies limits.
fn replaces_rules(problem: &PreparedProblem, options: &JudgeOptions) -> bool {
    let limits = options.time.is_some() || options.memory.is_some();
    match problem.package().filter(|package| package.format == PackageFormat::Folder) {
        Some(samples) => limits && !samples.default_limits,
        None => limits || options.checker.is_some() || options.interactor.is_some(),
    }
}

/// Returns the run to record in the history; `None` if the run has no verdict or judged an input of the user. `key`
/// identifies the problem, and `program` is the program's name or path.
pub fn recorded_run(
    problem: &PreparedProblem,
    key: ProblemKey,
    program: String,
    scope: RunScope,
    report: &RunReport,
) -> Option<NewRun> {
    let summary = &report.summary;
    let Outcome::Final { verdict, score } = summary.outcome else { return None };
    if scope == RunScope::OwnInput {
        return None;
    }
    let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    Some(NewRun {
        problem: key,
        id: problem.id().to_string(),
        title: problem.title().to_owned(),
        program,
        language: report.language.clone(),
        verdict,
        score: (score, summary.max_score),
        cases: (count(summary.accepted), count(summary.cases)),
        time: summary.slowest.as_ref().map(|(_, time)| *time),
        memory: summary.memory,
        whole: scope == RunScope::Whole,
    })
}
