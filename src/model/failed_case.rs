//! The data that shows why a case was not accepted.

use serde::{Deserialize, Serialize};

use super::{CaseId, CaseResult, RawBytes, Transcript};

/// A case that was not accepted, with the beginnings of its files. It contains no paths, so it can be shown on another
/// machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedCase {
    /// The result of the case.
    pub result: CaseResult,
    /// The beginning of the input.
    pub input: RawBytes,
    /// The beginning of the answer file.
    pub answer: RawBytes,
    /// The beginning of the program's output.
    pub output: RawBytes,
}

/// The dialogue of a program and an interactor on one case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseDialogue {
    /// The id of the case.
    pub case: CaseId,
    /// The data that both sides wrote.
    pub transcript: Transcript,
}
