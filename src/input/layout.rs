//! The resolved format of an input: its lines, the names on each line, and the allowed values of each name.

use super::expr::{Expr, Known, NoValue};

/// The lines and variables of a description.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Layout {
    pub(crate) vars: Vec<Var>,
    pub(crate) items: Vec<Item>,
}

/// A line, or a block of lines that is repeated.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Item {
    /// Number of repetitions; `None` for a single line.
    pub(crate) repeat: Option<Length>,
    /// Indices of the variables on each line.
    pub(crate) lines: Vec<Vec<usize>>,
}

/// A count or length, with its source text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Length {
    pub(crate) expr: Expr,
    pub(crate) text: String,
}

/// A variable of the description.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Var {
    pub(crate) name: String,
    pub(crate) kind: ValueKind,
    /// Number of values on the line; `None` for a single value.
    pub(crate) length: Option<Length>,
    pub(crate) item: usize,
    /// Whether the variable is in a block, so that each row has its own value.
    pub(crate) in_block: bool,
    /// Whether the bounds of the variable are the same in all rows of its block.
    pub(crate) same_in_rows: bool,
    /// Bounds on the values of the variable in all inputs; `None` if the description does not determine them.
    pub(crate) span: Option<(i128, i128)>,
    /// The allowed values as written, for messages.
    pub(crate) text: String,
}

/// The arrangement of the values of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A single value.
    One,
    /// A list on one line, or one value in every row of a block.
    List,
    /// A list in every row of a block.
    Rows,
}

/// The set of allowed values of a variable.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ValueKind {
    Int(Range),
    /// A word from the list `words`; values are indices into that list. A narrowed description has the same list and
    /// allows fewer indices, so that an index means the same word in both descriptions.
    Choice {
        words: Vec<String>,
        allowed: Vec<usize>,
    },
    /// A word over the sorted `letters`, with a length in `length`.
    Word {
        letters: Vec<u8>,
        length: Range,
    },
    /// A decimal number with exactly `places` digits after the decimal point, stored in units of the last digit.
    Real {
        lo: i64,
        hi: i64,
        places: u8,
    },
}

/// An inclusive range `lo..=hi`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Range {
    pub(crate) lo: Expr,
    pub(crate) hi: Expr,
}

/// The reason why a variable has no valid value or count.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NoRange {
    #[error("the range `{text}` of `{name}` {why}")]
    NoValue { name: String, text: String, why: NoValue },
    #[error("the range `{text}` of `{name}` is empty here, because it evaluates to {lo}..={hi}")]
    Empty { name: String, text: String, lo: i128, hi: i128 },
    #[error("the range `{text}` of `{name}` does not fit in 64 bits here, because it evaluates to {lo}..={hi}")]
    Wide { name: String, text: String, lo: i128, hi: i128 },
    #[error("the range `{text}` of `{name}` allows an empty word here, because the length evaluates to {lo}..={hi}")]
    Wordless { name: String, text: String, lo: i64, hi: i64 },
    #[error("the count `{text}` {why}")]
    NoCount { text: String, why: NoValue },
    #[error("the count `{text}` is {count} here; expected 0 to 2^40")]
    Count { text: String, count: i128 },
}

impl Length {
    /// Evaluates the length. Returns an error if the length has no value, is negative, or exceeds 2^40, which is more
    /// values than any real input has.
    pub(crate) fn count(&self, known: &Known<'_>) -> Result<usize, NoRange> {
        let count = self.expr.value(known).map_err(|why| NoRange::NoCount { text: self.text.clone(), why })?;
        if !(0..=1 << 40).contains(&count) {
            return Err(NoRange::Count { text: self.text.clone(), count });
        }
        usize::try_from(count).map_err(|_| NoRange::Count { text: self.text.clone(), count })
    }
}

impl Var {
    pub(crate) fn shape(&self) -> Shape {
        match (self.in_block, &self.length) {
            (false, None) => Shape::One,
            (true, Some(_)) => Shape::Rows,
            _ => Shape::List,
        }
    }

    pub(crate) fn is_int(&self) -> bool {
        matches!(self.kind, ValueKind::Int(_))
    }

    /// Returns the inclusive bounds of an integer, of the index of a choice, of the length of a word, or of the units
    /// of a real number.
    pub(crate) fn bounds(&self, known: &Known<'_>) -> Result<(i64, i64), NoRange> {
        match &self.kind {
            ValueKind::Int(range) => self.ends(range, known),
            ValueKind::Word { length, .. } => match self.ends(length, known)? {
                (lo, hi) if lo < 1 => {
                    Err(NoRange::Wordless { name: self.name.clone(), text: self.text.clone(), lo, hi })
                }
                ends => Ok(ends),
            },
            ValueKind::Choice { words, .. } => Ok((0, i64::try_from(words.len()).unwrap_or(i64::MAX) - 1)),
            ValueKind::Real { lo, hi, .. } => Ok((*lo, *hi)),
        }
    }

    fn ends(&self, range: &Range, known: &Known<'_>) -> Result<(i64, i64), NoRange> {
        let (name, text) = (|| self.name.clone(), || self.text.clone());
        let value = |expr: &Expr| expr.value(known).map_err(|why| NoRange::NoValue { name: name(), text: text(), why });
        let (lo, hi) = (value(&range.lo)?, value(&range.hi)?);
        if lo > hi {
            return Err(NoRange::Empty { name: name(), text: text(), lo, hi });
        }
        match (i64::try_from(lo), i64::try_from(hi)) {
            (Ok(lo), Ok(hi)) => Ok((lo, hi)),
            _ => Err(NoRange::Wide { name: name(), text: text(), lo, hi }),
        }
    }

    /// Returns the range of an integer variable, or `None` for other kinds.
    pub(crate) fn range(&self) -> Option<&Range> {
        match &self.kind {
            ValueKind::Int(range) => Some(range),
            _ => None,
        }
    }

    /// Describes the values within these bounds, for messages.
    pub(crate) fn expected(&self, bounds: (i64, i64)) -> String {
        let (lo, hi) = bounds;
        match &self.kind {
            ValueKind::Int(_) if lo == hi => format!("the integer {lo}"),
            ValueKind::Int(_) => format!("an integer in {lo}..={hi}"),
            ValueKind::Choice { words, allowed } => {
                let list: Vec<&str> = allowed.iter().filter_map(|at| words.get(*at)).map(String::as_str).collect();
                format!("one of {}", list.join(", "))
            }
            ValueKind::Word { letters, .. } => format!("a word with {lo}..={hi} letters from {}", class(letters)),
            ValueKind::Real { places, .. } => {
                let (lo, hi) = (super::instance::decimal(lo, *places), super::instance::decimal(hi, *places));
                let digits = super::kind::digits(*places);
                format!("a number in {lo}..={hi} with {places} {digits} after the decimal point")
            }
        }
    }
}

/// Formats the letters as a class such as `a-z`.
pub(crate) fn class(letters: &[u8]) -> String {
    let mut text = String::new();
    let mut at = 0;
    while at < letters.len() {
        let run =
            letters[at..].iter().enumerate().take_while(|(i, b)| usize::from(**b) == usize::from(letters[at]) + i);
        let length = run.count();
        text.push(char::from(letters[at]));
        if length > 2 {
            text.push('-');
        }
        if length > 1 {
            text.push(char::from(letters[at + length - 1]));
        }
        at += length;
    }
    text
}

impl Layout {
    /// Returns the index of the variable with this name, or `None` if there is none.
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        self.vars.iter().position(|var| var.name == name)
    }

    /// Returns the indices of the variables of an item, in the order of the input.
    pub(crate) fn vars_of(&self, item: usize) -> impl Iterator<Item = usize> + '_ {
        self.items[item].lines.iter().flatten().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_written_as_a_class() {
        assert_eq!(class(b"LW"), "LW");
        assert_eq!(class(b"abcdxyz"), "a-dx-z");
        assert_eq!(class(b"ab"), "ab");
    }
}
