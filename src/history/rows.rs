//! The rows of the history.

use crate::model::{ByteSize, Score, TimeSpan, Verdict};

use super::key::ProblemKey;

/// A run to record.
#[derive(Debug, Clone, PartialEq)]
pub struct NewRun {
    /// The key of the problem.
    pub problem: ProblemKey,
    /// The id of the problem.
    pub id: String,
    /// The title of the problem.
    pub title: String,
    /// The absolute path of the program.
    pub program: String,
    /// The id of the program's language.
    pub language: String,
    /// The verdict on the program.
    pub verdict: Verdict,
    /// The points of the program and the maximum points.
    pub score: (Score, Score),
    /// The number of accepted cases and the number of all cases.
    pub cases: (u32, u32),
    /// The CPU time of the slowest case, if a case was judged.
    pub time: Option<TimeSpan>,
    /// The maximum peak memory over all cases.
    pub memory: ByteSize,
    /// Whether the program was judged on all cases with the problem's limits.
    pub whole: bool,
}

/// A recorded run.
#[derive(Debug, Clone, PartialEq)]
pub struct HistoryRow {
    /// Time at which the run ended, in seconds since the Unix epoch.
    pub at: i64,
    /// The run. If it was copied from the record of solved problems that earlier versions wrote, it has no title,
    /// language, cases or points.
    pub run: NewRun,
}

/// The conditions for the runs that [`HistoryStore::runs`](super::HistoryStore::runs) returns. The default has no
/// conditions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HistoryFilter {
    /// If set, only runs on the problem with this key, on problems in subfolders of its path, or on problems with this
    /// id are returned.
    pub problem: Option<(ProblemKey, String)>,
    /// If not empty, only runs with one of these verdicts are returned.
    pub verdicts: Vec<Verdict>,
    /// If set, only runs since this time are returned, in seconds since the Unix epoch.
    pub since: Option<i64>,
    /// If set, only runs of programs in this language are returned.
    pub language: Option<String>,
    /// The maximum number of runs; the latest are returned.
    pub limit: Option<u32>,
}

/// The record of a problem in the history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownProblem {
    /// The key of the problem.
    pub key: ProblemKey,
    /// The id of the problem.
    pub id: String,
    /// The title; empty if it is not known.
    pub title: String,
    /// The URL of the statement; empty unless the problem was received from the browser.
    pub url: String,
    /// The time at which the problem was last received from the browser, in seconds since the Unix epoch; `None` if it
    /// was never received.
    pub received: Option<i64>,
    /// A summary of the runs on the problem; `None` if there were none.
    pub standing: Option<RunStanding>,
}

impl KnownProblem {
    /// Returns the time of the latest run or the time at which the problem was last received, whichever is later, in
    /// seconds since the Unix epoch.
    pub fn latest(&self) -> i64 {
        self.standing.as_ref().map(|standing| standing.last_at).max(self.received).unwrap_or(0)
    }

    /// Returns true if a program was accepted on all cases with the problem's limits.
    pub fn solved(&self) -> bool {
        self.standing.as_ref().is_some_and(|standing| standing.solved)
    }
}

/// A summary of the runs on a problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunStanding {
    /// Whether a program was accepted on all cases with the problem's limits.
    pub solved: bool,
    /// Time at which the latest run ended, in seconds since the Unix epoch.
    pub last_at: i64,
    /// The verdict of the latest run.
    pub last_verdict: Verdict,
    /// The program of the latest run.
    pub last_program: String,
    /// The number of runs.
    pub runs: u64,
}
