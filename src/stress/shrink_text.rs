//! Shrinks a failing input of unknown format by removing lines, values and letters, and by making numbers smaller.
//!
//! A number before a removed part may be a count that includes the part, so each removal is also tried together with
//! lowering one of the numbers before the part. The caller decides which results are valid inputs.

use std::collections::HashSet;
use std::ops::Range;

use crate::input::{canonical_text, plain_integer};
use crate::model::Digest;

/// Maximum number of inputs that are tried.
const TRIALS: u64 = 20_000;
/// Maximum number of counters that are tried with a removal from the start of the text, and as many from the numbers
/// just before the removed part. A counter is a number that is lowered together with the removal, because it may count
/// the removed part.
const COUNTERS: usize = 6;

/// Maximum length of the pieces whose removal is tried at every position and with every length.
const SHORT: usize = 6;

/// The result of shrinking a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ShrunkText {
    /// The smallest failing input that was found.
    pub(super) input: Vec<u8>,
    /// Whether every possible step was tried on the input without success.
    pub(super) minimal: bool,
}

/// Replaces a failing text by smaller texts for which `fails` returns `Some(true)`, until no step succeeds, `fails`
/// returns `None` or [`TRIALS`] texts were tried. A number does not become less than `floor`, unless it was less before
/// or is lowered as the counter of a removed part.
pub(super) fn shrink_text(input: &[u8], floor: i64, fails: &mut dyn FnMut(&[u8]) -> Option<bool>) -> ShrunkText {
    let Ok(text) = std::str::from_utf8(input) else { return ShrunkText { input: input.to_vec(), minimal: false } };
    let lines: Vec<Vec<String>> =
        text.trim_end().lines().map(|line| line.split_ascii_whitespace().map(str::to_owned).collect()).collect();
    let mut shrinker = TextShrinker { lines, floor, fails, passed: HashSet::new(), left: TRIALS, cut: false, steps: 0 };
    // If the program does not fail on the normalized text, the exact whitespace matters, and the input is not shrunk.
    let normalised = canonical_text(&shrinker.lines);
    if normalised != input && (shrinker.fails)(&normalised) != Some(true) {
        return ShrunkText { input: input.to_vec(), minimal: false };
    }
    loop {
        let before = shrinker.steps;
        shrinker.round();
        if shrinker.steps == before || shrinker.cut {
            break;
        }
    }
    ShrunkText { input: canonical_text(&shrinker.lines), minimal: !shrinker.cut }
}

/// The position of a token: the index of its line, and its index in the line.
type TokenPlace = (usize, usize);

struct TextShrinker<'a> {
    lines: Vec<Vec<String>>,
    floor: i64,
    fails: &'a mut dyn FnMut(&[u8]) -> Option<bool>,
    passed: HashSet<Digest>,
    left: u64,
    cut: bool,
    steps: u64,
}

impl TextShrinker<'_> {
    fn round(&mut self) {
        self.pieces(|shrinker| shrinker.lines.len(), &mut Self::without_lines);
        let mut line = 0;
        while line < self.lines.len() && !self.cut {
            self.pieces(|shrinker| shrinker.lines.get(line).map_or(0, Vec::len), &mut |shrinker, range| {
                shrinker.without_tokens(line, range)
            });
            line += 1;
        }
        let mut line = 0;
        while line < self.lines.len() && !self.cut {
            for index in 0..self.lines[line].len() {
                self.simpler((line, index));
            }
            line += 1;
        }
    }

    /// Calls `take` with pieces of the range `0..length`: first with the whole range, then with smaller and smaller
    /// pieces down to single indices. `take` returns whether it removed the piece.
    fn pieces(&mut self, length: impl Fn(&Self) -> usize, take: &mut dyn FnMut(&mut Self, Range<usize>) -> bool) {
        let mut piece = length(self);
        while piece > 0 && !self.cut {
            let mut end = length(self);
            while end >= piece && !self.cut {
                let start = end - piece;
                let taken = take(self, start..end);
                // A short piece may begin at any position, because a test case may have any number of lines.
                end = if taken || piece > SHORT { start } else { end - 1 };
                end = end.min(length(self));
            }
            piece = if piece > SHORT { (piece / 2).max(SHORT) } else { piece - 1 };
        }
    }

    fn without_lines(&mut self, range: Range<usize>) -> bool {
        let mut lines = self.lines.clone();
        lines.drain(range.clone());
        // A counter may count a group of lines as one item, such as a test case.
        let amounts = if range.len() == 1 { vec![1] } else { vec![range.len(), 1] };
        self.with_counters(lines, (range.start, 0), &amounts)
    }

    fn without_tokens(&mut self, line: usize, range: Range<usize>) -> bool {
        let mut lines = self.lines.clone();
        lines[line].drain(range.clone());
        self.with_counters(lines, (line, range.start), &[range.len()])
    }

    /// Tries `lines` with each counter before `place` lowered by each of `amounts`, and then with unchanged counters.
    /// Returns whether an attempt succeeded.
    fn with_counters(&mut self, lines: Vec<Vec<String>>, place: TokenPlace, amounts: &[usize]) -> bool {
        for counter in counters(&lines, place) {
            for amount in amounts {
                let mut lowered = lines.clone();
                let Some(value) = plain_integer(&lines[counter.0][counter.1]) else { continue };
                let value = value - *amount as i64;
                if value < 0 {
                    continue;
                }
                lowered[counter.0][counter.1] = value.to_string();
                if self.attempt(lowered) {
                    return true;
                }
            }
        }
        self.attempt(lines)
    }

    /// Moves a number as close to 0 as `floor` allows, or removes letters from a word.
    fn simpler(&mut self, (line, index): TokenPlace) {
        let token = self.lines[line][index].clone();
        let Some(mut now) = plain_integer(&token) else { return self.shorter((line, index)) };
        let simplest = if now < 0 { 0 } else { self.floor.max(0).min(now) };
        let mut step = now.abs_diff(simplest) as i64;
        while step != 0 && !self.cut {
            let next = if now > simplest { now - step.abs() } else { now + step.abs() };
            if next.abs_diff(simplest) <= now.abs_diff(simplest) && next != now {
                let mut lines = self.lines.clone();
                lines[line][index] = next.to_string();
                if self.attempt(lines) {
                    now = next;
                    continue;
                }
            }
            step /= 2;
        }
    }

    /// Removes letters from a word.
    fn shorter(&mut self, (line, index): TokenPlace) {
        if !self.lines[line][index].is_ascii() {
            return;
        }
        self.pieces(|shrinker| shrinker.lines[line][index].len().saturating_sub(1), &mut |shrinker, range| {
            let mut lines = shrinker.lines.clone();
            lines[line][index].replace_range(range.clone(), "");
            shrinker.with_counters(lines, (line, index), &[range.len()])
        });
    }

    /// Replaces the current text by these lines if the program still fails on them. Returns whether the text was
    /// replaced.
    fn attempt(&mut self, lines: Vec<Vec<String>>) -> bool {
        if self.cut || lines.is_empty() || lines == self.lines {
            return false;
        }
        let text = canonical_text(&lines);
        if !self.passed.insert(Digest::of(&text)) {
            return false;
        }
        if self.left == 0 {
            self.cut = true;
            return false;
        }
        self.left -= 1;
        match (self.fails)(&text) {
            Some(true) => {
                self.lines = lines;
                self.steps += 1;
                true
            }
            Some(false) => false,
            None => {
                self.cut = true;
                false
            }
        }
    }
}

/// Returns the positions of the positive numbers before `place` that may count the tokens or lines at `place`: the
/// first [`COUNTERS`] numbers in order, followed by the nearest numbers.
fn counters(lines: &[Vec<String>], place: TokenPlace) -> Vec<TokenPlace> {
    let before = |line: usize| if line == place.0 { place.1 } else { lines.get(line).map_or(0, Vec::len) };
    let all: Vec<TokenPlace> = (0..=place.0.min(lines.len().saturating_sub(1)))
        .flat_map(|line| (0..before(line)).map(move |index| (line, index)))
        .filter(|(line, index)| plain_integer(&lines[*line][*index]).is_some_and(|value| value > 0))
        .collect();
    let near = all.iter().rev().take(COUNTERS).copied();
    let mut found: Vec<TokenPlace> = all.iter().take(COUNTERS).copied().chain(near).collect();
    let mut seen = HashSet::new();
    found.retain(|place| seen.insert(*place));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parses a count n and n numbers after it, and returns the numbers. Returns `None` if the text is not of this
    /// form.
    fn list(text: &[u8]) -> Option<Vec<i64>> {
        let text = std::str::from_utf8(text).ok()?;
        let mut lines = text.lines();
        let n: usize = lines.next()?.parse().ok()?;
        let all: Vec<i64> = lines.next()?.split(' ').map(str::parse).collect::<Result<_, _>>().ok()?;
        (all.len() == n && lines.next().is_none()).then_some(all)
    }

    fn shrunk(input: &str, floor: i64, fails: impl Fn(&[u8]) -> bool) -> (String, bool) {
        assert!(fails(input.as_bytes()));
        let shrunk = shrink_text(input.as_bytes(), floor, &mut |text| Some(fails(text)));
        assert!(fails(&shrunk.input));
        (String::from_utf8(shrunk.input).unwrap(), shrunk.minimal)
    }

    #[test]
    fn a_count_follows_its_list() {
        let fails = |text: &[u8]| list(text).is_some_and(|all| all.iter().any(|x| *x > 40));
        assert_eq!(shrunk("6\n7 3 88 1 50 2\n", 0, fails), ("1\n41\n".to_owned(), true));
        let fails = |text: &[u8]| list(text).is_some_and(|all| all.len() > 1 && all[0] > all[1]);
        assert_eq!(shrunk("6\n7 3 88 1 50 2\n", 1, fails).0, "2\n2 1\n");
    }

    #[test]
    fn test_cases_are_removed_with_their_count() {
        // Each case consists of a line with a count and a line with a list.
        let fails = |text: &[u8]| {
            let Ok(text) = std::str::from_utf8(text) else { return false };
            let lines: Vec<&str> = text.lines().collect();
            let cases: Vec<Vec<i64>> =
                lines[1..].chunks(2).filter_map(|case| list(format!("{}\n", case.join("\n")).as_bytes())).collect();
            lines[0].parse() == Ok(cases.len()) && lines.len() == 2 * cases.len() + 1 && cases.concat().contains(&5)
        };
        assert_eq!(shrunk("3\n2\n1 2\n3\n4 5 6\n1\n9\n", 1, fails), ("1\n1\n5\n".to_owned(), true));
    }

    #[test]
    fn words_become_shorter_with_their_length() {
        let fails = |text: &[u8]| {
            let Ok(text) = std::str::from_utf8(text) else { return false };
            let Some((n, word)) = text.trim_end().split_once('\n') else { return false };
            n.parse() == Ok(word.len()) && word.contains("bb")
        };
        assert_eq!(shrunk("7\nabbacab\n", 1, fails).0, "2\nbb\n");
    }

    #[test]
    fn negative_numbers_move_towards_zero() {
        let fails = |text: &[u8]| {
            std::str::from_utf8(text).ok().and_then(|text| text.trim().parse::<i64>().ok()).is_some_and(|n| n < -12)
        };
        assert_eq!(shrunk("-9000\n", -10_000, fails).0, "-13\n");
    }

    #[test]
    fn shrinking_stops_when_it_is_told_to() {
        let mut left = 2;
        let shrunk = shrink_text(b"1\n2\n3\n4\n", 0, &mut |_| {
            left -= 1;
            (left > 0).then_some(true)
        });
        assert!(!shrunk.minimal);
        assert!(!shrink_text(b"\xff\n", 0, &mut |_| Some(true)).minimal);
    }
}
