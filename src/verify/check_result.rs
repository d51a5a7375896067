//! One thing that was checked about a problem.

use serde_json::{Map, Value};

/// Whether a check passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// It holds.
    Pass,
    /// It does not.
    Fail,
    /// It could not be looked at; the detail says why.
    Skip,
}

impl Status {
    /// The name that readers of the JSON lines rely on.
    pub fn name(self) -> &'static str {
        match self {
            Status::Pass => "pass",
            Status::Fail => "fail",
            Status::Skip => "skip",
        }
    }
}

/// What a check found.
#[derive(Debug, Clone, PartialEq)]
pub struct Check {
    /// What was checked: `spec`, `data`, `lock`, a solution.
    pub name: String,
    /// Whether it holds.
    pub status: Status,
    /// In words, with what is wrong.
    pub detail: String,
    /// Its figures, for programs.
    pub figures: Map<String, Value>,
    /// What there is to read beneath it, for people: lines, each ended.
    pub notes: String,
}

impl Check {
    /// A check that came out like this.
    pub fn new(name: impl Into<String>, status: Status, detail: impl Into<String>) -> Check {
        Check { name: name.into(), status, detail: detail.into(), figures: Map::new(), notes: String::new() }
    }

    /// With something to read beneath it.
    #[must_use]
    pub fn with_notes(self, notes: String) -> Check {
        Check { notes, ..self }
    }

    /// With a figure.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Check {
        self.figures.insert(name.to_owned(), value.into());
        self
    }
}
