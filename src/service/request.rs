//! Requests to the service and its reports: owned values that can be sent to another machine.

use serde::{Deserialize, Serialize};

use crate::lang::SourceBundle;
use crate::model::{CaseDialogue, Digest, FailedCase, Limits, LogEntry, ProblemId, RawBytes, RunId, RunSummary};
use crate::runner::{JudgeOptions, PreparedProblem};

/// A reference to a problem by its content, valid on every machine.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ProblemRef {
    /// The problem's id, for messages.
    pub id: ProblemId,
    /// The hash of the problem's files.
    pub digest: Digest,
}

impl From<&PreparedProblem> for ProblemRef {
    fn from(problem: &PreparedProblem) -> ProblemRef {
        ProblemRef { id: problem.id().clone(), digest: problem.digest() }
    }
}

/// A request to judge a program on a problem.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JudgeRequest {
    /// The problem, which must have been prepared.
    pub problem: ProblemRef,
    /// The source of the program.
    pub source: SourceBundle,
    /// The program's name in events and messages; `None` for the name of the source.
    #[serde(default)]
    pub program: Option<String>,
    /// The options that select the cases and determine how they are judged.
    #[serde(default)]
    pub options: JudgeOptions,
    /// Limits that override those of the problem, if any.
    #[serde(default)]
    pub limits: Option<Limits>,
    /// Maximum number of slots that the run may use; `None` for all.
    #[serde(default)]
    pub slots: Option<usize>,
}

impl JudgeRequest {
    /// Creates a request to judge a program on all cases of a problem.
    pub fn new(problem: &PreparedProblem, source: SourceBundle) -> JudgeRequest {
        let options = JudgeOptions::default();
        JudgeRequest { problem: problem.into(), source, program: None, options, limits: None, slots: None }
    }
}

/// The output of a program on a custom input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunOutput {
    /// The whole output.
    pub content: RawBytes,
    /// Whether the output was checked. Otherwise the verdict only states that the program exited within its limits.
    pub checked: bool,
}

/// The result of a run, with the log and the data of failed cases.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunReport {
    /// The id of the run.
    pub run: RunId,
    /// The problem that was judged.
    pub problem: ProblemRef,
    /// The id of the program's language.
    pub language: String,
    /// The limits in force, before the factor of the language is applied; `None` if the judge failed before they were
    /// known.
    pub limits: Option<Limits>,
    /// The verdict, the score and statistics.
    pub summary: RunSummary,
    /// The compiler's output, if the program does not compile.
    #[serde(default)]
    pub compile_error: Option<String>,
    /// The first failed case of each group, in case order.
    #[serde(default)]
    pub failures: Vec<FailedCase>,
    /// The dialogue of the first failed case of an interactive problem, or of the first case if none failed; `None` if
    /// no case had a dialogue.
    #[serde(default)]
    pub dialogue: Option<CaseDialogue>,
    /// The output of the program on a custom input; `None` if no output was kept.
    #[serde(default)]
    pub output: Option<RunOutput>,
    /// The log: the numbered events, in case order.
    #[serde(default)]
    pub log: Vec<LogEntry>,
}

#[cfg(test)]
#[path = "request_properties.rs"]
mod properties;
