//! What happens while a program is judged. One type serves the terminal, the JSON lines, and any other front; its
//! serialised form is the wire form, and [`Event`] reads it back.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::wire;
use super::{
    ByteSize, Capture, CaseId, Credit, Exit, Fault, Isolation, Level, Outcome, Points, ProblemId, Score, TimeSpan,
    Usage, Verdict,
};

/// The version of the wire form, written with the first event of a run. It grows when a reader would have to change; an
/// event of a newer version is refused.
pub const FORMAT: u32 = 1;

/// Identifies a run of a program on a problem, on any machine.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RunId(String);

impl RunId {
    /// An id with this text.
    pub fn new(text: impl Into<String>) -> RunId {
        RunId(text.into())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// One thing that happened in a run.
///
/// Events with a number are the log of the run: they come in case order and, apart from times, do not depend on the number
/// of workers. The first is [`EventKind::RunStarted`], the last [`EventKind::RunFinished`]. Events without a number are
/// [`EventKind::Progress`]: they come as things happen, in any order, and are not kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// What happened.
    #[serde(flatten)]
    pub kind: EventKind,
    /// The place in the log, from 0; `None` for progress.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u64>,
    /// The run.
    pub run: RunId,
    /// The time since the start of the run.
    #[serde(rename = "at_ms", with = "wire::millis")]
    pub at: TimeSpan,
}

/// The kinds of events.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum EventKind {
    /// The run began.
    RunStarted {
        /// The problem.
        problem: ProblemId,
        /// The program, as the user named it.
        program: String,
        /// The id of the program's language.
        language: String,
        /// The number of cases in the plan.
        cases: usize,
        /// The isolation in force, and what it lacks.
        #[serde(flatten, with = "wire::isolation")]
        isolation: Isolation,
    },
    /// The compiler was started.
    BuildStarted {
        /// The language's id.
        language: String,
    },
    /// The compiler ended.
    BuildFinished {
        /// Whether the build came from the cache.
        cached: bool,
        /// Wall time.
        #[serde(rename = "wall_ms", with = "wire::millis")]
        wall: TimeSpan,
        /// What the compiler printed, trimmed, if the program does not compile.
        error: Option<String>,
    },
    /// The case is the next one in case order, and is running.
    CaseStarted {
        /// The case.
        case: CaseId,
        /// Its group.
        group: String,
    },
    /// A case was judged.
    CaseFinished(Box<CaseResult>),
    /// A case was not run.
    CaseSkipped {
        /// The case.
        case: CaseId,
        /// Its group.
        group: String,
        /// The reason, as a sentence without a full stop.
        reason: String,
    },
    /// The judge failed at a case.
    CaseFaulted {
        /// The case.
        case: CaseId,
        /// Its group.
        group: String,
        /// The judge's error.
        #[serde(flatten, with = "wire::case_fault")]
        fault: Fault,
    },
    /// All cases of a group are settled.
    GroupFinished(GroupResult),
    /// What the run is doing now.
    Progress(Activity),
    /// The run is over.
    RunFinished(RunSummary),
}

/// An event of the log, as it is kept: with its place in the log, and without the run and the time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogEntry {
    /// What happened.
    #[serde(flatten)]
    pub kind: EventKind,
    /// The place in the log, from 0.
    pub number: u64,
}

/// What a run is doing now: for progress displays, in the order in which it happens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "activity", rename_all = "snake_case")]
pub enum Activity {
    /// The run waits until another run of the same service releases a slot.
    WaitingForSlot,
    /// The time limit is derived from this program of the problem.
    MeasuringTimeLimit {
        /// The program's name.
        program: String,
    },
    /// The program runs on a case.
    RunningCase {
        /// The case.
        case: CaseId,
    },
    /// The program was stopped by the clock or used too much CPU time beside other programs. It waits until it can run
    /// on this case alone.
    WaitingToRunAlone {
        /// The case.
        case: CaseId,
    },
    /// The program runs on this case again, while no other program of the service runs.
    RunningAlone {
        /// The case.
        case: CaseId,
    },
    /// A case was judged; its [`EventKind::CaseFinished`] comes when all cases before it are settled.
    JudgedCase {
        /// The case.
        case: CaseId,
        /// Its verdict.
        verdict: Verdict,
    },
}

/// The result of one case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseResult {
    /// The case.
    pub case: CaseId,
    /// Its group.
    pub group: String,
    /// The verdict.
    pub verdict: Verdict,
    /// What the run used; where there are several passes, the largest of each.
    #[serde(flatten, with = "wire::usage")]
    pub usage: Usage,
    /// The share of the case that was right.
    #[serde(with = "wire::credit")]
    pub credit: Credit,
    /// The points that a validator gave, where it gives points and not a share.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<Points>,
    /// How the program ended.
    #[serde(flatten, with = "wire::exit")]
    pub exit: Exit,
    /// Where the output first differs from the answer, for a wrong answer of a built-in checker.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difference: Option<Difference>,
    /// The checker's message for the contestant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The head of the program's standard error.
    #[serde(default, skip_serializing_if = "wire::is_default")]
    pub stderr: Capture,
}

/// The first place where an output differs from the answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Difference {
    /// Line in the answer, from 1.
    pub expected_line: u64,
    /// Column in the answer, in bytes from 1.
    pub expected_column: u64,
    /// Line in the output, from 1.
    pub actual_line: u64,
    /// Column in the output, in bytes from 1.
    pub actual_column: u64,
    /// Number of the token or line that differs, from 1.
    pub index: u64,
    /// What was expected there, cut; none at the end of the answer.
    pub expected: Option<String>,
    /// What was found there, cut; none at the end of the output.
    pub actual: Option<String>,
    /// In words: what is wrong.
    pub message: String,
}

/// A group's result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupResult {
    /// Its name.
    pub group: String,
    /// Accepted, or the first verdict that is not; none if it was not run.
    pub verdict: Option<Verdict>,
    /// The points it earned.
    pub score: Score,
    /// The points it is worth.
    pub max_score: Score,
}

/// The result of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunSummary {
    /// The problem.
    pub problem: ProblemId,
    /// The program, as the user named it.
    pub program: String,
    /// The verdict and the score, or the judge's errors.
    #[serde(flatten, with = "wire::outcome")]
    pub outcome: Outcome,
    /// The most points there are.
    pub max_score: Score,
    /// The number of cases.
    pub cases: usize,
    /// The number of accepted cases.
    pub accepted: usize,
    /// The slowest case and its CPU time.
    #[serde(with = "wire::slowest")]
    pub slowest: Option<(CaseId, TimeSpan)>,
    /// The largest peak memory of a case.
    #[serde(rename = "memory_bytes", with = "wire::bytes")]
    pub memory: ByteSize,
    /// The isolation that was in force.
    pub isolation: Level,
}
