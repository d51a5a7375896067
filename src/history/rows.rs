//! The rows of the history.

use crate::model::{ByteSize, Score, TimeSpan, Verdict};

use super::key::ProblemKey;

/// A run to record.
#[derive(Debug, Clone, PartialEq)]
pub struct NewRun {
    /// The problem.
    pub problem: ProblemKey,
    /// The id of the problem.
    pub id: String,
    /// The problem's title.
    pub title: String,
    /// The absolute path of the program.
    pub program: String,
    /// The id of the program's language.
    pub language: String,
    /// The verdict.
    pub verdict: Verdict,
    /// The points, and the maximum.
    pub score: (Score, Score),
    /// The number of accepted cases, and of all cases.
    pub cases: (u32, u32),
    /// The CPU time of the slowest case.
    pub time: Option<TimeSpan>,
    /// The largest peak memory of a case.
    pub memory: ByteSize,
    /// Whether the program was judged on all cases with the problem's limits.
    pub whole: bool,
}

/// A recorded run.
#[derive(Debug, Clone, PartialEq)]
pub struct HistoryRow {
    /// Time at which the run ended, in seconds since 1970.
    pub at: i64,
    /// The run. Its title is empty if it was recorded by an earlier version, which kept only solved problems; then it
    /// has no language and no cases either.
    pub run: NewRun,
}

/// The runs that [`HistoryStore::runs`](super::HistoryStore::runs) returns. The default is all of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HistoryFilter {
    /// Only runs on the problem with this key or on those in folders below it, or with this id.
    pub problem: Option<(ProblemKey, String)>,
    /// Only runs with one of these verdicts; any if empty.
    pub verdicts: Vec<Verdict>,
    /// Only runs since this time, in seconds since 1970.
    pub since: Option<i64>,
    /// Only runs of programs in this language.
    pub language: Option<String>,
    /// The maximum number of runs.
    pub limit: Option<u32>,
}

/// The record of a problem in the history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownProblem {
    /// The problem.
    pub key: ProblemKey,
    /// The id of the problem.
    pub id: String,
    /// The title, or an empty text.
    pub title: String,
    /// The address of the statement, if the problem was received from the browser.
    pub url: String,
    /// Time at which the problem was last received from the browser, in seconds since 1970.
    pub received: Option<i64>,
    /// A summary of the runs on the problem; `None` if there were none.
    pub standing: Option<RunStanding>,
}

impl KnownProblem {
    /// Returns the time of the latest run or reception, in seconds since 1970.
    pub fn latest(&self) -> i64 {
        self.standing.as_ref().map(|standing| standing.last_at).max(self.received).unwrap_or(0)
    }

    /// Whether a program was accepted on all cases.
    pub fn solved(&self) -> bool {
        self.standing.as_ref().is_some_and(|standing| standing.solved)
    }
}

/// A summary of the runs on a problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunStanding {
    /// Whether a program was accepted on all cases with the problem's limits.
    pub solved: bool,
    /// Time at which the latest run ended, in seconds since 1970.
    pub last_at: i64,
    /// The verdict of the latest run.
    pub last_verdict: Verdict,
    /// The program of the latest run.
    pub last_program: String,
    /// The number of runs.
    pub runs: u64,
}
