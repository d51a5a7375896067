//! Compares texts line by line, ignoring white space at line ends and empty lines at the end.

use std::io;

use super::comparer::ComparisonResult;
use super::excerpt;
use super::pair::{Look, Pair};
use super::scan::{Leniency, agreement, blanks, spaces};
use super::tokens::Tokens;
use crate::model::Difference;

/// The options of the line-by-line comparison.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lines {
    pub(super) fold_case: bool,
}

/// The position of the first difference, if any, as indices into both windows.
enum Parting {
    Nowhere,
    Here(usize, usize),
}

impl Lines {
    /// Compares two streams. If they differ, but only in white space, the verdict is a presentation error.
    ///
    /// # Errors
    /// Returns an error if a stream cannot be read.
    pub(super) fn compare(&self, pair: &mut Pair<'_>) -> io::Result<ComparisonResult> {
        let Parting::Here(i, j) = self.part(pair)? else { return Ok(ComparisonResult::Same) };
        Tokens { fold_case: self.fold_case, tolerance: None, spaces: false }.or_shape(pair, i, j)
    }

    fn part(&self, pair: &mut Pair<'_>) -> io::Result<Parting> {
        let leniency = Leniency { spaces: false, case: self.fold_case };
        let (mut i, mut j) = (0, 0);
        loop {
            let agreed = agreement(&pair.expected.bytes()[i..], &pair.actual.bytes()[j..], leniency);
            (i, j) = (i + agreed, j + agreed);
            match pair.look(i, j) {
                (Look::End, Look::End) => return Ok(Parting::Nowhere),
                (Look::More, _) | (_, Look::More) => pair.refill(i, j)?,
                (Look::Word, _) | (_, Look::Word) => return Ok(Parting::Here(i, j)),
                _ => match rest_of_lines(pair, i, j)? {
                    Rest::Go(next_i, next_j) => {
                        (i, j) = (next_i, next_j);
                        continue;
                    }
                    Rest::Again => {}
                    Rest::Over => return Ok(Parting::Nowhere),
                    Rest::Differ(i, j) => return Ok(Parting::Here(i, j)),
                },
            }
            (i, j) = (0, 0);
        }
    }
}

/// The result of comparing the remainders of two lines at a position where each text has white space or ends.
enum Rest {
    /// Both lines end; the comparison continues at these indices.
    Go(usize, usize),
    /// More bytes were read; the comparison starts again from the front of the windows.
    Again,
    /// Both texts end, apart from white space that is ignored.
    Over,
    /// One of the lines continues with a token, so the texts differ at these indices.
    Differ(usize, usize),
}

fn rest_of_lines(pair: &mut Pair<'_>, i: usize, j: usize) -> io::Result<Rest> {
    let (expected, actual) = (&pair.expected.bytes()[i..], &pair.actual.bytes()[j..]);
    // If one text ends, the remaining empty lines of the other text are ignored.
    let over = pair.expected.ended() && blanks(expected) == expected.len()
        || pair.actual.ended() && blanks(actual) == actual.len();
    let skip = if over { spaces } else { blanks };
    let (end_i, end_j) = (i + skip(expected), j + skip(actual));
    Ok(match pair.look(end_i, end_j) {
        (Look::More, _) | (_, Look::More) if pair.expected.full() || pair.actual.full() => stream_past(pair, i, j)?,
        (Look::More, _) | (_, Look::More) => {
            read_on(pair, (i, j), pair.look(end_i, end_j))?;
            Rest::Again
        }
        (Look::Word, _) | (_, Look::Word) => Rest::Differ(i, j),
        (Look::Space, Look::Space) => Rest::Go(end_i + 1, end_j + 1),
        _ => Rest::Over,
    })
}

fn read_on(pair: &mut Pair<'_>, from: (usize, usize), looks: (Look, Look)) -> io::Result<()> {
    pair.settle(from.0, from.1);
    if looks.0 == Look::More {
        pair.expected.more()?;
    }
    if looks.1 == Look::More {
        pair.actual.more()?;
    }
    Ok(())
}

/// Implements [`rest_of_lines`] for a run of blanks that does not fit in a window. The run is discarded while it is
/// read.
fn stream_past(pair: &mut Pair<'_>, i: usize, j: usize) -> io::Result<Rest> {
    pair.pass(i, j);
    skip(pair, blanks)?;
    let looks = pair.look(0, 0);
    if looks.0 == Look::End || looks.1 == Look::End {
        skip(pair, spaces)?;
    }
    Ok(match pair.look(0, 0) {
        (Look::End, Look::End) => Rest::Over,
        (Look::Space, Look::Space) => Rest::Go(1, 1),
        _ => Rest::Differ(0, 0),
    })
}

/// Skips a leading run of bytes in both streams. `run` returns the length of the run at the start of a slice.
fn skip(pair: &mut Pair<'_>, run: fn(&[u8]) -> usize) -> io::Result<()> {
    loop {
        let (i, j) = (run(pair.expected.bytes()), run(pair.actual.bytes()));
        pair.pass(i, j);
        match pair.look(0, 0) {
            (Look::More, _) | (_, Look::More) => pair.refill(0, 0)?,
            _ => return Ok(()),
        }
    }
}

/// Describes the difference in white space at index `i` of the answer's window and index `j` of the output's window.
///
/// # Errors
/// Returns an error if a stream cannot be read.
pub(super) fn shapes(pair: &mut Pair<'_>, i: usize, j: usize) -> io::Result<Difference> {
    let before = pair.settle(i, j);
    let expected = excerpt::rest_of_line(&mut pair.expected, before)?;
    let actual = excerpt::rest_of_line(&mut pair.actual, before)?;
    let (expected_line, expected_column) = pair.expected.place();
    let (actual_line, actual_column) = pair.actual.place();
    let found = match &actual {
        Some(text) => format!("line {actual_line} of the output continues with `{text}`"),
        None => format!("the output ends in line {actual_line}"),
    };
    let wanted = expected.as_ref().map_or("the end of the output".to_owned(), |text| format!("`{text}`"));
    let message = format!("the tokens match, but the white space differs: {found}, expected {wanted}");
    Ok(Difference {
        expected_line,
        expected_column: expected_column + before as u64,
        actual_line,
        actual_column: actual_column + before as u64,
        index: expected_line,
        expected,
        actual,
        message,
    })
}
