//! The reasons why a program's files are refused, and their maximum sizes.

use std::path::PathBuf;

use crate::model::{ByteSize, Diagnostic, Failure, OsError};

use super::table::UnknownLanguage;

/// Maximum total size of the files of a submitted program, in bytes.
pub const LARGEST_SOURCE: u64 = 1 << 20;
/// Maximum total size of the files of a problem's or package's program, in bytes. Such programs may include precompiled
/// headers or word lists.
pub const LARGEST_AUTHOR_SOURCE: u64 = 64 << 20;
/// Maximum total size of output-only answers, in bytes.
pub(super) const LARGEST_ANSWERS: u64 = 64 << 20;

/// The reason why a program is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    /// A file or folder could not be read.
    #[error("cannot read `{path}`: {error}")]
    Unreadable {
        /// The file or folder that could not be read.
        path: PathBuf,
        /// The operating system's message.
        error: String,
        /// The operating system's error number, if there is one.
        os_error: Option<OsError>,
    },
    /// The path is not a regular file.
    #[error("`{path}` is {what}, not a source file")]
    NotAFile {
        /// The path that is not a regular file.
        path: PathBuf,
        /// The kind of the file, such as a device.
        what: &'static str,
    },
    /// A symbolic link points out of the permitted folder, or into a `.git` folder.
    #[error(
        "`{path}` is a symbolic link to `{target}`, which is outside of `{bounds}` or in a `.git` folder; replace the \
         link with a copy of its target"
    )]
    LinkOut {
        /// The path of the symbolic link.
        path: PathBuf,
        /// The target of the link.
        target: PathBuf,
        /// The folder that must contain the target.
        bounds: PathBuf,
    },
    /// The program is too large.
    #[error("`{path}` has at least {bytes} bytes, but a program may have at most {most} bytes ({})",
        ByteSize::new(*.most).human())]
    TooLarge {
        /// The file, or the folder if the total size of its files exceeds the limit.
        path: PathBuf,
        /// The size in bytes, or the size of the part that was read before the limit was exceeded.
        bytes: u64,
        /// The maximum size in bytes.
        most: u64,
    },
    /// The output-only answers are too large.
    #[error("`{path}` exceeds {}, the maximum total size of all answers", ByteSize::new(LARGEST_ANSWERS).human())]
    AnswersTooLarge {
        /// The file, or the folder if the total size of its files exceeds the limit.
        path: PathBuf,
    },
    /// A folder contains too many files, folders or header files, or too many levels of nested folders.
    #[error("`{path}` has too many {what}; a program may have at most {most}")]
    TooMany {
        /// The folder that exceeds the limit.
        path: PathBuf,
        /// The items that the limit counts: files, folders, levels of nested folders, or header files.
        what: &'static str,
        /// The maximum number of the items that are counted.
        most: usize,
    },
    /// A compiler could misinterpret a file name, for example as an option.
    #[error(
        "the name {path:?} is not allowed: names of files and folders must be UTF-8 without control characters or `\\`, and must not begin with `-` or `@`"
    )]
    BadName {
        /// The path of the file or folder, relative to the program's folder.
        path: PathBuf,
    },
    /// The file is empty or contains only white space.
    #[error("`{path}` {}; expected a program", emptiness(*.blank))]
    Empty {
        /// The empty or blank file.
        path: PathBuf,
        /// Whether the file contains white space; if not, the file is empty.
        blank: bool,
    },
    /// The folder of answers has no files.
    #[error("`{path}` is empty; expected files with answers")]
    NoAnswers {
        /// The folder without files.
        path: PathBuf,
    },
    /// The file is UTF-16 text or a compiled program, or it contains NUL bytes.
    #[error("`{path}` {what}")]
    Binary {
        /// The refused file.
        path: PathBuf,
        /// A predicate that describes the problem with the file, such as "is a compiled program; submit its source".
        what: &'static str,
    },
    /// The folder has no file in the language.
    #[error("`{path}` contains no {language} file; expected a file with the extension {}", .extensions.join(" or "))]
    NoSources {
        /// The folder without a file in the language.
        path: PathBuf,
        /// The name of the language, or `source` if no language was specified.
        language: String,
        /// The accepted extensions, with their dots.
        extensions: Vec<String>,
    },
    /// The folder has files in several languages.
    #[error("`{path}` contains files in several languages ({}); keep the files of one language, or specify the language (`--language`)", .languages.join(", "))]
    Ambiguous {
        /// The folder that contains files in several languages.
        path: PathBuf,
        /// The ids of the languages.
        languages: Vec<String>,
    },
    /// The file has no extension.
    #[error(
        "`{path}` has no extension, so its language is unknown; add the extension, or specify the language (`--language`)"
    )]
    NoExtension {
        /// The file without an extension.
        path: PathBuf,
    },
    /// The language is unknown.
    #[error("`{path}`: {error}")]
    Language {
        /// The file or folder of the program.
        path: PathBuf,
        /// The unknown name and the known languages.
        error: UnknownLanguage,
    },
}

/// Returns the predicate that describes a file that is empty or contains only white space (`blank`).
fn emptiness(blank: bool) -> &'static str {
    if blank { "contains only white space" } else { "is empty" }
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
