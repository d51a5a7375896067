//! Two streams side by side: the answer and the output, and how far they agree.

use std::io::{self, Read};

use super::number::{Number, Scan};
use super::scan::{is_space, token_starts, word, word_before};
use super::window::Window;

/// A token that began no longer ago than this stays in the window until its end is seen.
const SHORT: usize = 4 << 10;
/// How much of a longer token stays in the window, to be shown if it goes wrong.
const CONTEXT: usize = 32;

/// What comes next in a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    /// A byte of a token.
    Word,
    /// White space.
    Space,
    /// Nothing.
    End,
    /// It is not known before more is read.
    More,
}

/// The answer and the output, passed in step: whatever was passed agrees token by token.
///
/// At the front of both windows stands either the boundary of a token or the rest of a long token whose passed part,
/// of `long` bytes, is the same on both sides.
#[derive(Debug)]
pub(super) struct Pair<E, A> {
    pub(super) expected: Window<E>,
    pub(super) actual: Window<A>,
    /// How many bytes of the current token were passed.
    pub(super) long: u64,
    /// The number that the passed part of a long token begins.
    pub(super) scan: Scan,
    /// How many tokens of the answer began in what was passed.
    tokens: u64,
    /// Whether the last byte passed of the answer was white space, or none was passed.
    after_space: bool,
}

impl<E: Read, A: Read> Pair<E, A> {
    pub(super) fn new(expected: E, actual: A) -> Pair<E, A> {
        Pair {
            expected: Window::new(expected),
            actual: Window::new(actual),
            long: 0,
            scan: Scan::new(),
            tokens: 0,
            after_space: true,
        }
    }

    /// What comes at `i` in the answer and at `j` in the output.
    pub(super) fn look(&self, i: usize, j: usize) -> (Look, Look) {
        (look(&self.expected, i), look(&self.actual, j))
    }

    /// How many bytes of the token that both are in stand before `i` and `j` in the windows.
    pub(super) fn token_before(&self, i: usize, j: usize) -> usize {
        word_before(&self.expected.bytes()[..i]).min(word_before(&self.actual.bytes()[..j]))
    }

    /// Whether both are inside a token.
    pub(super) fn inside(&self, i: usize, j: usize) -> bool {
        let word = |bytes: &[u8]| bytes.last().map(|&byte| !is_space(byte));
        match (word(&self.expected.bytes()[..i]), word(&self.actual.bytes()[..j])) {
            (None, None) => self.long > 0,
            (one, other) => one.unwrap_or(true) && other.unwrap_or(true),
        }
    }

    /// The number of the token that begins or goes on at the front of the answer's window, from 1.
    pub(super) fn token_number(&self) -> u64 {
        self.tokens + u64::from(self.long == 0)
    }

    /// Passes `i` bytes of the answer and `j` of the output, which agree, and stand at the boundary of a token.
    pub(super) fn pass(&mut self, i: usize, j: usize) {
        if i + j > 0 {
            self.pass_raw(i, j);
            self.long = 0;
        }
    }

    /// Passes what agrees up to `i` and `j`, but keeps the token they are in, if it is not too long.
    /// Gives how many bytes of it are kept: so far behind the front `i` and `j` now are.
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

    /// Passes the rest of the token both are in, or that begins here, and reads it as a number on either side.
    ///
    /// # Errors
    /// When a stream cannot be read.
    pub(super) fn finish_numbers(&mut self) -> io::Result<Option<(Number, Number)>> {
        self.tokens += u64::from(self.long == 0);
        (self.long, self.after_space) = (0, false);
        let scan = std::mem::replace(&mut self.scan, Scan::new());
        let Some(expected) = finish(&mut self.expected, scan.clone())? else { return Ok(None) };
        Ok(finish(&mut self.actual, scan)?.map(|actual| (expected, actual)))
    }

    /// Settles at `i` and `j` and reads on where it is not known what comes next.
    ///
    /// # Errors
    /// When a stream cannot be read.
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

fn look<R: Read>(window: &Window<R>, at: usize) -> Look {
    match window.bytes().get(at) {
        Some(&byte) if is_space(byte) => Look::Space,
        Some(_) => Look::Word,
        None if window.ended() => Look::End,
        None => Look::More,
    }
}

/// Passes the rest of a token and reads it as a number; gives up as soon as it is none.
fn finish<R: Read>(window: &mut Window<R>, mut scan: Scan) -> io::Result<Option<Number>> {
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
