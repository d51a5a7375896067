//! What was found in a download, and what is made of it: whose program on which problem each file is.

use std::collections::BTreeSet;

use crate::model::{Digest, ProblemId};

/// A file of a download, as it was found. Files in a zip are below the zip's own name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Its path in the download, parts divided by `/`, in composed Unicode (NFC).
    pub path: String,
    /// When it was last changed, in seconds since 1970.
    pub modified: Option<i64>,
    /// Whether its ending is that of a language.
    pub source: bool,
    /// The hash of its content, or why it can't be read.
    pub content: Result<Digest, String>,
}

/// A file or folder that is nobody's program, and why.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Left {
    /// Its path in the download.
    pub path: String,
    /// Why it was left.
    pub reason: String,
}

impl Left {
    /// This path was left for this reason.
    pub fn new(path: impl Into<String>, reason: impl Into<String>) -> Left {
        Left { path: path.into(), reason: reason.into() }
    }
}

/// A student's program on a problem, handed in once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// Whose it is.
    pub student: String,
    /// The student's number in the system that the download is from.
    pub number: Option<String>,
    /// The problem, as its place in the list of problems.
    pub problem: usize,
    /// The file, or the folder of a program of several files.
    pub path: String,
    /// The files, as their places in the listing.
    pub files: Vec<usize>,
    /// Which attempt it is, as far as names say so; 0 if they say nothing.
    pub attempt: u64,
    /// When it was handed in, in seconds since 1970.
    pub at: Option<i64>,
}

/// A problem by the names that people give its files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// Its id.
    pub id: ProblemId,
    /// Its name, for people.
    pub name: String,
}

/// Who handed in what.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Roster {
    /// How the download is laid out, in words.
    pub layout: String,
    /// The programs, by student, problem and attempt; of two attempts the later comes later.
    pub claims: Vec<Claim>,
    /// Everybody who is named, with and without programs.
    pub students: BTreeSet<String>,
    /// What is nobody's program.
    pub left: Vec<Left>,
}
