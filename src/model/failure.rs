//! Why something could not be done: the person's file is wrong, or we failed.

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
}

impl Fault {
    /// The first fault of an inconclusive outcome, which has one at least.
    pub fn first_of(faults: &[Fault]) -> Fault {
        faults.first().cloned().unwrap_or_else(|| Fault::new(FaultKind::Worker, "no fault was told"))
    }
}
