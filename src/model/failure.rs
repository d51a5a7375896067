//! Why something could not be done: the person's file is wrong, or we failed.

use std::fmt::Display;
use std::path::Path;

use super::{Diagnostic, Fault, FaultKind};

/// A complaint about what a person wrote, or a confession of ours.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// Something a person wrote is wrong.
    #[error(transparent)]
    Complaint(#[from] Diagnostic),
    /// We failed.
    #[error(transparent)]
    Fault(#[from] Fault),
}

impl Failure {
    /// A complaint without a place.
    pub fn complaint(message: impl Into<String>) -> Failure {
        Failure::Complaint(Diagnostic::new(message))
    }

    /// A fault of ours.
    pub fn fault(kind: FaultKind, message: impl Into<String>) -> Failure {
        Failure::Fault(Fault::new(kind, message))
    }

    /// A file of ours, or one that was asked for, can't be written.
    pub fn unwritable(path: &Path, error: &dyn Display) -> Failure {
        Failure::fault(FaultKind::Data, format!("{} can't be written: {error}", path.display()))
    }
}

impl Fault {
    /// The first fault of an inconclusive outcome, which has one at least.
    pub fn first_of(faults: &[Fault]) -> Fault {
        faults.first().cloned().unwrap_or_else(|| Fault::new(FaultKind::Worker, "no fault was told"))
    }
}
