//! The exit codes, all of them, and how an ending becomes one.

use std::process::ExitCode;

use nimatron::model::{Diagnostic, Failure, Fault, Outcome};

/// How a command ended. The numbers are a promise to scripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// As expected: accepted, verified, made.
    Good = 0,
    /// Judged, and not as expected.
    Bad = 1,
    /// Usage, or something a person wrote that cannot be read.
    Usage = 2,
    /// Our own failure.
    Fault = 3,
}

impl Ending {
    /// The ending of a run with this outcome.
    pub fn of(outcome: &Outcome) -> Ending {
        match outcome {
            Outcome::Final { verdict, .. } if verdict.accepted() => Ending::Good,
            Outcome::Final { .. } => Ending::Bad,
            Outcome::Inconclusive { .. } => Ending::Fault,
        }
    }
}

impl From<Ending> for ExitCode {
    fn from(ending: Ending) -> ExitCode {
        ExitCode::from(ending as u8)
    }
}

/// Why a command stopped before its end.
#[derive(Debug)]
pub enum Stop {
    /// Something is wrong with what a person wrote, or with us.
    Failure(Failure),
    /// Standard output could not be written.
    Output(std::io::Error),
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Stop {
        Stop::Failure(failure)
    }
}

impl From<Diagnostic> for Stop {
    fn from(complaint: Diagnostic) -> Stop {
        Stop::Failure(complaint.into())
    }
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Stop {
        Stop::Failure(fault.into())
    }
}

impl From<std::io::Error> for Stop {
    fn from(error: std::io::Error) -> Stop {
        Stop::Output(error)
    }
}

/// What a command returns.
pub type Result<T = Ending> = std::result::Result<T, Stop>;
