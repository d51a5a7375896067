//! The result of one check of a problem.

use serde_json::{Map, Value};

use crate::model::counted;

/// Maximum number of lines of a program's message that are shown.
const MOST_WORDS: usize = 20;

/// Status of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// The check passed.
    Pass,
    /// The check failed.
    Fail,
    /// The check was not performed; the detail contains the reason.
    Skip,
}

impl Status {
    /// Returns the name of the status in JSON lines. Other programs rely on these names.
    pub fn name(self) -> &'static str {
        match self {
            Status::Pass => "pass",
            Status::Fail => "fail",
            Status::Skip => "skip",
        }
    }
}

/// The result of a check.
#[derive(Debug, Clone, PartialEq)]
pub struct Check {
    /// Subject of the check, such as `inputs`, `lock` or the name of a solution.
    pub name: String,
    /// Status of the check.
    pub status: Status,
    /// Description of the result, with the error if the check failed.
    pub detail: String,
    /// Figures for the JSON output.
    pub figures: Map<String, Value>,
    /// Notes shown below the check; each line ends with a line break.
    pub notes: String,
    /// Warnings, which do not make the check fail.
    pub warnings: Vec<String>,
    /// Whether the result was reused from an earlier verification, since the files and settings that determine it have
    /// not changed.
    pub cached: bool,
}

impl Check {
    /// Creates a check without figures, notes or warnings.
    pub fn new(name: impl Into<String>, status: Status, detail: impl Into<String>) -> Check {
        Check {
            name: name.into(),
            status,
            detail: detail.into(),
            figures: Map::new(),
            notes: String::new(),
            warnings: Vec::new(),
            cached: false,
        }
    }

    /// Returns the CSS class and the label of the check, which depend on its status and, if it passed, on whether it
    /// has warnings.
    pub fn mark(&self) -> (&'static str, &'static str) {
        match self.status {
            Status::Pass if self.warnings.is_empty() => ("pass", "pass"),
            Status::Pass => ("warn", "warn"),
            Status::Fail => ("fail", "FAIL"),
            Status::Skip => ("skip", "skip"),
        }
    }

    /// Sets the notes, which are printed below the check.
    #[must_use]
    pub fn with_notes(self, notes: String) -> Check {
        Check { notes, ..self }
    }

    /// Sets the notes to the first [`MOST_WORDS`] lines of a message and the number of omitted lines. Compilers may
    /// print thousands of lines.
    #[must_use]
    pub(super) fn with_words(self, words: &str) -> Check {
        let head = words.lines().take(MOST_WORDS).map(|line| format!("{line}\n"));
        let more = words.lines().count().saturating_sub(MOST_WORDS);
        let rest = (more > 0).then(|| format!("… and {}\n", counted(more, "more line", "more lines")));
        self.with_notes(head.chain(rest).collect())
    }

    /// Adds a warning.
    #[must_use]
    pub fn warn(mut self, warning: impl Into<String>) -> Check {
        self.warnings.push(warning.into());
        self
    }

    /// Adds a figure to the JSON output of the check.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Check {
        self.figures.insert(name.to_owned(), value.into());
        self
    }
}
