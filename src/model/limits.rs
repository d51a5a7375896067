//! What a program may use in one run.

use serde::{Deserialize, Serialize};

use super::{Bytes, Span};

/// The limits of one run. None is optional: "no limit" is a large number somebody chose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Limits {
    /// CPU time of the whole process tree.
    pub cpu: Span,
    /// Time on the clock from start to end.
    pub wall: Span,
    /// Peak memory of the whole process tree. The stack may use all of it.
    pub memory: Bytes,
    /// Bytes written to standard output, standard error and to files, together.
    pub output: Bytes,
    /// Processes and threads alive at once.
    pub processes: u32,
}
