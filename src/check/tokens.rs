//! Compares texts token by token, with or without regard to white space, and numbers within a tolerance.

use std::io;

use super::comparer::ComparisonResult;
use super::excerpt::{self, Cut};
use super::lines::shapes;
use super::number::{self, Number, Scan, Short, Tolerance};
use super::pair::{Look, Pair};
use super::scan::{Leniency, agreement, is_space, spaces, token_agreement, word};
use super::window::Window;
use crate::model::{Difference, Verdict};

/// The options of the token-by-token comparison.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tokens {
    pub(super) fold_case: bool,
    pub(super) tolerance: Option<Tolerance>,
    /// Whether the white space between tokens must be equal byte for byte.
    pub(super) spaces: bool,
}

/// The next step of the comparison at a position where the windows no longer agree.
enum TokenStep {
    /// The comparison continues at these indices.
    Go(usize, usize),
    /// More bytes must be read first.
    Read,
    /// The texts are equal up to their ends.
    Same,
    /// The tokens at this position differ.
    Differ,
    /// The texts differ at these indices, possibly only in white space, and the rule checks white space.
    Space(usize, usize),
    /// The texts differ, and the difference has already been determined.
    Found(Box<Difference>),
}

impl Tokens {
    /// Compares the rest of both streams. If white space is checked, a difference in it is a presentation error if all
    /// tokens after it match, and a wrong answer otherwise.
    ///
    /// # Errors
    /// Returns an error if a stream cannot be read.
    pub(super) fn compare(&self, pair: &mut Pair<'_>) -> io::Result<ComparisonResult> {
        let wrong = |difference| ComparisonResult::Differs { verdict: Verdict::WrongAnswer, difference };
        let (mut i, mut j) = (0, 0);
        loop {
            (i, j) = self.agreement(pair.expected.bytes(), pair.actual.bytes(), i, j);
            match self.step(pair, i, j)? {
                TokenStep::Go(next_i, next_j) => (i, j) = (next_i, next_j),
                TokenStep::Read => {
                    pair.refill(i, j)?;
                    (i, j) = (0, 0);
                }
                TokenStep::Same => return Ok(ComparisonResult::Same),
                TokenStep::Differ => return self.difference(pair, i, j).map(wrong),
                TokenStep::Space(i, j) => return self.or_shape(pair, i, j),
                TokenStep::Found(difference) => return Ok(wrong(*difference)),
            }
        }
    }

    /// Compares the remaining tokens without regard to white space, after a difference in white space at `i` and `j`.
    ///
    /// # Errors
    /// Returns an error if a stream cannot be read.
    pub(super) fn or_shape(&self, pair: &mut Pair<'_>, i: usize, j: usize) -> io::Result<ComparisonResult> {
        let difference = shapes(pair, i, j)?;
        Ok(match (Tokens { spaces: false, ..*self }).compare(pair)? {
            ComparisonResult::Same => ComparisonResult::Differs { verdict: Verdict::PresentationError, difference },
            wrong => wrong,
        })
    }

    fn agreement(&self, a: &[u8], b: &[u8], i: usize, j: usize) -> (usize, usize) {
        if !self.spaces {
            return token_agreement(a, b, i, j, self.fold_case);
        }
        let agreed = agreement(&a[i..], &b[j..], Leniency { spaces: false, case: self.fold_case });
        (i + agreed, j + agreed)
    }

    fn step(&self, pair: &mut Pair<'_>, i: usize, j: usize) -> io::Result<TokenStep> {
        let looks = pair.look(i, j);
        if looks.0 == Look::More || looks.1 == Look::More {
            return Ok(TokenStep::Read);
        }
        Ok(match (pair.inside(i, j), looks) {
            (_, (Look::End, Look::End)) => TokenStep::Same,
            (inside, (Look::Word, Look::Word)) if self.spaces || !inside => return self.numbers(pair, i, j),
            (true, (Look::Word, _) | (_, Look::Word)) => return self.numbers(pair, i, j),
            _ if self.spaces => TokenStep::Space(i, j),
            (true, (one, other)) => {
                TokenStep::Go(i + usize::from(one == Look::Space), j + usize::from(other == Look::Space))
            }
            (false, (Look::Space, _)) => TokenStep::Go(i + spaces(&pair.expected.bytes()[i..]), j),
            (false, (_, Look::Space)) => TokenStep::Go(i, j + spaces(&pair.actual.bytes()[j..])),
            (false, _) => TokenStep::Differ,
        })
    }

    /// Compares the tokens around `i` and `j`, whose bytes differ, as numbers. Without a tolerance, returns
    /// [`TokenStep::Differ`].
    fn numbers(&self, pair: &mut Pair<'_>, i: usize, j: usize) -> io::Result<TokenStep> {
        let Some(tolerance) = self.tolerance else { return Ok(TokenStep::Differ) };
        let before = pair.token_before(i, j);
        let (from_i, from_j) = (i - before, j - before);
        if pair.long > 0 && from_i == 0 {
            return self.long_numbers(pair, i, j, tolerance);
        }
        let (expected, actual) = (&pair.expected.bytes()[from_i..], &pair.actual.bytes()[from_j..]);
        if let (Some(a), Some(b)) = (short(expected), short(actual))
            && let Some(close) = number::close_short(a, b, tolerance)
        {
            let ends = (from_i + a.length, from_j + b.length);
            return Ok(if close { self.behind(pair, ends) } else { TokenStep::Differ });
        }
        let (Some(a), Some(b)) = (token(&pair.expected, from_i), token(&pair.actual, from_j)) else {
            return self.unfinished(pair, i, j, tolerance);
        };
        let close = match (Number::read(a), Number::read(b)) {
            (Some(a), Some(b)) => number::close(&a, &b, tolerance),
            _ => false,
        };
        let ends = (from_i + a.len(), from_j + b.len());
        Ok(if close { self.behind(pair, ends) } else { TokenStep::Differ })
    }

    /// Returns the step after two matching numbers, which end at `i` and `j`. The step also skips the byte after each
    /// number, since the numbers may have different lengths and their ends would not count as one token boundary.
    fn behind(&self, pair: &mut Pair<'_>, (i, j): (usize, usize)) -> TokenStep {
        let (space, other) = (pair.expected.bytes().get(i), pair.actual.bytes().get(j));
        if self.spaces && space != other {
            pair.pass(i, j);
            return TokenStep::Space(0, 0);
        }
        TokenStep::Go(i + usize::from(space.is_some()), j + usize::from(other.is_some()))
    }

    /// Handles tokens whose ends are not both in the windows: reads more bytes, or compares the tokens in chunks if a
    /// window is full.
    fn unfinished(&self, pair: &mut Pair<'_>, i: usize, j: usize, tolerance: Tolerance) -> io::Result<TokenStep> {
        let before = pair.token_before(i, j);
        pair.pass(i - before, j - before);
        if pair.expected.full() || pair.actual.full() {
            pair.scan = Scan::new();
            return self.long_numbers(pair, before, before, tolerance);
        }
        if token(&pair.expected, 0).is_none() {
            pair.expected.more()?;
        }
        if token(&pair.actual, 0).is_none() {
            pair.actual.more()?;
        }
        Ok(TokenStep::Go(0, 0))
    }

    /// Compares numbers that are too long for a window. `pair.scan` has parsed the passed part, and the rest begins at
    /// the front of the windows.
    fn long_numbers(&self, pair: &mut Pair<'_>, i: usize, j: usize, tolerance: Tolerance) -> io::Result<TokenStep> {
        let difference = Box::new(self.difference(pair, i, j)?);
        Ok(match pair.finish_numbers()? {
            Some((a, b)) if number::close(&a, &b, tolerance) => TokenStep::Go(0, 0),
            _ => TokenStep::Found(difference),
        })
    }

    fn difference(&self, pair: &mut Pair<'_>, i: usize, j: usize) -> io::Result<Difference> {
        let before = pair.token_before(i, j);
        pair.pass(i - before, j - before);
        let cut = Cut { gone: pair.long, at: before };
        let expected = excerpt::token(&mut pair.expected, cut)?;
        let actual = excerpt::token(&mut pair.actual, cut)?;
        let (expected_line, expected_column) = pair.expected.place();
        let (actual_line, actual_column) = pair.actual.place();
        let index = pair.token_number();
        let message = self.message(index, expected.as_deref(), actual.as_deref(), pair.long + before as u64);
        Ok(Difference {
            expected_line,
            expected_column: expected_column - pair.long,
            actual_line,
            actual_column: actual_column - pair.long,
            index,
            expected,
            actual,
            message,
        })
    }

    fn message(&self, index: u64, expected: Option<&str>, actual: Option<&str>, at: u64) -> String {
        match (expected, actual) {
            (Some(expected), Some(actual)) => {
                let why = self.why(expected, actual, at);
                format!("token {index}: expected `{expected}`, found `{actual}`{why}")
            }
            (Some(expected), None) if index == 1 => format!("the output is empty, expected `{expected}`"),
            (Some(expected), None) => format!("the output ends too early: expected `{expected}` as token {index}"),
            (None, Some(actual)) if index == 1 => format!("expected an empty output, found `{actual}`"),
            (None, Some(actual)) => {
                let tokens = if index == 2 { "1 token".to_owned() } else { format!("{} tokens", index - 1) };
                format!("the answer has {tokens}, but the output continues with `{actual}`")
            }
            (None, None) => "the output differs from the answer".to_owned(),
        }
    }

    /// Returns an explanation of the difference between two tokens, to be appended to the message about them, or an
    /// empty string. `at` is the index of the first byte that differs.
    fn why(&self, expected: &str, actual: &str, at: u64) -> String {
        if self.tolerance.is_some()
            && let (Some(a), Some(b)) = (Number::read(expected.as_bytes()), Number::read(actual.as_bytes()))
        {
            return self.off(a.value(), b.value());
        }
        if expected.eq_ignore_ascii_case(actual) {
            return ", which differs only in case".to_owned();
        }
        if at >= 30 { format!(", first difference at byte {} of the token", at + 1) } else { String::new() }
    }

    fn off(&self, expected: f64, actual: f64) -> String {
        let Some(Tolerance { absolute, relative }) = self.tolerance else { return String::new() };
        let bounds: Vec<String> = [(absolute, "absolute"), (relative, "relative")]
            .iter()
            .filter_map(|(bound, name)| bound.map(|bound| format!("{bound:e} {name}")))
            .collect();
        let allowed = if bounds.is_empty() { "0".to_owned() } else { bounds.join(" or ") };
        format!(", an error of {:.3e}; the tolerance is {allowed}", (actual - expected).abs())
    }
}

/// Parses a short number at the start of `bytes`. Returns `None` if there is none or no white space follows it in
/// `bytes`.
fn short(bytes: &[u8]) -> Option<Short> {
    number::short(bytes).filter(|number| bytes.get(number.length).is_some_and(|&byte| is_space(byte)))
}

/// Returns the token that begins at index `from`; `None` if its end is not in the window.
fn token<'w>(window: &'w Window<'_>, from: usize) -> Option<&'w [u8]> {
    let rest = &window.bytes()[from..];
    let end = word(rest);
    (end < rest.len() || window.ended()).then(|| &rest[..end])
}
