//! The evidence for a case that was not accepted.

use serde::{Deserialize, Serialize};

use super::{CaseId, CaseResult, RawBytes, Transcript};

/// A case that was not accepted, with what is needed to show why. It holds no paths, so that it can be shown elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedCase {
    /// The result.
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
    /// The case.
    pub case: CaseId,
    /// The dialogue.
    pub transcript: Transcript,
}
