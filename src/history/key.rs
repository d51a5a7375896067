//! Keys that identify problems in the history.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::model::ProblemId;

/// The identity of a problem in the history: the path of its folder or archive, which starts with `/`, or the id of a
/// problem of the embedded set.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProblemKey(String);

impl ProblemKey {
    /// Returns the key of a problem of the embedded set.
    pub fn embedded(id: &ProblemId) -> ProblemKey {
        ProblemKey(id.to_string())
    }

    /// Returns the key of the problem in the folder or archive `path`: its canonical path, or its absolute path if the
    /// canonical path can't be determined.
    pub fn at(path: &Path) -> ProblemKey {
        let whole = path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_owned());
        ProblemKey(whole.to_string_lossy().into_owned())
    }

    /// Creates a key from its text in the database.
    pub(super) fn of_text(text: String) -> ProblemKey {
        ProblemKey(text)
    }

    /// Returns the key as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the folder or archive, or `None` for a problem of the embedded set.
    pub fn path(&self) -> Option<PathBuf> {
        self.0.starts_with('/').then(|| PathBuf::from(&self.0))
    }
}

impl fmt::Display for ProblemKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}
