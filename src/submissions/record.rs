//! Submissions and their events as they are stored.

use serde::{Deserialize, Serialize};

use crate::model::{ProblemId, Score, Verdict};

use super::id::SubmissionId;

/// The group of cases that are samples.
pub const SAMPLE_GROUP: &str = "sample";

/// The kind of a submission, which determines its test cases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "RunKind")]
pub enum SubmissionKind {
    /// Judged on all cases.
    Submit,
    /// Judged on the samples only: the cases of the group `sample`.
    Samples,
    /// Judged on an input that comes with the submission.
    Input,
    /// On the person's own tests of the problem.
    Tests,
}

/// The state of a submission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JudgingState {
    /// The submission waits to be judged.
    Queued,
    /// The problem is being prepared, or the program is being judged.
    Running,
    /// The submission has a verdict, or an error states why it has none.
    Finished,
    /// The submission was cancelled before its end.
    Cancelled,
}

/// The priority of a submission.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Priority {
    /// A person is waiting for the verdict.
    #[default]
    Person,
    /// One of many programs that were handed in together.
    Batch,
    /// A program that is judged again.
    Rejudge,
}

impl SubmissionKind {
    /// All kinds.
    pub const ALL: [SubmissionKind; 4] =
        [SubmissionKind::Submit, SubmissionKind::Samples, SubmissionKind::Input, SubmissionKind::Tests];

    /// The name, as in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            SubmissionKind::Submit => "submit",
            SubmissionKind::Samples => "samples",
            SubmissionKind::Input => "input",
            SubmissionKind::Tests => "tests",
        }
    }
}

impl JudgingState {
    /// All states.
    pub const ALL: [JudgingState; 4] =
        [JudgingState::Queued, JudgingState::Running, JudgingState::Finished, JudgingState::Cancelled];

    /// The name, as in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            JudgingState::Queued => "queued",
            JudgingState::Running => "running",
            JudgingState::Finished => "finished",
            JudgingState::Cancelled => "cancelled",
        }
    }

    /// Whether the state is final.
    pub const fn ended(self) -> bool {
        matches!(self, JudgingState::Finished | JudgingState::Cancelled)
    }
}

impl Priority {
    /// All priorities, the highest first.
    pub const ALL: [Priority; 3] = [Priority::Person, Priority::Batch, Priority::Rejudge];

    /// The name, as in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Priority::Person => "person",
            Priority::Batch => "batch",
            Priority::Rejudge => "rejudge",
        }
    }
}

/// A program to judge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSubmission {
    /// The id of the person who submits the program; this module does not interpret it.
    pub person: String,
    /// The id under which [`ProblemFinder`](super::ProblemFinder) knows the problem.
    pub problem: ProblemId,
    /// The name of the file, whose extension determines the language if `language` is `None`.
    pub name: String,
    /// The id or the name of the language.
    pub language: Option<String>,
    /// The content of the file.
    pub source: Vec<u8>,
    /// The kind of the submission.
    pub kind: SubmissionKind,
    /// The input, for [`SubmissionKind::Input`].
    pub input: Option<Vec<u8>>,
    /// The priority of the submission.
    pub priority: Priority,
}

/// A submission, without its source, input and report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StoredSubmission {
    /// The id.
    pub id: SubmissionId,
    /// The id of the person who submitted the program.
    pub person: String,
    /// The id of the problem.
    pub problem: ProblemId,
    /// The name of the file.
    pub name: String,
    /// The id of the language once the program was judged, and before that the language that was given.
    pub language: Option<String>,
    /// The kind of the submission.
    pub kind: SubmissionKind,
    /// The priority of the submission.
    pub priority: Priority,
    /// The time of submission, in milliseconds since 1970.
    pub created: i64,
    /// The time of the start of judging, in milliseconds since 1970.
    pub started: Option<i64>,
    /// The time of the end, in milliseconds since 1970.
    pub ended: Option<i64>,
    /// The state of the submission.
    pub state: JudgingState,
    /// The verdict; `None` if it is not finished, or for the reason in `error`.
    pub verdict: Option<Verdict>,
    /// The score; `None` without a verdict.
    pub score: Option<Score>,
    /// The maximum score; `None` without a verdict.
    pub max_score: Option<Score>,
    /// The reason why a finished submission has no verdict: the problem can't be prepared, the language is not
    /// installed, or the judge failed.
    pub error: Option<String>,
}

/// The conditions for the submissions that [`JudgingQueue::list`](super::JudgingQueue::list) returns. The default has
/// no conditions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SubmissionFilter {
    /// Only submissions of this person.
    pub person: Option<String>,
    /// Only submissions to this problem.
    pub problem: Option<ProblemId>,
    /// Only submissions of this kind.
    pub kind: Option<SubmissionKind>,
    /// Only submissions in this state.
    pub state: Option<JudgingState>,
    /// Only submissions before this one.
    pub before: Option<SubmissionId>,
    /// Maximum number of submissions; at most 1,000, which is also the default.
    pub limit: Option<u32>,
}

/// The standing of a person on a problem, from the submissions of kind [`SubmissionKind::Submit`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ProblemStanding {
    /// The id of the problem.
    pub problem: ProblemId,
    /// Whether a submission was accepted.
    pub solved: bool,
    /// The verdict on the latest submission; `None` if it has none.
    pub last_verdict: Option<Verdict>,
    /// The time of the latest submission, in milliseconds since 1970.
    pub last_at: i64,
    /// The number of submissions.
    pub submissions: u64,
}

/// An event of a submission's log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredEvent {
    /// The number, from 0 without gaps.
    pub number: u64,
    /// The [`Event`](crate::model::Event) as JSON, with the id of the submission as its run.
    pub json: String,
}

/// Some consecutive events of a submission's log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EventsPage {
    /// The events; at most 1,000.
    pub events: Vec<StoredEvent>,
    /// Whether the submission has ended and the last event is that of its log.
    pub ended: bool,
}
