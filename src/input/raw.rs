//! Descriptions as written in `problem.yaml`, and errors with their positions in a description.
//!
//! This module does not use YAML. The caller passes strings, and maps an [`At`] back to a position in the file.

use std::fmt;
use std::ops::Range;

use indexmap::IndexMap;

/// One item as written: a line, or a block of lines that is repeated.
#[derive(Debug, Clone, PartialEq)]
pub enum RawItem {
    /// One line: its values by key, in the order of the line. A key is `x` or `a[n]`.
    Line(IndexMap<String, RawValue>),
    /// A block of lines that is repeated.
    Repeat {
        /// Number of repetitions, as an expression.
        repeat: String,
        /// The lines of one repetition: one for `line:`, several for `lines:`.
        lines: Vec<IndexMap<String, RawValue>>,
    },
}

/// The value of a key, as written.
#[derive(Debug, Clone, PartialEq)]
pub enum RawValue {
    /// `0..=9`, `n-1`, `word a-z 1..=20` or `real -10.0..=10.0 places 3`.
    Text(String),
    /// `[Yes, No]`: one of these words.
    Words(Vec<String>),
}

/// The part of a description that an error is about. Indices of items and clauses start at 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum At {
    /// A whole item.
    Item(usize),
    /// A key, as written (`a[n]`).
    Key {
        /// Index of the item that contains the key.
        item: usize,
        /// The key as written.
        key: String,
    },
    /// The value of a key.
    Value {
        /// Index of the item that contains the key.
        item: usize,
        /// The key as written.
        key: String,
    },
    /// The value of `repeat`.
    Repeat {
        /// Index of the item with the `repeat`.
        item: usize,
    },
    /// A clause of `where`.
    Clause(usize),
    /// A name in the `with` or `every` of a test group.
    Override(String),
}

/// An error in a description, with its position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct DescriptionError {
    /// The part of the description that contains the error.
    pub at: At,
    /// Byte range in the text of that part; `None` if the error is about the whole part.
    pub range: Option<Range<usize>>,
    /// The message, without position and help.
    pub message: String,
    /// A suggestion for the author, if there is one.
    pub help: Option<String>,
}

/// An error in a part of a description. Its position in the file is not known yet.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Slip {
    pub(crate) range: Option<Range<usize>>,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
}

impl Slip {
    pub(crate) fn new(range: Range<usize>, message: impl Into<String>) -> Slip {
        Slip { range: Some(range), message: message.into(), help: None }
    }

    /// Creates an error about the whole part.
    pub(crate) fn whole(message: impl Into<String>) -> Slip {
        Slip { range: None, message: message.into(), help: None }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Slip {
        self.help = Some(help.into());
        self
    }

    /// Adds "did you mean …?" if a name of `known` is similar to `name`, otherwise lists `known`.
    pub(crate) fn nearest<'a>(self, name: &str, known: impl IntoIterator<Item = &'a str>) -> Slip {
        let mut known: Vec<&str> = known.into_iter().collect();
        known.dedup();
        if let Some(near) = nearest(name, &known) {
            return self.help(format!("did you mean `{near}`?"));
        }
        if known.is_empty() {
            return self;
        }
        let list = known.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
        self.help(format!("expected one of: {list}"))
    }

    /// Shifts the range by `offset` bytes, for a parsed string that begins at that offset of a longer string.
    pub(crate) fn shifted(mut self, offset: usize) -> Slip {
        self.range = self.range.map(|range| range.start + offset..range.end + offset);
        self
    }

    pub(crate) fn at(self, at: At) -> DescriptionError {
        DescriptionError { at, range: self.range, message: self.message, help: self.help }
    }
}

/// Returns the name most similar to `name`, if the difference is small enough for a typo.
fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let distance = |other: &str| strsim::damerau_levenshtein(&name.to_lowercase(), &other.to_lowercase());
    let best = known.iter().min_by_key(|other| distance(other))?;
    let allowed = (name.chars().count() / 3).max(1);
    // Any two one-letter names differ by one letter, so a guess would be useless.
    (distance(best) <= allowed && best.chars().count().max(name.chars().count()) > 1).then_some(*best)
}

impl fmt::Display for RawValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RawValue::Text(text) => f.write_str(text),
            RawValue::Words(words) => write!(f, "[{}]", words.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typing_errors_get_a_suggestion_and_other_names_the_list() {
        let slip = Slip::whole("x").nearest("permutatoin", ["sorted", "permutation"]);
        assert_eq!(slip.help.as_deref(), Some("did you mean `permutation`?"));
        let slip = Slip::whole("x").nearest("q", ["n", "m"]);
        assert_eq!(slip.help.as_deref(), Some("expected one of: `n`, `m`"));
    }
}
