//! The streams of the answer and the output, and the position up to which they agree.

use std::io::{self, Read};

use super::number::{Number, Scan};
use super::scan::{is_space, token_starts, word, word_before};
use super::window::Window;

/// Length, in bytes, from which a token is processed in chunks. A shorter token stays in the window until its end is
/// read.
const SHORT: usize = 4 << 10;
/// Number of bytes of a longer token that stay in the window, for excerpts in messages.
const CONTEXT: usize = 32;

/// The kind of the byte at an index of a window, or the reason why the window has no byte at this index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    /// A byte of a token.
    Word,
    /// White space.
    Space,
    /// The end of the stream.
    End,
    /// The window ends before this byte, so more bytes must be read first.
    More,
}

/// The answer and the output. The bytes passed so far agree token by token.
///
/// The front of both windows is either at a token boundary, or within a long token whose first `long` bytes were passed
/// and are the same on both sides.
pub(super) struct Pair<'r> {
    pub(super) expected: Window<'r>,
    pub(super) actual: Window<'r>,
    /// Number of bytes of the current token that were passed; 0 at a token boundary.
    pub(super) long: u64,
    /// State of the number parser after the passed part of a long token.
    pub(super) scan: Scan,
    /// Number of tokens of the answer that began in the passed bytes.
    tokens: u64,
    /// Whether the last passed byte of the answer was white space, or no byte was passed.
    after_space: bool,
}

impl<'r> Pair<'r> {
    pub(super) fn new(expected: &'r mut dyn Read, actual: &'r mut dyn Read) -> Pair<'r> {
        Pair {
            expected: Window::new(expected),
            actual: Window::new(actual),
            long: 0,
            scan: Scan::new(),
            tokens: 0,
            after_space: true,
        }
    }

    /// Returns the kinds of the bytes at `i` in the answer and at `j` in the output.
    pub(super) fn look(&self, i: usize, j: usize) -> (Look, Look) {
        (look(&self.expected, i), look(&self.actual, j))
    }

    /// Returns the number of bytes directly before `i` and `j` that belong to a token in both windows.
    pub(super) fn token_before(&self, i: usize, j: usize) -> usize {
        word_before(&self.expected.bytes()[..i]).min(word_before(&self.actual.bytes()[..j]))
    }

    /// Returns true if both indices directly follow a byte of a token. If only one index is at the front of its window,
    /// the other index determines the result; if both are, the result is true within a long token.
    pub(super) fn inside(&self, i: usize, j: usize) -> bool {
        let word = |bytes: &[u8]| bytes.last().map(|&byte| !is_space(byte));
        match (word(&self.expected.bytes()[..i]), word(&self.actual.bytes()[..j])) {
            (None, None) => self.long > 0,
            (one, other) => one.unwrap_or(true) && other.unwrap_or(true),
        }
    }

    /// Returns the number, from 1, of the token that begins or continues at the front of the answer's window.
    pub(super) fn token_number(&self) -> u64 {
        self.tokens + u64::from(self.long == 0)
    }

    /// Advances past `i` bytes of the answer and `j` bytes of the output. The tokens in these bytes must be equal, and
    /// the bytes must end at a token boundary.
    pub(super) fn pass(&mut self, i: usize, j: usize) {
        if i + j > 0 {
            self.pass_raw(i, j);
            self.long = 0;
        }
    }

    /// Advances past the bytes before `i` and `j`, which must agree, but keeps the bytes of the current token in the
    /// windows. Of a token of [`SHORT`] bytes or more, keeps only the last [`CONTEXT`] bytes. Returns the number of
    /// bytes kept, which is the new value of `i` and `j`.
    pub(super) fn settle(&mut self, i: usize, j: usize) -> usize {
        let token = self.token_before(i, j);
        if token < SHORT {
            if i > token || j > token {
                self.pass(i - token, j - token);
            }
            return token;
        }
        if self.long == 0 || token < i {
            self.pass(i - token, j - token);
            self.scan = Scan::new();
        }
        let gone = token - CONTEXT;
        self.scan.feed(&self.expected.bytes()[..gone]);
        self.pass_raw(gone, gone);
        self.long += gone as u64;
        CONTEXT
    }

    fn pass_raw(&mut self, i: usize, j: usize) {
        let gone = &self.expected.bytes()[..i];
        self.tokens += token_starts(gone, self.after_space);
        if let Some(&last) = gone.last() {
            self.after_space = is_space(last);
        }
        self.expected.pass(i);
        self.actual.pass(j);
    }

    /// Advances past the rest of the current token, or the next token, in both streams, and parses both tokens as
    /// numbers. Returns `None` if one of them is not a number.
    ///
    /// # Errors
    /// Returns an error if a stream cannot be read.
    pub(super) fn finish_numbers(&mut self) -> io::Result<Option<(Number, Number)>> {
        self.tokens += u64::from(self.long == 0);
        (self.long, self.after_space) = (0, false);
        let scan = std::mem::replace(&mut self.scan, Scan::new());
        let Some(expected) = finish(&mut self.expected, scan.clone())? else { return Ok(None) };
        Ok(finish(&mut self.actual, scan)?.map(|actual| (expected, actual)))
    }

    /// Calls [`Pair::settle`], and reads more bytes of each stream whose next byte is not in the window.
    ///
    /// # Errors
    /// Returns an error if a stream cannot be read.
    pub(super) fn refill(&mut self, i: usize, j: usize) -> io::Result<()> {
        let (expected, actual) = self.look(i, j);
        self.settle(i, j);
        if expected == Look::More {
            self.expected.more()?;
        }
        if actual == Look::More {
            self.actual.more()?;
        }
        Ok(())
    }
}

fn look(window: &Window<'_>, at: usize) -> Look {
    match window.bytes().get(at) {
        Some(&byte) if is_space(byte) => Look::Space,
        Some(_) => Look::Word,
        None if window.ended() => Look::End,
        None => Look::More,
    }
}

/// Advances past the rest of a token and parses the token as a number. Stops as soon as the token can't be a number.
fn finish(window: &mut Window<'_>, mut scan: Scan) -> io::Result<Option<Number>> {
    loop {
        let count = word(window.bytes());
        let over = count < window.bytes().len() || window.ended();
        scan.feed(&window.bytes()[..count]);
        window.pass(count);
        if over || scan.wrong() {
            return Ok(scan.finish());
        }
        window.more()?;
    }
}
