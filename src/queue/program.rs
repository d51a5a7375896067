//! A new submission.

use super::job::JobSpec;

/// A program that is submitted, with the part of its first job that never changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewProgram {
    /// The constant part of the first job. `submission` is the id of the new submission, and `owner` is the id of the
    /// person who submits it.
    pub spec: JobSpec,
    /// The id of the problem.
    pub problem: String,
    /// The name of the source file.
    pub name: String,
    /// The language that the person named, if any.
    pub language: Option<String>,
    /// The kind of the submission, such as `submit` or `samples`.
    pub kind: String,
    /// The content of the source file, or a message of the coordinator's process that contains it.
    pub source: Vec<u8>,
    /// The input on which the program runs; `None` for kinds of submissions without their own input.
    pub input: Option<Vec<u8>>,
    /// The conditions under which an earlier result is reused: the first result with this key and these conditions, if
    /// any, becomes the result, and the program is not judged. `None` if the program is always judged.
    pub reuse: Option<String>,
}
