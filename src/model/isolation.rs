//! The isolation of programs from the machine.

use serde::{Deserialize, Serialize};

/// How strong the isolation is; `A` is the strongest, and `Level::A < Level::D`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Level {
    /// Namespaces, system call filter, Landlock and a control group.
    A,
    /// The same without a control group.
    B,
    /// No user namespaces: Landlock, filter and resource limits.
    C,
    /// Resource limits only: no protection against a hostile program.
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

/// The isolation in force, and what it lacks, with reasons.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Isolation {
    /// Its level.
    pub level: Level,
    /// Whether every run gets process and IPC namespaces and a scratch space of its own.
    #[serde(default)]
    pub strict: bool,
    /// What stronger levels need and this machine lacks, with reasons.
    pub missing: Vec<String>,
}

impl Isolation {
    /// This level, without remarks.
    pub fn of(level: Level) -> Isolation {
        Isolation { level, strict: false, missing: Vec::new() }
    }

    /// The level in a word or two: `A`, or `A, strict`.
    pub fn name(&self) -> String {
        let strict = if self.strict { ", strict" } else { "" };
        format!("{}{strict}", self.level)
    }
}
