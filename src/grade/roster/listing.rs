//! Files of a download, and the submissions that they form.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::model::{Digest, ProblemId};

/// A file in a download. The path of a file in a zip file begins with the path of the zip file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listed {
    /// Path in the download, with `/` as the separator, in composed Unicode (NFC).
    pub path: String,
    /// Time of the last change, in seconds since the Unix epoch; `None` if it is unknown.
    pub modified: Option<i64>,
    /// Whether the file is a source file: it has the extension of a known language, or its language was guessed.
    pub source: bool,
    /// The language that was guessed from the content of a text file; `None` if no language was guessed.
    pub guessed: Option<GuessedLanguage>,
    /// Hash of the content, or the reason why it can't be read.
    pub content: Result<Digest, String>,
}

/// A language that was guessed from the content of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GuessedLanguage {
    /// Display name of the language.
    pub name: String,
    /// Extension of its files, without the dot.
    pub extension: String,
}

impl Listed {
    /// Returns whether the file's own extension is that of a source file.
    pub fn has_known_extension(&self) -> bool {
        self.source && self.guessed.is_none()
    }

    /// Returns the path of the file, with the extension of the language if the language was guessed.
    pub fn program_path(&self) -> String {
        match &self.guessed {
            Some(guessed) => {
                let stem = self.path.rsplit_once('.').map_or(self.path.as_str(), |(stem, _)| stem);
                format!("{stem}.{}", guessed.extension)
            }
            None => self.path.clone(),
        }
    }
}

/// A file or folder that belongs to no submission, or a student with a manual mark, a comment or an extension who is
/// not in the download.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Left {
    /// Path in the download, or the name of the student.
    pub path: String,
    /// Reason why the path was skipped, or why the student is listed.
    pub reason: String,
}

impl Left {
    /// Creates an entry from a path, or the name of a student, and a reason.
    pub fn new(path: impl Into<String>, reason: impl Into<String>) -> Left {
        Left { path: path.into(), reason: reason.into() }
    }
}

/// A program submitted by a student for a problem.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// Name of the student.
    pub student: String,
    /// Number of the student in the system that the download comes from, if known.
    pub number: Option<String>,
    /// Problem, as an index into the list of problems.
    pub problem: usize,
    /// Path of the file, or of the folder if the program has several files.
    pub path: String,
    /// Files of the program, as indices into the list of the download's files.
    pub files: Vec<usize>,
    /// Number of the attempt; 0 if the names of the files and folders contain no number of an attempt.
    pub attempt: u64,
    /// Time of submission, in seconds since the Unix epoch; `None` if it is unknown.
    pub at: Option<i64>,
    /// Descriptions of the guesses about the submission, such as the meaning of a misspelled name or the language of a
    /// file.
    pub guesses: Vec<String>,
}

impl Claim {
    /// Returns whether any file of the claim has the extension of a source file.
    pub fn has_known_extension(&self, files: &[Listed]) -> bool {
        self.files.iter().any(|&file| files[file].has_known_extension())
    }

    /// Returns the source files of the claim, with their paths. A text file whose language was guessed is a source
    /// file only if no file of the claim has the extension of a language.
    pub fn sources<'f>(&self, files: &'f [Listed]) -> Vec<(String, &'f Listed)> {
        let known = self.has_known_extension(files);
        let sources = self.files.iter().map(|&file| &files[file]).filter(|file| file.source);
        let sources = sources.filter(|file| !known || file.has_known_extension());
        sources.map(|file| (file.program_path(), file)).collect()
    }
}

/// A problem, with the names by which files can refer to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// Id of the problem.
    pub id: ProblemId,
    /// Display name of the problem.
    pub name: String,
}

/// The submissions in a download.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Roster {
    /// Description of the download's layout, such as `a folder for each student`.
    pub layout: String,
    /// Submissions, sorted by student, problem and attempt.
    pub claims: Vec<Claim>,
    /// All students, with and without submissions.
    pub students: BTreeSet<String>,
    /// Files and folders that belong to no submission, with the reasons.
    pub left: Vec<Left>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_beside_a_program_is_no_source() {
        let python = || GuessedLanguage { name: "Python".to_owned(), extension: "py".to_owned() };
        let file = |path: &str| Listed {
            path: path.to_owned(),
            modified: None,
            source: !path.ends_with(".md"),
            guessed: path.ends_with(".txt").then(python),
            content: Ok(Digest::of(path.as_bytes())),
        };
        let sources = |paths: &[&str]| -> Vec<String> {
            let files: Vec<Listed> = paths.iter().map(|path| file(path)).collect();
            let claim = Claim {
                student: "ann".to_owned(),
                number: None,
                problem: 0,
                path: "ann".to_owned(),
                files: (0..files.len()).collect(),
                attempt: 0,
                at: None,
                guesses: Vec::new(),
            };
            claim.sources(&files).into_iter().map(|(path, _)| path).collect()
        };
        assert_eq!(sources(&["ann/sum.py", "ann/notes.txt", "ann/readme.md"]), ["ann/sum.py"]);
        assert_eq!(sources(&["ann/sum.txt", "ann/readme.md"]), ["ann/sum.py"]);
    }
}
