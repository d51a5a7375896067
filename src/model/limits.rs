//! The resources that a program may use in one run.

use serde::{Deserialize, Serialize};

use super::{ByteSize, TimeSpan};

/// The limits of one run. Every limit is required; a resource that needs no limit gets a large number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Limits {
    /// CPU time of the whole process tree.
    pub cpu: TimeSpan,
    /// Wall time from start to end.
    pub wall: TimeSpan,
    /// Peak memory of the whole process tree. The stack may use all of it.
    pub memory: ByteSize,
    /// Total number of bytes written to standard output, standard error and files.
    pub output: ByteSize,
    /// Number of processes and threads alive at the same time.
    pub processes: u32,
}

/// Returns the default wall time limit for the CPU time limit `cpu`: twice `cpu` plus half a second. A program that
/// only sleeps is stopped at the wall time limit.
pub fn default_wall(cpu: TimeSpan) -> TimeSpan {
    cpu.times(2).plus(TimeSpan::millis(500))
}
