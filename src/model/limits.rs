//! The resources that a program may use in one run.

use serde::{Deserialize, Serialize};

use super::{ByteSize, TimeSpan};

/// The limits of one run. All are required; for a run that needs no limit, a large number is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Limits {
    /// CPU time of the whole process tree.
    pub cpu: TimeSpan,
    /// Wall time from start to end.
    pub wall: TimeSpan,
    /// Peak memory of the whole process tree. The stack may use all of it.
    pub memory: ByteSize,
    /// Number of bytes written to standard output, standard error and files, together.
    pub output: ByteSize,
    /// Number of processes and threads alive at the same time.
    pub processes: u32,
}

/// Returns the wall time limit for a CPU time limit, unless another one is set: twice the CPU time plus half a second.
/// A program that only sleeps is stopped at this limit.
pub fn default_wall(cpu: TimeSpan) -> TimeSpan {
    cpu.times(2).plus(TimeSpan::millis(500))
}
