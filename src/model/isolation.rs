//! The isolation of programs from the machine.

use serde::{Deserialize, Serialize};

/// The strength of the isolation. `A` is the strongest level and compares less than the others: `Level::A < Level::D`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Level {
    /// Namespaces, system call filter, Landlock and a control group.
    A,
    /// Namespaces, system call filter and Landlock, without a control group.
    B,
    /// Landlock, system call filter and resource limits, without user namespaces.
    C,
    /// Resource limits only, which provide no protection against a hostile program.
    D,
}

impl std::fmt::Display for Level {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Level::A => "A",
            Level::B => "B",
            Level::C => "C",
            Level::D => "D",
        })
    }
}

/// The isolation in effect, with the requirements of stronger levels that this machine does not meet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Isolation {
    /// The level in effect.
    pub level: Level,
    /// Whether every run has separate PID and IPC namespaces and a separate scratch space.
    #[serde(default)]
    pub strict: bool,
    /// The requirements of stronger levels that this machine does not meet, each with the reason.
    pub missing: Vec<String>,
}

impl Isolation {
    /// Creates a non-strict [`Isolation`] at this level, with no missing requirements.
    pub fn of(level: Level) -> Isolation {
        Isolation { level, strict: false, missing: Vec::new() }
    }

    /// Returns the level as text: `A`, or `A, strict`.
    pub fn name(&self) -> String {
        let strict = if self.strict { ", strict" } else { "" };
        format!("{}{strict}", self.level)
    }
}
