//! The built-in checkers, as data, and their one way in.

use std::io::{self, Read, Seek, SeekFrom};

use super::lines::Lines;
use super::number::Tolerance;
use super::pair::Pair;
use super::tokens::Tokens;
use super::unordered;
use super::window::Window;
use crate::model::{Difference, Verdict};

/// What counts when an output is compared with the answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rule {
    /// Every byte.
    Exact,
    /// Every line; blanks at line ends and empty lines at the end do not.
    Lines,
    /// Every token; how much white space stands between them does not.
    Tokens,
    /// Every token; where the answer has a number, one close enough is as good. Either bound suffices.
    ///
    /// Numbers are those of ICPC's default validator: decimal, with or without exponent, and neither `nan` nor `inf`.
    Numbers {
        /// The largest `|output - answer|`.
        absolute: Option<f64>,
        /// The largest `|output - answer| / |answer|`.
        relative: Option<f64>,
        /// Whether white space counts too, every byte of it.
        spaces: bool,
    },
    /// Every line that is not blank, in any order; blanks at line ends do not.
    Unordered,
}

/// A built-in checker: a rule, and whether upper and lower case (ASCII) are the same.
///
/// ```
/// use nimatron::check::{Comparer, Finding, Rule};
/// let checker = Comparer::new(Rule::Tokens).fold_case(true);
/// assert_eq!(checker.compare_bytes(b"Yes\n", b" YES"), Finding::Same);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Comparer {
    /// What counts.
    pub rule: Rule,
    /// Whether `Yes` and `YES` are the same.
    pub fold_case: bool,
}

/// What a comparison found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finding {
    /// The output is as good as the answer.
    Same,
    /// It is not.
    Differs {
        /// A wrong answer, or a presentation error where only white space is wrong and the rule cares.
        verdict: Verdict,
        /// The first place that is wrong: for a presentation error the white space, else the token (or line).
        difference: Difference,
    },
}

impl Comparer {
    /// Compares by this rule; case matters.
    pub const fn new(rule: Rule) -> Comparer {
        Comparer { rule, fold_case: false }
    }

    /// The same with case ignored or not.
    #[must_use]
    pub const fn fold_case(self, fold_case: bool) -> Comparer {
        Comparer { fold_case, ..self }
    }

    /// Compares an output with the answer. Reads both in large pieces, only as far as needed, and (but for
    /// [`Rule::Unordered`]) in bounded memory, however long a token or line is.
    ///
    /// # Errors
    /// When one of them cannot be read.
    pub fn compare(&self, expected: impl Read, actual: impl Read) -> io::Result<Finding> {
        let fold_case = self.fold_case;
        if self.rule == Rule::Unordered {
            return Ok(wrong(unordered::compare(expected, actual, fold_case)?));
        }
        let mut pair = Pair::new(expected, actual);
        let (tolerance, spaces) = match self.rule {
            Rule::Lines => return Lines { fold_case }.compare(&mut pair),
            Rule::Exact => (None, true),
            Rule::Numbers { absolute, relative, spaces } => (Some(Tolerance { absolute, relative }), spaces),
            Rule::Tokens | Rule::Unordered => (None, false),
        };
        Tokens { fold_case, tolerance, spaces }.compare(&mut pair)
    }

    /// The same for texts that can be read twice, such as files: looks first whether they are the same byte for byte,
    /// which most outputs are and which is as fast as reading them. Both are compared from where they stand.
    ///
    /// # Errors
    /// When one of them cannot be read or rewound.
    pub fn compare_files(&self, mut expected: impl Read + Seek, mut actual: impl Read + Seek) -> io::Result<Finding> {
        let starts = (expected.stream_position()?, actual.stream_position()?);
        if identical(&mut expected, &mut actual)? {
            return Ok(Finding::Same);
        }
        expected.seek(SeekFrom::Start(starts.0))?;
        actual.seek(SeekFrom::Start(starts.1))?;
        self.compare(expected, actual)
    }

    /// Compares an output with the answer, both in memory.
    pub fn compare_bytes(&self, expected: &[u8], actual: &[u8]) -> Finding {
        if expected == actual {
            return Finding::Same;
        }
        // Reading from memory cannot fail; if it ever did, nobody would be accepted for it.
        self.compare(expected, actual).unwrap_or_else(|error| wrong(Some(unread(&error))))
    }
}

/// Whether two streams have the same bytes. Reads no further than the first that differs.
fn identical(expected: impl Read, actual: impl Read) -> io::Result<bool> {
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

fn wrong(difference: Option<Difference>) -> Finding {
    match difference {
        Some(difference) => Finding::Differs { verdict: Verdict::WrongAnswer, difference },
        None => Finding::Same,
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
