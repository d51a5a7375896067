//! Submissions and their events as they are stored.

use serde::{Deserialize, Serialize};

use crate::model::{ProblemId, Score, Verdict};
use crate::queue::Priority;

use super::id::SubmissionId;

/// The kind of a submission, which determines its test cases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "RunKind")]
pub enum SubmissionKind {
    /// The program is judged on all cases.
    Submit,
    /// The program is judged on the samples only: the cases of the group `sample`.
    Samples,
    /// The program is judged on the input of the submission.
    Input,
    /// The program is judged on the person's own tests of the problem.
    Tests,
    /// The program is judged with the options and limits in the input of the submission, for `nimatron grade
    /// --cluster`. The submission does not count toward the person's standing.
    Judge,
}

/// The state of a submission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JudgingState {
    /// The submission is waiting to be judged.
    Queued,
    /// The problem is being prepared, or the program is being judged.
    Running,
    /// The submission has a verdict, or an error states why it has none.
    Finished,
    /// The submission was cancelled before its end.
    Cancelled,
}

impl SubmissionKind {
    /// All kinds of submissions.
    pub const ALL: [SubmissionKind; 5] = [
        SubmissionKind::Submit,
        SubmissionKind::Samples,
        SubmissionKind::Input,
        SubmissionKind::Tests,
        SubmissionKind::Judge,
    ];

    /// Returns the name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            SubmissionKind::Submit => "submit",
            SubmissionKind::Samples => "samples",
            SubmissionKind::Input => "input",
            SubmissionKind::Tests => "tests",
            SubmissionKind::Judge => "judge",
        }
    }
}

impl JudgingState {
    /// All states of a submission.
    pub const ALL: [JudgingState; 4] =
        [JudgingState::Queued, JudgingState::Running, JudgingState::Finished, JudgingState::Cancelled];

    /// Returns the name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            JudgingState::Queued => "queued",
            JudgingState::Running => "running",
            JudgingState::Finished => "finished",
            JudgingState::Cancelled => "cancelled",
        }
    }

    /// Returns whether the state is final.
    pub const fn ended(self) -> bool {
        matches!(self, JudgingState::Finished | JudgingState::Cancelled)
    }
}

/// A program to judge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSubmission {
    /// The id of the person who submits the program; this module does not interpret it.
    pub person: String,
    /// The id with which [`ProblemFinder`](super::ProblemFinder) finds the problem.
    pub problem: ProblemId,
    /// The name of the file, whose extension determines the language if `language` is `None`.
    pub name: String,
    /// The id or the name of the language.
    pub language: Option<String>,
    /// The content of the file.
    pub source: Vec<u8>,
    /// The kind of the submission.
    pub kind: SubmissionKind,
    /// The input, for [`SubmissionKind::Input`]; the [`ProgramOrder`](super::ProgramOrder) as JSON, for
    /// [`SubmissionKind::Judge`].
    pub input: Option<Vec<u8>>,
    /// The priority of the submission.
    pub priority: Priority,
}

/// A submission, without its source, input and report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StoredSubmission {
    /// The id of the submission.
    pub id: SubmissionId,
    /// The id of the person who submitted the program.
    pub person: String,
    /// The id of the problem.
    pub problem: ProblemId,
    /// The name of the file.
    pub name: String,
    /// The id of the language if the program was judged, and otherwise the requested language.
    pub language: Option<String>,
    /// The kind of the submission.
    pub kind: SubmissionKind,
    /// The priority of the submission.
    pub priority: Priority,
    /// The time at which the program was submitted, in milliseconds since the Unix epoch.
    pub created: i64,
    /// The time at which judging started, in milliseconds since the Unix epoch; `None` if it has not started.
    pub started: Option<i64>,
    /// The time at which the submission ended, in milliseconds since the Unix epoch; `None` if it has not ended.
    pub ended: Option<i64>,
    /// The state of the submission.
    pub state: JudgingState,
    /// The verdict; `None` if the submission is not finished, or if it has no verdict for the reason in `error`.
    pub verdict: Option<Verdict>,
    /// The score; `None` without a verdict.
    pub score: Option<Score>,
    /// The maximum score; `None` without a verdict.
    pub max_score: Option<Score>,
    /// The reason why a finished submission has no verdict: the problem can't be prepared, the language is not
    /// installed, or the judge failed; otherwise `None`.
    pub error: Option<String>,
}

/// Conditions for the submissions that [`JudgingQueue::list`](super::JudgingQueue::list) returns. The default has no
/// conditions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SubmissionFilter {
    /// If set, only submissions of this person are returned.
    pub person: Option<String>,
    /// If set, only submissions to this problem are returned.
    pub problem: Option<ProblemId>,
    /// If set, only submissions of this kind are returned.
    pub kind: Option<SubmissionKind>,
    /// If set, only submissions in this state are returned.
    pub state: Option<JudgingState>,
    /// If set, only submissions before this submission are returned.
    pub before: Option<SubmissionId>,
    /// Maximum number of submissions; at most 1,000, which is also the default.
    pub limit: Option<u32>,
}

/// A person's standing on a problem, computed from the submissions of kind [`SubmissionKind::Submit`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ProblemStanding {
    /// The id of the problem.
    pub problem: ProblemId,
    /// Whether a submission was accepted.
    pub solved: bool,
    /// The verdict of the latest submission; `None` if that submission has no verdict.
    pub last_verdict: Option<Verdict>,
    /// The time of the latest submission, in milliseconds since the Unix epoch.
    pub last_at: i64,
    /// The number of submissions.
    pub submissions: u64,
}

/// An event of a submission's log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredEvent {
    /// The number; consecutive from 0.
    pub number: u64,
    /// The [`Event`](crate::model::Event) as JSON, with the id of the submission as its run.
    pub json: String,
}

/// Consecutive events of a submission's log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EventsPage {
    /// The events; at most 1,000.
    pub events: Vec<StoredEvent>,
    /// Whether the submission has ended and no events of its log follow.
    pub ended: bool,
}
