//! One thing that was checked about a problem.

use serde_json::{Map, Value};

/// The most lines that are shown of what a program said.
const MOST_WORDS: usize = 20;

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
    /// What does not fail it and should be looked at all the same.
    pub warnings: Vec<String>,
}

impl Check {
    /// A check that came out like this.
    pub fn new(name: impl Into<String>, status: Status, detail: impl Into<String>) -> Check {
        Check {
            name: name.into(),
            status,
            detail: detail.into(),
            figures: Map::new(),
            notes: String::new(),
            warnings: Vec::new(),
        }
    }

    /// The class and the word of the mark that people see before it.
    pub fn mark(&self) -> (&'static str, &'static str) {
        match self.status {
            Status::Pass if self.warnings.is_empty() => ("pass", "pass"),
            Status::Pass => ("warn", "warn"),
            Status::Fail => ("fail", "FAIL"),
            Status::Skip => ("skip", "skip"),
        }
    }

    /// With something to read beneath it.
    #[must_use]
    pub fn with_notes(self, notes: String) -> Check {
        Check { notes, ..self }
    }

    /// With the first lines of what a program said (a compiler may say thousands) to read beneath it.
    #[must_use]
    pub(super) fn with_words(self, words: &str) -> Check {
        let head = words.lines().take(MOST_WORDS).map(|line| format!("{line}\n"));
        let more = words.lines().count().saturating_sub(MOST_WORDS);
        let rest = (more > 0).then(|| format!("… and {more} more lines\n"));
        self.with_notes(head.chain(rest).collect())
    }

    /// With a warning.
    #[must_use]
    pub fn warn(mut self, warning: impl Into<String>) -> Check {
        self.warnings.push(warning.into());
        self
    }

    /// With a figure.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Check {
        self.figures.insert(name.to_owned(), value.into());
        self
    }
}
