//! Errors in users' files, with their positions.

use super::OsError;

/// A half-open range of byte offsets in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextRange {
    /// Offset of the first byte.
    pub start: usize,
    /// Offset past the last byte.
    pub end: usize,
}

/// An error in a user's file: the message, its position, and advice.
///
/// A diagnostic contains the text of the file, so that the position can be marked in it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{message}", .origin.as_ref().map(|origin| format!("{origin}: ")).unwrap_or_default())]
pub struct Diagnostic {
    /// The error message.
    pub message: String,
    /// The path of the file, as the user specified it; `None` if the error is not in a file.
    pub origin: Option<String>,
    /// The file's text; empty if `place` is `None`.
    pub text: String,
    /// The range of `text` to mark, if the position is known.
    pub place: Option<TextRange>,
    /// The label of the marked range; empty if there is none.
    pub label: String,
    /// The advice to the user, if there is any.
    pub help: Option<String>,
    /// The error of the operating system that caused the diagnostic, if there was one.
    pub os_error: Option<OsError>,
}

impl Diagnostic {
    /// Creates an error without a position.
    pub fn new(message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            message: message.into(),
            origin: None,
            text: String::new(),
            place: None,
            label: String::new(),
            help: None,
            os_error: None,
        }
    }

    /// Creates a diagnostic for an I/O error on a file that the user named; the message is the error's text. The
    /// conversion to a [`Failure`](super::Failure) yields a fault if the machine is the cause (no file descriptors, a
    /// disk error), and a complaint otherwise.
    pub fn user_file(error: &std::io::Error) -> Diagnostic {
        Diagnostic { os_error: OsError::of(error), ..Diagnostic::new(error.to_string()) }
    }

    /// Sets the path of the file.
    #[must_use]
    pub fn in_file(mut self, origin: impl Into<String>) -> Diagnostic {
        self.origin = Some(origin.into());
        self
    }

    /// Sets the path and the text of the file that contains the error, and the range to mark in the text.
    #[must_use]
    pub fn at(mut self, origin: impl Into<String>, text: impl Into<String>, place: TextRange) -> Diagnostic {
        self.origin = Some(origin.into());
        self.text = text.into();
        self.place = Some(place);
        self
    }

    /// Sets the label of the marked range.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Diagnostic {
        self.label = label.into();
        self
    }

    /// Sets the advice to the user.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// Returns the line and the column of the start of the marked range, both counted from 1; columns count characters.
    /// Returns `None` if no range is marked, or if the range starts inside a character.
    pub fn line_and_column(&self) -> Option<(usize, usize)> {
        let start = self.place?.start.min(self.text.len());
        let before = self.text.get(..start)?;
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        Some((line, column))
    }
}
