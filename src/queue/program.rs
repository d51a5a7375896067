//! A new submission.

use super::job::JobSpec;

/// A program that is submitted, with the part of its first job that never changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewProgram {
    /// The constant part of the job. Its `submission` is the id of the submission, and its `owner` the person.
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
    /// The input on which the program runs; `None` for kinds of submissions without an input of their own.
    pub input: Option<Vec<u8>>,
    /// The conditions of which the first result of the same key, if there is one, becomes the result without judging the
    /// program; `None` if the program is judged in any case.
    pub reuse: Option<String>,
}
