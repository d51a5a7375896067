//! Compares texts as multisets of lines, which are represented by their hashes.

use std::collections::HashMap;
use std::io::{self, Read};

use super::excerpt;
use super::scan::is_space;
use super::window::Window;
use crate::model::Difference;

/// Maximum number of bytes of a line that are stored for messages.
const HEAD: usize = 64;

/// The first 128 bits of the BLAKE3 hash of a line. A search for a collision takes about 2^64 hashes.
type LineHash = [u8; 16];

/// A distinct line of the answer and its number of occurrences.
struct LineKind {
    /// Number of occurrences of the line in the answer that were not yet found in the output.
    left: u64,
    /// Number of occurrences of the line in the answer.
    count: u64,
    /// Line number of the first occurrence in the answer.
    line: u64,
    /// Index of the line's first bytes in the list of stored heads.
    head: usize,
}

/// A line of the output without a counterpart in the answer.
struct Odd {
    line: u64,
    text: String,
}

/// Compares lines as multisets. Blank lines and trailing blanks are ignored. Returns the first line of the output
/// without a counterpart in the answer or, if there is none, the first line of the answer that the output lacks; `None`
/// if the multisets are equal.
///
/// # Errors
/// Returns an error if a stream cannot be read.
pub(super) fn compare(
    expected: &mut dyn Read,
    actual: &mut dyn Read,
    fold_case: bool,
) -> io::Result<Option<Difference>> {
    let mut kinds: HashMap<LineHash, LineKind> = HashMap::new();
    let mut heads: Vec<Box<[u8]>> = Vec::new();
    each_line(expected, fold_case, |line| {
        let kind = kinds.entry(line.key).or_insert_with(|| {
            heads.push(line.head.into());
            LineKind { left: 0, count: 0, line: line.number, head: heads.len() - 1 }
        });
        kind.left += 1;
        kind.count += 1;
        true
    })?;
    let mut surplus = None;
    let mut known = 0;
    each_line(actual, fold_case, |line| {
        match kinds.get_mut(&line.key) {
            Some(kind) if kind.left > 0 => kind.left -= 1,
            kind => {
                known = kind.map_or(0, |kind| kind.count);
                surplus = Some(Odd { line: line.number, text: excerpt::head(line.head, line.long) });
            }
        }
        surplus.is_none()
    })?;
    if let Some(odd) = surplus {
        return Ok(Some(surplus_line(odd, known)));
    }
    let first = kinds.values().filter(|kind| kind.left > 0).min_by_key(|kind| kind.line);
    Ok(first.map(|kind| missing_line(kind, &heads[kind.head])))
}

fn surplus_line(odd: Odd, known: u64) -> Difference {
    let message = match known {
        0 => format!("line {} of the output is not in the answer: `{}`", odd.line, odd.text),
        1 => format!(
            "line {} of the output occurs more often than in the answer, which contains it once: `{}`",
            odd.line, odd.text
        ),
        _ => format!(
            "line {} of the output occurs more often than in the answer, which contains it {known} times: `{}`",
            odd.line, odd.text
        ),
    };
    Difference {
        expected_line: 1,
        expected_column: 1,
        actual_line: odd.line,
        actual_column: 1,
        index: odd.line,
        expected: None,
        actual: Some(odd.text),
        message,
    }
}

fn missing_line(kind: &LineKind, head: &[u8]) -> Difference {
    let text = excerpt::head(&head[..head.len().min(HEAD - 1)], head.len() == HEAD);
    let message = if kind.left == kind.count {
        format!("line {} of the answer is missing from the output: `{text}`", kind.line)
    } else {
        let (found, count) = (kind.count - kind.left, kind.count);
        format!(
            "the output has only {found} of the {count} lines that equal line {} of the answer: `{text}`",
            kind.line
        )
    };
    Difference {
        expected_line: kind.line,
        expected_column: 1,
        actual_line: 1,
        actual_column: 1,
        index: kind.line,
        expected: Some(text),
        actual: None,
        message,
    }
}

/// A line of the answer or the output that is not blank.
struct AnswerLine<'a> {
    number: u64,
    key: LineHash,
    /// The first bytes of the line.
    head: &'a [u8],
    /// Whether the line is longer than its head.
    long: bool,
}

/// Calls `take` with every line that is not blank, in order, until `take` returns false.
fn each_line(reader: &mut dyn Read, fold_case: bool, mut take: impl FnMut(AnswerLine<'_>) -> bool) -> io::Result<()> {
    let mut window = Window::new(reader);
    let mut number = 0;
    loop {
        let end = memchr::memchr(b'\n', window.bytes());
        if end.is_none() && !window.ended() && !window.full() {
            window.more()?;
            continue;
        }
        if window.bytes().is_empty() {
            return Ok(());
        }
        number += 1;
        if end.is_none() && window.full() {
            if let Some((key, head)) = long_line(&mut window, fold_case)?
                && !take(AnswerLine { number, key, head: &head, long: true })
            {
                return Ok(());
            }
            continue;
        }
        let end = end.unwrap_or(window.bytes().len());
        let line = trimmed(&window.bytes()[..end]);
        if !line.is_empty() {
            let head = &line[..line.len().min(HEAD)];
            if !take(AnswerLine { number, key: hash(line, fold_case), head, long: head.len() < line.len() }) {
                return Ok(());
            }
        }
        window.pass((end + 1).min(window.bytes().len()));
    }
}

/// Hashes a line that fills the window, without its trailing white space, in chunks. Returns the hash and the
/// first bytes of the line; `None` for a blank line.
fn long_line(window: &mut Window<'_>, fold_case: bool) -> io::Result<Option<(LineHash, Vec<u8>)>> {
    let head = window.bytes()[..HEAD].to_vec();
    let mut all = blake3::Hasher::new();
    let mut solid = None;
    loop {
        let end = memchr::memchr(b'\n', window.bytes());
        let piece = &window.bytes()[..end.unwrap_or(window.bytes().len())];
        let text = trimmed(piece);
        feed(&mut all, text, fold_case);
        if !text.is_empty() {
            solid = Some(all.clone());
        }
        feed(&mut all, &piece[text.len()..], fold_case);
        let count = piece.len() + usize::from(end.is_some());
        window.pass(count);
        if end.is_some() || window.ended() {
            return Ok(solid.map(|hasher| (key(&hasher.finalize()), head)));
        }
        window.more()?;
    }
}

fn trimmed(line: &[u8]) -> &[u8] {
    let end = line.iter().rposition(|&byte| !is_space(byte)).map_or(0, |last| last + 1);
    &line[..end]
}

fn hash(line: &[u8], fold_case: bool) -> LineHash {
    if !fold_case {
        return key(&blake3::hash(line));
    }
    let mut hasher = blake3::Hasher::new();
    feed(&mut hasher, line, fold_case);
    key(&hasher.finalize())
}

fn key(hash: &blake3::Hash) -> LineHash {
    let mut key = LineHash::default();
    key.copy_from_slice(&hash.as_bytes()[..16]);
    key
}

fn feed(hasher: &mut blake3::Hasher, text: &[u8], fold_case: bool) {
    if !fold_case {
        hasher.update(text);
        return;
    }
    let mut lower = [0; 256];
    for piece in text.chunks(lower.len()) {
        let lower = &mut lower[..piece.len()];
        lower.copy_from_slice(piece);
        lower.make_ascii_lowercase();
        hasher.update(lower);
    }
}
