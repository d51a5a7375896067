//! The two kinds of errors: invalid user input, and errors of the judge.

use std::fmt::Display;
use std::path::Path;

use super::{Diagnostic, Fault, FaultKind};

/// An error: invalid user input, or an error of the judge.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The user's input is invalid.
    #[error(transparent)]
    Complaint(#[from] Diagnostic),
    /// The judge failed.
    #[error(transparent)]
    Fault(#[from] Fault),
}

impl Failure {
    /// Invalid user input, without a position.
    pub fn complaint(message: impl Into<String>) -> Failure {
        Failure::Complaint(Diagnostic::new(message))
    }

    /// An error of the judge.
    pub fn fault(kind: FaultKind, message: impl Into<String>) -> Failure {
        Failure::Fault(Fault::new(kind, message))
    }

    /// A file can't be written.
    pub fn unwritable(path: &Path, error: &dyn Display) -> Failure {
        Failure::fault(FaultKind::Data, format!("{} can't be written: {error}", path.display()))
    }
}

impl Fault {
    /// The first fault of an inconclusive outcome, which has at least one.
    pub fn first_of(faults: &[Fault]) -> Fault {
        faults.first().cloned().unwrap_or_else(|| Fault::new(FaultKind::Worker, "no fault was told"))
    }
}
