//! Why a program's files cannot be read, and how large they may be.

use std::path::PathBuf;

use crate::model::{ByteSize, Diagnostic, Failure, OsError};

use super::table::UnknownLanguage;

/// The largest program that is handed in, all files together, in bytes.
pub const LARGEST_SOURCE: u64 = 1 << 20;
/// The same of a program that comes with a problem or a package: headers that are compiled already, lists of words.
pub const LARGEST_AUTHOR_SOURCE: u64 = 64 << 20;
/// The most that answers handed in instead of a program may have together, in bytes.
pub(super) const LARGEST_ANSWERS: u64 = 64 << 20;
/// Why a program cannot be taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    /// It could not be read.
    #[error("cannot read {path}: {error}")]
    Unreadable {
        /// The file or folder.
        path: PathBuf,
        /// The operating system's message.
        error: String,
        /// The operating system's error, if it gave one.
        os_error: Option<OsError>,
    },
    /// It is something that has no end or no content.
    #[error("{path} is {what}, not a source file")]
    NotAFile {
        /// The path.
        path: PathBuf,
        /// What it is.
        what: &'static str,
    },
    /// A symbolic link that leads elsewhere.
    #[error("{path} is a symbolic link that leads out of its folder, to {target}: name that file itself")]
    LinkOut {
        /// The link.
        path: PathBuf,
        /// Where it leads.
        target: PathBuf,
    },
    /// It is too large.
    #[error("{path} has {}, and a program may have at most {}: is it a source?", ByteSize::new(*.bytes).human(),
        ByteSize::new(*.most).human())]
    TooLarge {
        /// The file, or the folder.
        path: PathBuf,
        /// Its size, or as much of it as was seen.
        bytes: u64,
        /// The most that it may have.
        most: u64,
    },
    /// Answers that are too large.
    #[error("{path} has more than {}, the most that answers may have together", ByteSize::new(LARGEST_ANSWERS).human())]
    AnswersTooLarge {
        /// The file, or the folder.
        path: PathBuf,
    },
    /// A folder with too much in it.
    #[error("{path} has too many {what} for a program")]
    TooMany {
        /// The folder.
        path: PathBuf,
        /// What there are too many of.
        what: &'static str,
    },
    /// A name that a compiler could misunderstand.
    #[error("the file name {path:?} is not plain: no name may begin with `-` or `@` or hold control characters")]
    BadName {
        /// The path in the folder.
        path: PathBuf,
    },
    /// There is nothing in it.
    #[error("{path} is empty: there is no program in it")]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// It is no text.
    #[error("{path} is not a text: {what}")]
    Binary {
        /// The file.
        path: PathBuf,
        /// How that was seen.
        what: &'static str,
    },
    /// A folder without a file in the language.
    #[error("{path} has no {language} file (these end in {})", .extensions.join(", "))]
    NoSources {
        /// The folder.
        path: PathBuf,
        /// The language's name.
        language: String,
        /// The endings.
        extensions: Vec<String>,
    },
    /// A folder with files in several languages.
    #[error("{path} has files in several languages ({}): say which one it is in with --language", .languages.join(", "))]
    Ambiguous {
        /// The folder.
        path: PathBuf,
        /// Their ids.
        languages: Vec<String>,
    },
    /// A file without an extension.
    #[error("{path} has no extension, so its language is not known: say it with --language")]
    NoExtension {
        /// The file.
        path: PathBuf,
    },
    /// No such language.
    #[error("{path}: {error}")]
    Language {
        /// The file or folder.
        path: PathBuf,
        /// What is known.
        error: UnknownLanguage,
    },
}

impl SourceError {
    pub(super) fn unreadable(path: impl Into<PathBuf>, error: &std::io::Error) -> SourceError {
        SourceError::Unreadable { path: path.into(), error: error.to_string(), os_error: OsError::of(error) }
    }
}

impl From<SourceError> for Failure {
    fn from(error: SourceError) -> Failure {
        let os_error = match error {
            SourceError::Unreadable { os_error, .. } => os_error,
            _ => None,
        };
        Diagnostic { os_error, ..Diagnostic::new(error.to_string()) }.into()
    }
}
