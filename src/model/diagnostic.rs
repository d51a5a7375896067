//! A complaint about something a person wrote, with its place.

/// A range of bytes in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextRange {
    /// The first byte.
    pub start: usize,
    /// Behind the last byte.
    pub end: usize,
}

/// A complaint about a file a person wrote: what is wrong, where, and what to do.
///
/// It owns the text, so that it can be drawn with the place marked by whoever tells the person.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{message}", .origin.as_ref().map(|origin| format!("{origin}: ")).unwrap_or_default())]
pub struct Diagnostic {
    /// What is wrong.
    pub message: String,
    /// The file, as the person named it.
    pub origin: Option<String>,
    /// The file's text, if there is a place in it to show.
    pub text: String,
    /// The place.
    pub place: Option<TextRange>,
    /// A word beside the marked place.
    pub label: String,
    /// What to do.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A complaint without a place.
    pub fn new(message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            message: message.into(),
            origin: None,
            text: String::new(),
            place: None,
            label: String::new(),
            help: None,
        }
    }

    /// About this file.
    #[must_use]
    pub fn in_file(mut self, origin: impl Into<String>) -> Diagnostic {
        self.origin = Some(origin.into());
        self
    }

    /// At this place of this file's text.
    #[must_use]
    pub fn at(mut self, origin: impl Into<String>, text: impl Into<String>, place: TextRange) -> Diagnostic {
        self.origin = Some(origin.into());
        self.text = text.into();
        self.place = Some(place);
        self
    }

    /// With this word beside the place.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Diagnostic {
        self.label = label.into();
        self
    }

    /// With this advice.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// Line and column (in characters) of the place, from 1.
    pub fn line_and_column(&self) -> Option<(usize, usize)> {
        let start = self.place?.start.min(self.text.len());
        let before = self.text.get(..start)?;
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        Some((line, column))
    }
}
