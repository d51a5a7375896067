//! The evidence for a case that was not accepted.

use serde::{Deserialize, Serialize};

use super::{CaseId, CaseResult, RawBytes, Transcript};

/// A case that was not accepted, with the data that shows the reason. It contains no paths, so it can be shown on
/// another machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedCase {
    /// The result of the case.
    pub result: CaseResult,
    /// The head of the input.
    pub input: RawBytes,
    /// The head of the answer.
    pub answer: RawBytes,
    /// The head of the program's output.
    pub output: RawBytes,
}

/// The dialogue of a program and an interactor on one case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseDialogue {
    /// The id of the case.
    pub case: CaseId,
    /// The recorded messages.
    pub transcript: Transcript,
}
