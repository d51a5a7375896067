//! The reasons why a program's files are refused, and their maximum sizes.

use std::path::PathBuf;

use crate::model::{ByteSize, Diagnostic, Failure, OsError};

use super::table::UnknownLanguage;

/// Maximum size of a submitted program, all files together, in bytes.
pub const LARGEST_SOURCE: u64 = 1 << 20;
/// Maximum size of a program of a problem or package, in bytes. Such programs may include precompiled headers or
/// word lists.
pub const LARGEST_AUTHOR_SOURCE: u64 = 64 << 20;
/// Maximum size of output-only answers together, in bytes.
pub(super) const LARGEST_ANSWERS: u64 = 64 << 20;

/// The reason why a program is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    /// A file or folder could not be read.
    #[error("cannot read {path}: {error}")]
    Unreadable {
        /// The file or folder that could not be read.
        path: PathBuf,
        /// The operating system's message.
        error: String,
        /// The operating system's error number, if there is one.
        os_error: Option<OsError>,
    },
    /// The path is not a regular file.
    #[error("{path} is {what}, not a source file")]
    NotAFile {
        /// The path that was given.
        path: PathBuf,
        /// The kind of the file, such as a device.
        what: &'static str,
    },
    /// A symbolic link points out of the folder.
    #[error("{path} is a symbolic link that points out of its folder, to {target}; pass that file instead")]
    LinkOut {
        /// The symbolic link.
        path: PathBuf,
        /// The target of the link.
        target: PathBuf,
    },
    /// The program is too large.
    #[error("{path} has {}, but a program may have at most {}", ByteSize::new(*.bytes).human(),
        ByteSize::new(*.most).human())]
    TooLarge {
        /// The file, or the folder if its files are too large together.
        path: PathBuf,
        /// The size of that file or folder in bytes, or of the part that was read.
        bytes: u64,
        /// The maximum size in bytes.
        most: u64,
    },
    /// The answers are too large.
    #[error("{path} exceeds {}, the limit for all answers together", ByteSize::new(LARGEST_ANSWERS).human())]
    AnswersTooLarge {
        /// The file, or the folder if its files are too large together.
        path: PathBuf,
    },
    /// The folder contains too many files or folders.
    #[error("{path} has too many {what} for a program")]
    TooMany {
        /// The folder with too many entries.
        path: PathBuf,
        /// The kind of entry that exceeds its limit.
        what: &'static str,
    },
    /// A file name could be taken for an option by a compiler.
    #[error("the file name {path:?} is not allowed: it must not begin with `-` or `@` or contain control characters")]
    BadName {
        /// The path below the folder.
        path: PathBuf,
    },
    /// The file contains only white space, or the folder of answers has no files.
    #[error("{path} is empty; expected a program")]
    Empty {
        /// The file or folder without content.
        path: PathBuf,
    },
    /// The file is not a text.
    #[error("{path} is not a text file: {what}")]
    Binary {
        /// What the file contains instead of text, and what to do about it.
        path: PathBuf,
        /// The evidence, for the message.
        what: &'static str,
    },
    /// The folder has no file in the language.
    #[error("{path} contains no {language} file; expected the extension {}", .extensions.join(" or "))]
    NoSources {
        /// The folder without such a file.
        path: PathBuf,
        /// The name of the language.
        language: String,
        /// The extensions of the language.
        extensions: Vec<String>,
    },
    /// The folder has files in several languages.
    #[error("{path} contains files in several languages ({}); select one with --language", .languages.join(", "))]
    Ambiguous {
        /// The folder with the files.
        path: PathBuf,
        /// The ids of the languages.
        languages: Vec<String>,
    },
    /// The file has no extension.
    #[error("{path} has no extension, so its language is unknown; specify it with --language")]
    NoExtension {
        /// The file without an extension.
        path: PathBuf,
    },
    /// The language is unknown.
    #[error("{path}: {error}")]
    Language {
        /// The file or folder of the program.
        path: PathBuf,
        /// The unknown name and the known languages.
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
