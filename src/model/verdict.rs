//! Verdicts on programs, and errors of the judge. An error of the judge is never a verdict.

use serde::{Deserialize, Serialize};

use super::Score;

/// A verdict on a contestant's program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Verdict {
    /// The output is right, within all limits.
    #[serde(rename = "AC")]
    Accepted,
    /// The output is partially right; the score is its share.
    #[serde(rename = "PT")]
    Partial,
    /// Wrong answer.
    #[serde(rename = "WA")]
    WrongAnswer,
    /// The right words with the wrong white space.
    #[serde(rename = "PE")]
    PresentationError,
    /// A crash or an exit code other than 0.
    #[serde(rename = "RTE")]
    RuntimeError,
    /// More CPU time than allowed.
    #[serde(rename = "TLE")]
    TimeLimit,
    /// Slept or waited until the wall limit.
    #[serde(rename = "ILE")]
    IdleLimit,
    /// More memory than allowed.
    #[serde(rename = "MLE")]
    MemoryLimit,
    /// More output than allowed.
    #[serde(rename = "OLE")]
    OutputLimit,
    /// A forbidden system call.
    #[serde(rename = "SEC")]
    Forbidden,
    /// The program does not compile.
    #[serde(rename = "CE")]
    CompileError,
}

impl Verdict {
    /// All verdicts, in the order in which they are listed.
    pub const ALL: [Verdict; 11] = [
        Verdict::Accepted,
        Verdict::Partial,
        Verdict::WrongAnswer,
        Verdict::PresentationError,
        Verdict::RuntimeError,
        Verdict::TimeLimit,
        Verdict::IdleLimit,
        Verdict::MemoryLimit,
        Verdict::OutputLimit,
        Verdict::Forbidden,
        Verdict::CompileError,
    ];

    /// The short name: `AC`, `WA`, …
    pub const fn short(self) -> &'static str {
        match self {
            Verdict::Accepted => "AC",
            Verdict::Partial => "PT",
            Verdict::WrongAnswer => "WA",
            Verdict::PresentationError => "PE",
            Verdict::RuntimeError => "RTE",
            Verdict::TimeLimit => "TLE",
            Verdict::IdleLimit => "ILE",
            Verdict::MemoryLimit => "MLE",
            Verdict::OutputLimit => "OLE",
            Verdict::Forbidden => "SEC",
            Verdict::CompileError => "CE",
        }
    }

    /// The long name.
    pub const fn long(self) -> &'static str {
        match self {
            Verdict::Accepted => "accepted",
            Verdict::Partial => "partially accepted",
            Verdict::WrongAnswer => "wrong answer",
            Verdict::PresentationError => "presentation error",
            Verdict::RuntimeError => "run-time error",
            Verdict::TimeLimit => "time limit exceeded",
            Verdict::IdleLimit => "idle limit exceeded",
            Verdict::MemoryLimit => "memory limit exceeded",
            Verdict::OutputLimit => "output limit exceeded",
            Verdict::Forbidden => "forbidden system call",
            Verdict::CompileError => "compile error",
        }
    }

    /// Whether the program is accepted.
    pub fn accepted(self) -> bool {
        self == Verdict::Accepted
    }
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.short())
    }
}

/// Which part of the judge failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// The sandbox could not be made or did not answer.
    Sandbox,
    /// A checker or interactor crashed, exceeded a limit or violated its protocol.
    Checker,
    /// A compiler or interpreter is missing or broken.
    Toolchain,
    /// Test data could not be made or read.
    Data,
    /// A worker was lost.
    Worker,
    /// The run was cancelled before its end.
    Cancelled,
}

impl std::fmt::Display for FaultKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            FaultKind::Sandbox => "sandbox",
            FaultKind::Checker => "checker",
            FaultKind::Toolchain => "toolchain",
            FaultKind::Data => "data",
            FaultKind::Worker => "worker",
            FaultKind::Cancelled => "cancelled",
        })
    }
}

/// An error of the judge, which is never a verdict on the program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{kind}: {message}")]
pub struct Fault {
    /// Which part failed.
    pub kind: FaultKind,
    /// What happened, with the path or name it happened to, and what to do.
    pub message: String,
}

impl Fault {
    /// A fault of this kind.
    pub fn new(kind: FaultKind, message: impl Into<String>) -> Fault {
        Fault { kind, message: message.into() }
    }
}

/// The outcome of a run: a verdict with its score, or errors of the judge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// There is a verdict.
    Final {
        /// The verdict on the whole program.
        verdict: Verdict,
        /// The points it earned.
        score: Score,
    },
    /// The judge failed, so there is no verdict.
    Inconclusive {
        /// The errors, at least one.
        faults: Vec<Fault>,
    },
}
