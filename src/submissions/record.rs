//! Submissions and their events as they are stored.

use serde::{Deserialize, Serialize};

use crate::model::{ProblemId, Score, Verdict};

use super::id::SubmissionId;

/// How a submission is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "RunKind")]
pub enum SubmissionKind {
    /// On all cases.
    Submit,
    /// On the samples only: the cases of the group `sample`.
    Samples,
    /// On an input that comes with the submission.
    Input,
}

/// What the queue did with a submission so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JudgingState {
    /// It waits.
    Queued,
    /// Its problem is prepared, or it is judged.
    Running,
    /// It has a verdict, or an error says why it has none.
    Finished,
    /// It was cancelled before its end.
    Cancelled,
}

/// Which submissions are judged before others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Priority {
    /// A person waits for the verdict.
    #[default]
    Person,
    /// One of many programs that were handed in together.
    Batch,
    /// A program that is judged again.
    Rejudge,
}

impl SubmissionKind {
    /// All kinds.
    pub const ALL: [SubmissionKind; 3] = [SubmissionKind::Submit, SubmissionKind::Samples, SubmissionKind::Input];

    /// The name, as in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            SubmissionKind::Submit => "submit",
            SubmissionKind::Samples => "samples",
            SubmissionKind::Input => "input",
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

    /// Whether nothing will happen any more.
    pub const fn ended(self) -> bool {
        matches!(self, JudgingState::Finished | JudgingState::Cancelled)
    }
}

impl Priority {
    /// All priorities, the first served first.
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
    /// Who submits it; the text has no meaning here.
    pub person: String,
    /// The id under which [`ProblemFinder`](super::ProblemFinder) knows the problem.
    pub problem: ProblemId,
    /// The name of the file, whose extension decides the language if `language` is `None`.
    pub name: String,
    /// The id or the name of the language.
    pub language: Option<String>,
    /// The content of the file.
    pub source: Vec<u8>,
    /// How it is judged.
    pub kind: SubmissionKind,
    /// The input, for [`SubmissionKind::Input`].
    pub input: Option<Vec<u8>>,
    /// Whether others are judged before it.
    pub priority: Priority,
}

/// A submission, without its source, input and report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StoredSubmission {
    /// The id.
    pub id: SubmissionId,
    /// Who submitted it.
    pub person: String,
    /// The id of the problem.
    pub problem: ProblemId,
    /// The name of the file.
    pub name: String,
    /// The id of the language once the program was judged, and before that the language that was given.
    pub language: Option<String>,
    /// How it is judged.
    pub kind: SubmissionKind,
    /// Whether others are judged before it.
    pub priority: Priority,
    /// When it was submitted, in milliseconds since 1970.
    pub created: i64,
    /// When its judging started, in milliseconds since 1970.
    pub started: Option<i64>,
    /// When it ended, in milliseconds since 1970.
    pub ended: Option<i64>,
    /// What was done with it so far.
    pub state: JudgingState,
    /// The verdict; `None` if it is not finished, or for the reason in `error`.
    pub verdict: Option<Verdict>,
    /// The points.
    pub score: Option<Score>,
    /// The maximum points.
    pub max_score: Option<Score>,
    /// Why a finished submission has no verdict: the problem can't be prepared, the language is not installed, or the
    /// judge failed.
    pub error: Option<String>,
}

/// The submissions that [`JudgingQueue::list`](super::JudgingQueue::list) returns. The default is all of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SubmissionFilter {
    /// Only those of this person.
    pub person: Option<String>,
    /// Only those of this problem.
    pub problem: Option<ProblemId>,
    /// Only those that are judged so.
    pub kind: Option<SubmissionKind>,
    /// Only those in this state.
    pub state: Option<JudgingState>,
    /// Only those that were submitted before this one.
    pub before: Option<SubmissionId>,
    /// At most this number; 1,000 if there is none, or a larger one.
    pub limit: Option<u32>,
}

/// What a person's submissions of kind [`SubmissionKind::Submit`] say about a problem.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ProblemStanding {
    /// The id of the problem.
    pub problem: ProblemId,
    /// Whether one was accepted.
    pub solved: bool,
    /// The verdict of the last one; `None` if it has none.
    pub last_verdict: Option<Verdict>,
    /// When the last one was submitted, in milliseconds since 1970.
    pub last_at: i64,
    /// The number of submissions.
    pub submissions: u64,
}

/// An event of a submission's log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredEvent {
    /// The number, from 0 without gaps.
    pub number: u64,
    /// The [`Event`](crate::model::Event) as JSON. Its run is the id of the submission.
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
