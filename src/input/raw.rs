//! A description as a person wrote it, and complaints about it that know their place.
//!
//! No YAML here: whoever reads the file hands over strings, and turns an [`At`] back into a place in the file.

use std::fmt;
use std::ops::Range;

use indexmap::IndexMap;

/// One item as written: a line, or a block of lines that comes several times.
#[derive(Debug, Clone, PartialEq)]
pub enum RawItem {
    /// One line: what stands on it, in order. A key is `x` or `a[n]`.
    Line(IndexMap<String, RawValue>),
    /// A block of lines, `repeat` times.
    Repeat {
        /// How many times, as an expression.
        repeat: String,
        /// The lines of one block; `line:` gives one, `lines:` several.
        lines: Vec<IndexMap<String, RawValue>>,
    },
}

/// What a name stands for, as written.
#[derive(Debug, Clone, PartialEq)]
pub enum RawValue {
    /// `0..=9`, `n-1`, `word a-z 1..=20` or `real -10.0..=10.0 places 3`.
    Text(String),
    /// `[Yes, No]`: one of these words.
    Words(Vec<String>),
}

/// Where in a description something is wrong. Items, clauses and lines count from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum At {
    /// A whole item.
    Item(usize),
    /// A key, as written (`a[n]`).
    Key {
        /// The item it stands in.
        item: usize,
        /// The key as written.
        key: String,
    },
    /// The value of a key.
    Value {
        /// The item it stands in.
        item: usize,
        /// The key as written.
        key: String,
    },
    /// The value of `repeat`.
    Repeat {
        /// The item it stands in.
        item: usize,
    },
    /// A clause of `where`.
    Clause(usize),
    /// A name in the `with` or `every` of a test group.
    Override(String),
}

/// What is wrong with a description, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Complaint {
    /// The scalar it is about.
    pub at: At,
    /// The bytes inside that scalar, if it is not the whole of it.
    pub range: Option<Range<usize>>,
    /// What is wrong: what was expected, what was found.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

/// Something wrong inside one text: a complaint that does not yet know which scalar the text is.
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

    /// About the whole text.
    pub(crate) fn whole(message: impl Into<String>) -> Slip {
        Slip { range: None, message: message.into(), help: None }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Slip {
        self.help = Some(help.into());
        self
    }

    /// With "did you mean …?" if one of `known` is near to `name`, otherwise with the list of them.
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
        self.help(format!("known here: {list}"))
    }

    /// The same range, moved behind `offset` bytes of a longer text.
    pub(crate) fn shifted(mut self, offset: usize) -> Slip {
        self.range = self.range.map(|range| range.start + offset..range.end + offset);
        self
    }

    pub(crate) fn at(self, at: At) -> Complaint {
        Complaint { at, range: self.range, message: self.message, help: self.help }
    }
}

/// The name nearest to `name`, if it is near enough to be a slip of the hand.
fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let distance = |other: &str| strsim::damerau_levenshtein(&name.to_lowercase(), &other.to_lowercase());
    let best = known.iter().min_by_key(|other| distance(other))?;
    let allowed = (name.chars().count() / 3).max(1);
    // One-letter names are all one letter from each other: such a guess helps nobody.
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
    fn a_misspelt_name_finds_its_neighbour_and_a_strange_one_gets_the_list() {
        let slip = Slip::whole("x").nearest("permutatoin", ["sorted", "permutation"]);
        assert_eq!(slip.help.as_deref(), Some("did you mean `permutation`?"));
        let slip = Slip::whole("x").nearest("q", ["n", "m"]);
        assert_eq!(slip.help.as_deref(), Some("known here: `n`, `m`"));
    }
}
