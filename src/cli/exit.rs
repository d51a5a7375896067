//! The exit codes, and the conversions of results and errors to exit codes.

use std::process::ExitCode;

use crate::model::{Diagnostic, Failure, Fault, Outcome};

/// The result of a command. The values are the exit codes, which never change, because scripts depend on them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The command succeeded, and every judged program or problem had the expected result.
    Good = 0,
    /// A program or problem was judged, and the result is not the expected one.
    Bad = 1,
    /// Invalid arguments, or a user's file that is invalid or cannot be read.
    Usage = 2,
    /// The judge failed, or the command was interrupted.
    Fault = 3,
}

impl Ending {
    /// Returns the result of a command that judged a program with the outcome `outcome`.
    pub(crate) fn of(outcome: &Outcome) -> Ending {
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

/// The reason why a command stopped early.
#[derive(Debug)]
pub enum EarlyExit {
    /// A user's file is invalid, or the judge failed.
    Failure(Failure),
    /// Standard output could not be written.
    Output(std::io::Error),
}

impl From<Failure> for EarlyExit {
    fn from(failure: Failure) -> EarlyExit {
        EarlyExit::Failure(failure)
    }
}

impl From<Diagnostic> for EarlyExit {
    fn from(complaint: Diagnostic) -> EarlyExit {
        EarlyExit::Failure(complaint.into())
    }
}

impl From<Fault> for EarlyExit {
    fn from(fault: Fault) -> EarlyExit {
        EarlyExit::Failure(fault.into())
    }
}

impl From<std::io::Error> for EarlyExit {
    fn from(error: std::io::Error) -> EarlyExit {
        EarlyExit::Output(error)
    }
}

/// The result of a command, or the reason why the command stopped early.
pub type Result<T = Ending> = std::result::Result<T, EarlyExit>;
