//! Converts the report of a run to an entry of the history.

use crate::history::{NewRun, ProblemKey};
use crate::model::Outcome;
use crate::runner::PreparedProblem;

use super::request::RunReport;

/// Returns the run to record in the history; `None` if the run has no verdict. `key` identifies the problem, `program`
/// is the program's name or path, and `whole` states whether the program was judged on all cases with the problem's
/// limits.
pub fn recorded_run(
    problem: &PreparedProblem,
    key: ProblemKey,
    program: String,
    whole: bool,
    report: &RunReport,
) -> Option<NewRun> {
    let summary = &report.summary;
    let Outcome::Final { verdict, score } = summary.outcome else { return None };
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
        whole,
    })
}
