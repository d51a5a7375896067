//! A stream seen through a window of bounded size, with the line and column at which the window begins.

use std::io::{self, Read};

/// How many bytes a window holds.
pub(super) const WINDOW: usize = 128 << 10;

/// A stream seen through a window: bytes come in behind, and go out in front when they have been dealt with.
#[derive(Debug)]
pub(super) struct Window<R> {
    reader: R,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    ended: bool,
    line: u64,
    column: u64,
}

impl<R: Read> Window<R> {
    pub(super) fn new(reader: R) -> Window<R> {
        Window { reader, buffer: vec![0; WINDOW], start: 0, end: 0, ended: false, line: 1, column: 1 }
    }

    /// What is in the window.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// Whether nothing comes behind what is in the window.
    pub(super) fn ended(&self) -> bool {
        self.ended
    }

    /// Whether the window can hold no more.
    pub(super) fn full(&self) -> bool {
        self.end - self.start == WINDOW
    }

    /// Line and column (in bytes) of the first byte in the window, from 1.
    pub(super) fn place(&self) -> (u64, u64) {
        (self.line, self.column)
    }

    /// Reads once, behind what is there; does nothing at the end of the stream or in a full window.
    pub(super) fn more(&mut self) -> io::Result<()> {
        if self.ended || self.full() {
            return Ok(());
        }
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        let count = loop {
            match self.reader.read(&mut self.buffer[self.end..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => break other?,
            }
        };
        self.end += count;
        self.ended = count == 0;
        Ok(())
    }

    /// Reads until `count` bytes are there, or the stream ends, or the window is full.
    pub(super) fn at_least(&mut self, count: usize) -> io::Result<()> {
        while self.bytes().len() < count && !self.ended && !self.full() {
            self.more()?;
        }
        Ok(())
    }

    /// Lets the first `count` bytes go.
    pub(super) fn pass(&mut self, count: usize) {
        let gone = &self.buffer[self.start..self.start + count];
        match memchr::memrchr(b'\n', gone) {
            None => self.column += count as u64,
            Some(last) => {
                self.line += memchr::memchr_iter(b'\n', gone).count() as u64;
                self.column = (count - last) as u64;
            }
        }
        self.start += count;
    }

    /// Lets the first `count` bytes go without counting their lines, for those who need no places.
    pub(super) fn forget(&mut self, count: usize) {
        self.start += count;
    }
}
