//! The built-in checkers: their rules, their options and the functions that compare an output with the answer.

use std::io::{self, Read, Seek, SeekFrom};

use super::lines::Lines;
use super::number::Tolerance;
use super::pair::Pair;
use super::tokens::Tokens;
use super::unordered;
use super::window::Window;
use crate::model::{Difference, Verdict};

/// The rule by which an output is compared with the answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ComparisonRule {
    /// Comparison byte by byte. If only white space differs, the verdict is a presentation error.
    Exact,
    /// Comparison line by line. White space at line ends and empty lines at the end are ignored. If only other white
    /// space differs, the verdict is a presentation error.
    Lines,
    /// Comparison token by token. Only the presence of white space between tokens matters, not its kind or amount.
    Tokens,
    /// Comparison token by token, with a tolerance for numbers. A number matches if it satisfies the absolute or the
    /// relative bound.
    ///
    /// Numbers have the syntax of ICPC's default validator: decimal with an optional exponent, and neither `nan` nor
    /// `inf`.
    Numbers {
        /// The maximum `|output - answer|`; `None` for no absolute bound.
        absolute: Option<f64>,
        /// The maximum `|output - answer| / |answer|`; `None` for no relative bound.
        relative: Option<f64>,
        /// Whether white space must be equal byte for byte. If only white space differs, the verdict is a presentation
        /// error.
        spaces: bool,
    },
    /// Comparison of the lines as a multiset. Blank lines and white space at line ends are ignored.
    Unordered,
}

/// A built-in checker: a comparison rule, with an option to ignore the case of ASCII letters.
///
/// ```
/// use nimatron_check::{Comparer, ComparisonResult, ComparisonRule};
/// let checker = Comparer::new(ComparisonRule::Tokens).fold_case(true);
/// assert_eq!(checker.compare_bytes(b"Yes\n", b" YES"), ComparisonResult::Same);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Comparer {
    /// The rule by which outputs are compared.
    pub rule: ComparisonRule,
    /// Whether upper and lower case of ASCII letters are considered equal.
    pub fold_case: bool,
}

/// The result of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ComparisonResult {
    /// The output matches the answer.
    Same,
    /// The output does not match the answer.
    Differs {
        /// [`Verdict::PresentationError`] if only white space differs and the rule checks white space; otherwise
        /// [`Verdict::WrongAnswer`].
        verdict: Verdict,
        /// The first difference in white space for a presentation error, otherwise the first token (or line) that
        /// differs.
        difference: Difference,
    },
}

impl Comparer {
    /// Creates a case-sensitive checker with the rule `rule`.
    pub const fn new(rule: ComparisonRule) -> Comparer {
        Comparer { rule, fold_case: false }
    }

    /// Returns this checker with the case of ASCII letters ignored (`true`) or respected (`false`).
    #[must_use]
    pub const fn fold_case(self, fold_case: bool) -> Comparer {
        Comparer { fold_case, ..self }
    }

    /// Compares the output `actual` with the answer `expected`. Reads both streams in large chunks until the verdict is
    /// certain. Except for [`ComparisonRule::Unordered`], memory use is bounded, even for very long tokens and lines.
    ///
    /// # Errors
    /// Returns an error if a stream cannot be read.
    pub fn compare(&self, mut expected: impl Read, mut actual: impl Read) -> io::Result<ComparisonResult> {
        self.compare_readers(&mut expected, &mut actual)
    }

    /// Implements [`Comparer::compare`]. This function is not generic, so it is compiled once, with the optimization
    /// level of this crate.
    fn compare_readers(&self, expected: &mut dyn Read, actual: &mut dyn Read) -> io::Result<ComparisonResult> {
        let fold_case = self.fold_case;
        if self.rule == ComparisonRule::Unordered {
            return Ok(wrong(unordered::compare(expected, actual, fold_case)?));
        }
        let mut pair = Pair::new(expected, actual);
        let (tolerance, spaces) = match self.rule {
            ComparisonRule::Lines => return Lines { fold_case }.compare(&mut pair),
            ComparisonRule::Exact => (None, true),
            ComparisonRule::Numbers { absolute, relative, spaces } => (Some(Tolerance { absolute, relative }), spaces),
            ComparisonRule::Tokens | ComparisonRule::Unordered => (None, false),
        };
        Tokens { fold_case, tolerance, spaces }.compare(&mut pair)
    }

    /// Compares the output `actual` with the answer `expected`, both seekable streams such as files, from their current
    /// positions. First checks whether the remaining bytes are identical, because most outputs equal the answer and
    /// this check takes no longer than reading the streams.
    ///
    /// # Errors
    /// Returns an error if a stream cannot be read or rewound.
    pub fn compare_files(
        &self,
        mut expected: impl Read + Seek,
        mut actual: impl Read + Seek,
    ) -> io::Result<ComparisonResult> {
        let starts = (expected.stream_position()?, actual.stream_position()?);
        if identical(&mut expected, &mut actual)? {
            return Ok(ComparisonResult::Same);
        }
        expected.seek(SeekFrom::Start(starts.0))?;
        actual.seek(SeekFrom::Start(starts.1))?;
        self.compare_readers(&mut expected, &mut actual)
    }

    /// Compares the output `actual` with the answer `expected`.
    pub fn compare_bytes(&self, expected: &[u8], actual: &[u8]) -> ComparisonResult {
        if expected == actual {
            return ComparisonResult::Same;
        }
        // Reading from memory cannot fail. If it did, the output must not be accepted.
        self.compare(expected, actual).unwrap_or_else(|error| wrong(Some(unread(&error))))
    }
}

/// Returns true if two streams have the same bytes. Stops reading at the first difference.
fn identical(expected: &mut dyn Read, actual: &mut dyn Read) -> io::Result<bool> {
    let (mut expected, mut actual) = (Window::new(expected), Window::new(actual));
    loop {
        let count = expected.bytes().len().min(actual.bytes().len());
        if expected.bytes()[..count] != actual.bytes()[..count] {
            return Ok(false);
        }
        expected.forget(count);
        actual.forget(count);
        if expected.bytes().is_empty() {
            expected.more()?;
        }
        if actual.bytes().is_empty() {
            actual.more()?;
        }
        match (expected.bytes().is_empty(), actual.bytes().is_empty()) {
            (true, true) => return Ok(true),
            (false, false) => {}
            _ => return Ok(false),
        }
    }
}

fn wrong(difference: Option<Difference>) -> ComparisonResult {
    match difference {
        Some(difference) => ComparisonResult::Differs { verdict: Verdict::WrongAnswer, difference },
        None => ComparisonResult::Same,
    }
}

fn unread(error: &io::Error) -> Difference {
    Difference {
        expected_line: 1,
        expected_column: 1,
        actual_line: 1,
        actual_column: 1,
        index: 1,
        expected: None,
        actual: None,
        message: error.to_string(),
    }
}
