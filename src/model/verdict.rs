//! Verdicts on programs, and errors of the judge. An error of the judge is never a verdict.

use std::error::Error;
use std::fmt::Display;
use std::io;

use serde::{Deserialize, Serialize};

use super::Score;

/// A verdict on a program, on one case or on all cases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Verdict {
    /// Accepted: the output is correct and no limit was exceeded.
    #[serde(rename = "AC")]
    Accepted,
    /// Partially accepted: the output earns a share of the points.
    #[serde(rename = "PT")]
    Partial,
    /// Wrong answer: the output is not correct.
    #[serde(rename = "WA")]
    WrongAnswer,
    /// Presentation error: the format of the output is wrong, such as its white space.
    #[serde(rename = "PE")]
    PresentationError,
    /// Run-time error: a signal, an exit code other than 0, or too many processes.
    #[serde(rename = "RTE")]
    RuntimeError,
    /// The program exceeded the CPU time limit, or exceeded the wall time limit while it was running or runnable.
    #[serde(rename = "TLE")]
    TimeLimit,
    /// The program exceeded the wall time limit while it slept or waited for an event.
    #[serde(rename = "ILE")]
    IdleLimit,
    /// The memory limit was exceeded.
    #[serde(rename = "MLE")]
    MemoryLimit,
    /// The output size limit was exceeded.
    #[serde(rename = "OLE")]
    OutputLimit,
    /// The program made a forbidden system call.
    #[serde(rename = "SEC")]
    Forbidden,
    /// The program does not compile.
    #[serde(rename = "CE")]
    CompileError,
}

impl Verdict {
    /// All verdicts, in the order of their declaration.
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

    /// Returns the abbreviation, such as `AC` or `WA`.
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

    /// Returns the full name, such as `wrong answer`.
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

    /// Returns whether the verdict is [`Verdict::Accepted`].
    pub fn accepted(self) -> bool {
        self == Verdict::Accepted
    }
}

impl Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.short())
    }
}

/// The kind of a fault: the component that failed, or the reason why there is no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// The sandbox could not be created or did not respond.
    Sandbox,
    /// An auxiliary program, such as a checker, crashed, exceeded a limit or violated its protocol.
    Checker,
    /// A compiler or interpreter is missing or broken.
    Toolchain,
    /// Test data, a stored file or a database could not be created, read or written.
    Data,
    /// A report, a table, a file for download or a message could not be written.
    Output,
    /// The machine was too busy to measure a program's time.
    Overload,
    /// A thread panicked, or an internal invariant was violated. Earlier versions serialized this kind as `worker`.
    #[serde(alias = "worker")]
    Internal,
    /// The run was cancelled before its end.
    Cancelled,
}

impl Display for FaultKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            FaultKind::Sandbox => "sandbox",
            FaultKind::Checker => "checker",
            FaultKind::Toolchain => "toolchain",
            FaultKind::Data => "data",
            FaultKind::Output => "output",
            FaultKind::Overload => "overload",
            FaultKind::Internal => "internal",
            FaultKind::Cancelled => "cancelled",
        })
    }
}

/// An error of the judge, which is never a verdict on the program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{kind}: {message}")]
pub struct Fault {
    /// The kind of the fault.
    pub kind: FaultKind,
    /// The message. It names the path or object concerned, and contains a remedy if one is known.
    pub message: String,
    /// The operating system's error that caused the fault, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[source]
    pub os_error: Option<OsError>,
}

impl Fault {
    /// Creates a fault without an error of the operating system.
    pub fn new(kind: FaultKind, message: impl Into<String>) -> Fault {
        Fault { kind, message: message.into(), os_error: None }
    }

    /// Creates a fault caused by `error`, whose text is the message.
    pub fn io(kind: FaultKind, error: &io::Error) -> Fault {
        Fault { kind, message: error.to_string(), os_error: OsError::of(error) }
    }

    /// Prepends `context` and a colon to the message. `context` names the operation that failed, such as
    /// ``cannot write `a.txt` ``.
    #[must_use]
    pub fn context(mut self, context: impl Display) -> Fault {
        self.message = format!("{context}: {}", self.message);
        self
    }
}

/// An error number of the operating system (`errno`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct OsError(pub i32);

impl OsError {
    /// Returns the error number of `error`, or `None` if the operating system did not cause it.
    pub fn of(error: &io::Error) -> Option<OsError> {
        // An error of `fs_err` contains the number only in its message, which ends like a message of the standard
        // library.
        let in_message = || {
            let message = error.to_string();
            message.rsplit_once("(os error ")?.1.strip_suffix(')')?.parse().ok()
        };
        error.raw_os_error().or_else(in_message).map(OsError)
    }

    /// Returns true if the machine is the cause: it lacks a resource (space, memory, file descriptors), or a device or
    /// a system call failed. All other errors are attributed to the path or the file that the user specified.
    pub fn is_of_the_machine(self) -> bool {
        use rustix::io::Errno;
        [
            Errno::IO,
            Errno::NOSPC,
            Errno::DQUOT,
            Errno::MFILE,
            Errno::NFILE,
            Errno::NOMEM,
            Errno::NOBUFS,
            Errno::AGAIN,
            Errno::INTR,
            Errno::STALE,
        ]
        .iter()
        .any(|errno| errno.raw_os_error() == self.0)
    }
}

impl Display for OsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        io::Error::from_raw_os_error(self.0).fmt(f)
    }
}

impl Error for OsError {}

/// The outcome of a run: a verdict with its score, or errors of the judge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The program was judged.
    Final {
        /// The verdict on the whole program.
        verdict: Verdict,
        /// The points that the program earned.
        score: Score,
    },
    /// The judge failed, so there is no verdict.
    Inconclusive {
        /// The errors of the judge; at least one.
        faults: Vec<Fault>,
    },
}
