//! Events of a run. The terminal output, the JSON output and all other front ends share [`Event`], and its serialized
//! form is the wire format.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::wire;
use super::{
    ByteSize, Capture, CaseId, Credit, Exit, Fault, Isolation, Level, Outcome, Points, ProblemId, Score, TimeSpan,
    Usage, Verdict,
};

/// The version of the wire form, written with the first event of a run. It is increased when readers must be adapted;
/// an event of a newer version is rejected.
pub const FORMAT: u32 = 1;

/// The id of a run of a program on a problem. Runs on different machines almost certainly have different ids.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RunId(String);

impl RunId {
    /// Creates an id from its text.
    pub fn new(text: impl Into<String>) -> RunId {
        RunId(text.into())
    }

    /// Returns the id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// An event of a run.
///
/// Events with a number are the log of the run: they are in case order and, apart from times, do not depend on the
/// number of workers. The first is [`EventKind::RunStarted`], the last [`EventKind::RunFinished`]. Events without a
/// number are [`EventKind::Progress`]: they are sent immediately, in any order, and are not part of the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// The kind of the event and its data.
    #[serde(flatten)]
    pub kind: EventKind,
    /// The index in the log, from 0; `None` for progress.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u64>,
    /// The id of the run.
    pub run: RunId,
    /// The time since the start of the run.
    #[serde(rename = "at_ms", with = "wire::millis")]
    pub at: TimeSpan,
}

/// The kinds of events, with their data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum EventKind {
    /// The run started. This is the first event of the log.
    RunStarted {
        /// The id of the problem.
        problem: ProblemId,
        /// The name of the program, as the user specified it.
        program: String,
        /// The id of the program's language.
        language: String,
        /// The number of cases in the plan.
        cases: usize,
        /// The isolation in effect, with the requirements of stronger levels that are not met.
        #[serde(flatten, with = "wire::isolation")]
        isolation: Isolation,
    },
    /// The compiler was started.
    BuildStarted {
        /// The id of the program's language.
        language: String,
    },
    /// The compiler ended.
    BuildFinished {
        /// Whether the executable was taken from the build cache.
        cached: bool,
        /// The wall time of the compiler.
        #[serde(rename = "wall_ms", with = "wire::millis")]
        wall: TimeSpan,
        /// The compiler's output without surrounding white space, if the program does not compile.
        error: Option<String>,
    },
    /// The case was started, and all cases before it are judged, skipped or faulted.
    CaseStarted {
        /// The id of the case.
        case: CaseId,
        /// The name of the case's group.
        group: String,
    },
    /// A case was judged.
    CaseFinished(Box<CaseResult>),
    /// A case was skipped.
    CaseSkipped {
        /// The id of the case.
        case: CaseId,
        /// The name of the case's group.
        group: String,
        /// The reason, as a sentence without a full stop.
        reason: String,
    },
    /// A case could not be judged because the judge failed.
    CaseFaulted {
        /// The id of the case.
        case: CaseId,
        /// The name of the case's group.
        group: String,
        /// The judge's error.
        #[serde(flatten, with = "wire::case_fault")]
        fault: Fault,
    },
    /// Every case of a group was judged, skipped or faulted.
    GroupFinished(GroupResult),
    /// The run made progress. This event is not part of the log.
    Progress(Activity),
    /// The run ended. This is the last event of the log.
    RunFinished(RunSummary),
}

/// An event as it is stored in the log: with its index, and without the run and the time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogEntry {
    /// The kind of the event and its data.
    #[serde(flatten)]
    pub kind: EventKind,
    /// The index in the log, from 0.
    pub number: u64,
}

/// The kinds of progress of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "activity", rename_all = "snake_case")]
pub enum Activity {
    /// The run waits until another run of the same service releases a slot.
    WaitingForSlot,
    /// The test data of the problem is being generated, before the run starts.
    MakingTestData {
        /// The number of cases generated so far.
        done: usize,
        /// The number of cases to generate.
        total: usize,
    },
    /// The time limit is being derived from the run time of a model solution.
    MeasuringTimeLimit {
        /// The name of the model solution.
        program: String,
    },
    /// The program was started on a case.
    RunningCase {
        /// The id of the case.
        case: CaseId,
    },
    /// The program exceeded the wall limit or used too much CPU time while other programs ran. It will be run on this
    /// case again while no other program runs.
    WaitingToRunAlone {
        /// The id of the case.
        case: CaseId,
    },
    /// The program was started on a case again, while no other program of the service runs.
    RunningAlone {
        /// The id of the case.
        case: CaseId,
    },
    /// A case was judged. Its [`EventKind::CaseFinished`] follows when all cases before it are judged, skipped or
    /// faulted.
    JudgedCase {
        /// The id of the case.
        case: CaseId,
        /// The verdict on the case.
        verdict: Verdict,
    },
}

/// The result of one case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseResult {
    /// The id of the case.
    pub case: CaseId,
    /// The name of the case's group.
    pub group: String,
    /// The verdict on the case.
    pub verdict: Verdict,
    /// The resources that the run used; with several passes, the maximum of each.
    #[serde(flatten, with = "wire::usage")]
    pub usage: Usage,
    /// The credit for the case.
    #[serde(with = "wire::credit")]
    pub credit: Credit,
    /// The points that the output validator awarded in `score.txt`; `None` if it awarded none, or if the credit
    /// expresses them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<Points>,
    /// The exit status of the program.
    #[serde(flatten, with = "wire::exit")]
    pub exit: Exit,
    /// The position at which the output first differs from the answer, if a built-in checker compared them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difference: Option<Difference>,
    /// The message to the author of the submission from the checker, the interactor or the judge, if there is any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The beginning of the program's standard error.
    #[serde(default, skip_serializing_if = "wire::is_default")]
    pub stderr: Capture,
}

/// The first difference between an output and the answer file.
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
    /// Number of the first token that differs, or of the first line that differs if the checker compares lines, from 1.
    pub index: u64,
    /// The expected text, truncated; `None` at the end of the answer.
    pub expected: Option<String>,
    /// The text in the output, truncated; `None` at the end of the output.
    pub actual: Option<String>,
    /// A description of the difference.
    pub message: String,
}

/// The result of a test group in a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupResult {
    /// The name of the group.
    pub group: String,
    /// The verdict on the group; `None` if no case of the group was judged.
    pub verdict: Option<Verdict>,
    /// The points that the program earned in this group.
    pub score: Score,
    /// The maximum points that a program can earn in this group.
    pub max_score: Score,
}

/// The result of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunSummary {
    /// The id of the problem.
    pub problem: ProblemId,
    /// The name of the program, as the user specified it.
    pub program: String,
    /// The verdict and the score, or the judge's errors.
    #[serde(flatten, with = "wire::outcome")]
    pub outcome: Outcome,
    /// The maximum points that a program can earn in the run.
    pub max_score: Score,
    /// The number of cases.
    pub cases: usize,
    /// The number of accepted cases.
    pub accepted: usize,
    /// The id of the case with the largest CPU time, and that time; `None` if no case was judged.
    #[serde(with = "wire::slowest")]
    pub slowest: Option<(CaseId, TimeSpan)>,
    /// The largest peak memory among the judged cases.
    #[serde(rename = "memory_bytes", with = "wire::bytes")]
    pub memory: ByteSize,
    /// The level of isolation that was in effect.
    pub isolation: Level,
}
