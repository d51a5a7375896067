//! The measurements of one run of a program, without a [`Verdict`](super::Verdict).

use serde::{Deserialize, Serialize};

use super::{ByteSize, TimeSpan};

/// The resources that a run used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// CPU time (user and system) of the whole process tree.
    pub cpu: TimeSpan,
    /// Wall time from start to end.
    pub wall: TimeSpan,
    /// Peak memory of the whole process tree.
    pub memory: ByteSize,
    /// Instructions executed outside of the kernel by the whole process tree, if they were counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instructions: Option<u64>,
}

impl Usage {
    /// Returns the maximum of each resource.
    pub fn maximum(self, other: Usage) -> Usage {
        Usage {
            cpu: self.cpu.max(other.cpu),
            wall: self.wall.max(other.wall),
            memory: self.memory.max(other.memory),
            instructions: self.instructions.max(other.instructions),
        }
    }
}

/// The exit status of the first process of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Exit {
    /// The process exited with this code.
    Code(i32),
    /// The process was killed by this signal.
    Signal(i32),
}

impl Exit {
    /// Returns whether the exit code is 0.
    pub fn success(self) -> bool {
        self == Exit::Code(0)
    }
}

impl std::fmt::Display for Exit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Exit::Code(code) => write!(f, "exit code {code}"),
            Exit::Signal(signal) => match signal_name(signal) {
                Some((name, meaning)) => write!(f, "{name} ({meaning})"),
                None => write!(f, "signal {signal}"),
            },
        }
    }
}

/// Returns the name of a Linux signal and a description; `None` for a signal that is not in the table.
fn signal_name(signal: i32) -> Option<(&'static str, &'static str)> {
    Some(match signal {
        1 => ("SIGHUP", "hangup"),
        2 => ("SIGINT", "interrupt"),
        3 => ("SIGQUIT", "quit"),
        4 => ("SIGILL", "illegal instruction"),
        5 => ("SIGTRAP", "trap"),
        6 => ("SIGABRT", "abort: for example a failed assertion, an uncaught exception or corrupted memory"),
        7 => ("SIGBUS", "bus error"),
        8 => ("SIGFPE", "arithmetic error, such as division by zero"),
        9 => ("SIGKILL", "killed"),
        11 => ("SIGSEGV", "segmentation fault: invalid memory access or stack overflow"),
        13 => ("SIGPIPE", "wrote to a closed pipe"),
        14 => ("SIGALRM", "alarm"),
        15 => ("SIGTERM", "terminated"),
        24 => ("SIGXCPU", "CPU time limit"),
        25 => ("SIGXFSZ", "file size limit"),
        31 => ("SIGSYS", "forbidden system call"),
        _ => return None,
    })
}

/// The limit that a program exceeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Breach {
    /// The CPU time limit.
    Cpu,
    /// The wall time limit, while the program was running or runnable.
    Wall,
    /// The wall time limit, after the program had waited for a CPU most of the time because the machine was overloaded.
    Starved,
    /// The wall time limit, while the program slept or waited for an event.
    Idle,
    /// The memory limit.
    Memory,
    /// The output size limit.
    Output,
    /// The limit on the number of processes and threads.
    Processes,
    /// The system call filter: the program made a forbidden call.
    Syscall,
}

/// The beginning of an output stream.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Capture {
    /// The captured bytes as text, with U+FFFD in place of invalid UTF-8.
    pub text: String,
    /// The size of the stream in bytes.
    pub bytes: u64,
    /// Whether the stream is longer than `text`.
    pub cut: bool,
}

impl Capture {
    /// Captures the first `keep` bytes of `bytes`, which is the beginning of a stream of `total` bytes.
    pub fn new(bytes: &[u8], keep: usize, total: u64) -> Capture {
        let head = &bytes[..bytes.len().min(keep)];
        Capture { text: String::from_utf8_lossy(head).into_owned(), bytes: total, cut: total > head.len() as u64 }
    }
}

/// The measurements of one run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Execution {
    /// The exit status of the first process of the run.
    pub exit: Exit,
    /// The limit that the program exceeded, if any.
    pub breach: Option<Breach>,
    /// The resources that the run used.
    pub usage: Usage,
    /// The beginning of the program's standard error.
    pub stderr: Capture,
}
