//! A run whose test data and limits are ready.

use crate::lang::SourceBundle;
use crate::model::{Failure, Limits};
use crate::runner::{JudgeOptions, PreparedProblem};

use super::judge_service::{JudgeService, PreparationProgress};
use super::recorded_run::RunScope;
use super::request::JudgeRequest;

/// A run that can be submitted: the test data exists, and the limits are known.
#[derive(Debug)]
pub struct PreparedRun<'p> {
    problem: &'p PreparedProblem,
    options: JudgeOptions,
    limits: Limits,
}

impl JudgeService {
    /// Prepares a run with `options`: generates the test data and derives the time limit if necessary.
    ///
    /// # Errors
    /// Returns the errors of [`JudgeService::make_data`] and [`JudgeService::limits`].
    pub fn prepare_run<'p>(
        &self,
        problem: &'p PreparedProblem,
        options: JudgeOptions,
        progress: PreparationProgress<'_>,
    ) -> Result<PreparedRun<'p>, Failure> {
        self.make_data(problem, &options, progress)?;
        let limits = self.limits(problem, &options, progress)?;
        Ok(PreparedRun { problem, options, limits })
    }
}

impl PreparedRun<'_> {
    /// Returns the limits of the run, before the factor of the program's language is applied.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Returns the part of the problem that the run judges.
    pub fn scope(&self) -> RunScope {
        RunScope::of(self.problem, &self.options)
    }

    /// Returns the lines to show before the run: the assumptions about the problem, and the notes on the problem and
    /// the program.
    pub fn announcement(&self, source: &SourceBundle) -> Vec<String> {
        let notes = self.problem.notes(source).into_iter().map(|note| format!("note: {note}"));
        self.problem.assumptions(&self.options, &self.limits).into_iter().chain(notes).collect()
    }

    /// Returns the request to judge the program `source`.
    pub fn request(self, source: SourceBundle) -> JudgeRequest {
        JudgeRequest { options: self.options, limits: Some(self.limits), ..JudgeRequest::new(self.problem, source) }
    }
}
