//! A reference implementation of the checkers for tests. It holds whole texts in memory and splits them with the
//! standard library.

use std::collections::BTreeMap;

use super::{Comparer, ComparisonRule};
use crate::model::Verdict;

const SPACE: &[u8] = b"\t\n\x0b\x0c\r ";

/// Returns the tokens in order, with their byte offsets.
fn tokens(text: &[u8]) -> Vec<(usize, &[u8])> {
    let mut found = Vec::new();
    let mut at = 0;
    for piece in text.split(|byte| SPACE.contains(byte)) {
        if !piece.is_empty() {
            found.push((at, piece));
        }
        at += piece.len() + 1;
    }
    found
}

pub(super) fn place(text: &[u8], at: usize) -> (u64, u64) {
    let line = text[..at].iter().filter(|&&byte| byte == b'\n').count() + 1;
    let column = at - text[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1) + 1;
    (line as u64, column as u64)
}

pub(super) fn fold(text: &[u8], yes: bool) -> Vec<u8> {
    if yes { text.to_ascii_lowercase() } else { text.to_vec() }
}

fn same_token(rule: ComparisonRule, fold_case: bool, expected: &[u8], actual: &[u8]) -> bool {
    let plain = |text: &[u8]| !text.is_empty() && text.iter().all(|b| b"0123456789.eE+-".contains(b));
    let number = |text: &[u8]| plain(text).then(|| std::str::from_utf8(text).unwrap().parse::<f64>().ok()).flatten();
    if fold(expected, fold_case) == fold(actual, fold_case) {
        return true;
    }
    match (rule, number(expected), number(actual)) {
        (ComparisonRule::Numbers { absolute, relative, .. }, Some(a), Some(b)) => {
            let off = (a - b).abs();
            off == 0.0
                || absolute.is_some_and(|bound| off <= bound)
                || relative.is_some_and(|bound| off <= bound * a.abs())
        }
        _ => false,
    }
}

/// Returns true if the text contains a number whose nearest double is infinite. This implementation cannot compare such
/// numbers.
pub(super) fn huge(text: &[u8]) -> bool {
    let value = |token: &[u8]| std::str::from_utf8(token).ok()?.parse::<f64>().ok();
    tokens(text).iter().any(|(_, token)| token.len() > 3 && value(token).is_some_and(f64::is_infinite))
}

/// Number of a token (from 1), and its line and column in the answer and in the output.
pub(super) type NaiveMatch = (u64, (u64, u64), (u64, u64));

/// Returns the number of the first token that differs and its positions in both texts; `None` if all tokens match.
pub(super) fn first_token(rule: ComparisonRule, fold_case: bool, expected: &[u8], actual: &[u8]) -> Option<NaiveMatch> {
    let (a, b) = (tokens(expected), tokens(actual));
    (0..a.len().max(b.len())).find_map(|index| {
        let (x, y) = (a.get(index), b.get(index));
        if let (Some(x), Some(y)) = (x, y)
            && same_token(rule, fold_case, x.1, y.1)
        {
            return None;
        }
        let at = |token: Option<&(usize, &[u8])>, text: &[u8]| place(text, token.map_or(text.len(), |token| token.0));
        Some((index as u64 + 1, at(x, expected), at(y, actual)))
    })
}

/// Returns the lines without their trailing blanks and without the empty lines at the end.
fn lines(text: &[u8], fold_case: bool) -> Vec<Vec<u8>> {
    let trimmed = |line: &[u8]| {
        let end = line.iter().rposition(|byte| !SPACE.contains(byte)).map_or(0, |last| last + 1);
        fold(&line[..end], fold_case)
    };
    let mut lines: Vec<Vec<u8>> = text.split(|&byte| byte == b'\n').map(trimmed).collect();
    while lines.last().is_some_and(Vec::is_empty) {
        lines.pop();
    }
    lines
}

fn multiset(text: &[u8], fold_case: bool) -> BTreeMap<Vec<u8>, usize> {
    let mut set = BTreeMap::new();
    for line in lines(text, fold_case).into_iter().filter(|line| !line.is_empty()) {
        *set.entry(line).or_default() += 1;
    }
    set
}

/// Returns the white space of a text, with the letter `x` in place of each token.
fn shape(text: &[u8]) -> Vec<u8> {
    let mut shape: Vec<u8> = text.iter().map(|byte| if SPACE.contains(byte) { *byte } else { b'x' }).collect();
    shape.dedup_by(|one, before| (*one, *before) == (b'x', b'x'));
    shape
}

/// Returns the verdict of the reference implementation; `None` if the output is accepted.
pub(super) fn naive_verdict(comparer: Comparer, expected: &[u8], actual: &[u8]) -> Option<Verdict> {
    let fold_case = comparer.fold_case;
    let same = match comparer.rule {
        ComparisonRule::Exact => fold(expected, fold_case) == fold(actual, fold_case),
        ComparisonRule::Lines => lines(expected, fold_case) == lines(actual, fold_case),
        ComparisonRule::Unordered => multiset(expected, fold_case) == multiset(actual, fold_case),
        rule => {
            let spaces = matches!(rule, ComparisonRule::Numbers { spaces: true, .. });
            first_token(rule, fold_case, expected, actual).is_none() && (!spaces || shape(expected) == shape(actual))
        }
    };
    if same {
        return None;
    }
    let tokens = match comparer.rule {
        ComparisonRule::Exact | ComparisonRule::Lines => Some(ComparisonRule::Tokens),
        rule @ ComparisonRule::Numbers { spaces: true, .. } => Some(rule),
        _ => None,
    };
    if tokens.is_some_and(|tokens| first_token(tokens, fold_case, expected, actual).is_none()) {
        return Some(Verdict::PresentationError);
    }
    Some(Verdict::WrongAnswer)
}
