//! Files of a download, and the submissions made of them.

use std::collections::BTreeSet;

use crate::model::{Digest, ProblemId};

/// A file of a download. Files in a zip have paths below the name of the zip.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Path in the download, with `/` as the separator, in composed Unicode (NFC).
    pub path: String,
    /// Time of the last change, in seconds since 1970.
    pub modified: Option<i64>,
    /// Whether the file is a source file: it has the extension of a known language, or its language was guessed.
    pub source: bool,
    /// The language that was guessed from the content of a text file.
    pub guessed: Option<GuessedLanguage>,
    /// Hash of the content, or the reason why it can't be read.
    pub content: Result<Digest, String>,
}

/// A language that was guessed from the content of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GuessedLanguage {
    /// Display name of the language.
    pub name: String,
    /// Extension of its files, without the dot.
    pub extension: String,
}

impl Listed {
    /// Whether the file's own extension is that of a source file.
    pub fn has_known_extension(&self) -> bool {
        self.source && self.guessed.is_none()
    }

    /// Returns the path, with the extension of the language if that was guessed.
    pub fn program_path(&self) -> String {
        match &self.guessed {
            Some(guessed) => {
                let stem = self.path.rsplit_once('.').map_or(self.path.as_str(), |(stem, _)| stem);
                format!("{stem}.{}", guessed.extension)
            }
            None => self.path.clone(),
        }
    }

    /// Returns the last component of [`Listed::program_path`].
    pub fn program_name(&self) -> String {
        let path = self.program_path();
        path.rsplit('/').next().unwrap_or(&path).to_owned()
    }
}

/// A file or folder that belongs to no submission.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Left {
    /// Path in the download.
    pub path: String,
    /// Reason why the path was skipped.
    pub reason: String,
}

impl Left {
    /// Creates an entry from a path and a reason.
    pub fn new(path: impl Into<String>, reason: impl Into<String>) -> Left {
        Left { path: path.into(), reason: reason.into() }
    }
}

/// A program submitted by a student for a problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// Name of the student.
    pub student: String,
    /// Number of the student in the system that the download is from.
    pub number: Option<String>,
    /// Problem, as an index into the list of problems.
    pub problem: usize,
    /// The file, or the folder of a program with several files.
    pub path: String,
    /// Files, as indices into the listing.
    pub files: Vec<usize>,
    /// Number of the attempt; 0 if the names contain none.
    pub attempt: u64,
    /// Time of submission, in seconds since 1970.
    pub at: Option<i64>,
    /// Guesses about the submission, such as the problem of a misspelt name or the language, as sentences.
    pub guesses: Vec<String>,
}

/// A problem with the names by which files refer to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// Id of the problem.
    pub id: ProblemId,
    /// Display name of the problem.
    pub name: String,
}

/// The submissions in a download.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Roster {
    /// Name of the layout.
    pub layout: String,
    /// Submissions, sorted by student, problem and attempt.
    pub claims: Vec<Claim>,
    /// All students, with and without submissions.
    pub students: BTreeSet<String>,
    /// Files that belong to no submission.
    pub left: Vec<Left>,
}
