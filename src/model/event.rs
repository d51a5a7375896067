//! What happens while a program is judged: one type for the terminal, the JSON line, the page and the recording.

use serde::{Deserialize, Serialize};

use super::{
    ByteSize, Capture, CaseId, Credit, Exit, Fault, Isolation, Level, Outcome, Points, ProblemId, Score, TimeSpan,
    Usage, Verdict,
};

/// The version of the event format. It grows when a reader would have to change.
pub const FORMAT: u32 = 1;

/// One thing that happened, with its number in the run (from 0).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// Its place in the order in which events leave.
    pub number: u64,
    /// What happened.
    pub kind: EventKind,
}

/// The kinds of things that happen. They leave in case order, whoever finishes first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EventKind {
    /// A run began.
    RunStarted {
        /// The problem.
        problem: ProblemId,
        /// The program, as the person named it.
        program: String,
        /// Its language's id.
        language: String,
        /// How many cases there are.
        cases: usize,
        /// The isolation in force, and what it lacks.
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
        /// How long it took on the clock.
        wall: TimeSpan,
        /// What the compiler said, trimmed, if it refused.
        error: Option<String>,
    },
    /// A case is about to run.
    CaseStarted {
        /// Which.
        case: CaseId,
        /// Its group.
        group: String,
    },
    /// A case was judged.
    CaseFinished(Box<CaseResult>),
    /// A case was not run.
    CaseSkipped {
        /// Which.
        case: CaseId,
        /// Its group.
        group: String,
        /// Why not.
        reason: String,
    },
    /// We failed at a case.
    CaseFaulted {
        /// Which.
        case: CaseId,
        /// Its group.
        group: String,
        /// How we failed.
        fault: Fault,
    },
    /// All cases of a group are done.
    GroupFinished(GroupResult),
    /// The run is over.
    RunFinished(RunSummary),
}

/// The judgement on one case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseResult {
    /// Which case.
    pub case: CaseId,
    /// Its group.
    pub group: String,
    /// The verdict.
    pub verdict: Verdict,
    /// The share of the case that was right.
    pub credit: Credit,
    /// The points that a validator gave, where it gives points and not a share.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<Points>,
    /// What the run used.
    pub usage: Usage,
    /// How the program ended.
    pub exit: Exit,
    /// What it wrote to standard error, cut.
    pub stderr: Capture,
    /// Where its output first differs, for a wrong answer.
    pub difference: Option<Difference>,
    /// What a checker program told the contestant.
    pub message: Option<String>,
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

/// The end of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunSummary {
    /// The problem.
    pub problem: ProblemId,
    /// The program, as the person named it.
    pub program: String,
    /// The judgement.
    pub outcome: Outcome,
    /// The points that could be had.
    pub max_score: Score,
    /// How many cases there are.
    pub cases: usize,
    /// How many of them were accepted.
    pub accepted: usize,
    /// The slowest case and its CPU time.
    pub slowest: Option<(CaseId, TimeSpan)>,
    /// The largest peak memory.
    pub memory: ByteSize,
    /// The isolation that was in force.
    pub isolation: Level,
}
