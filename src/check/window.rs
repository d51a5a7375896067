//! A bounded window over a stream, with the line and column of its first byte.

use std::io::{self, Read};

/// The capacity of a window, in bytes.
pub(super) const WINDOW: usize = 128 << 10;

/// A bounded window over a stream. Bytes are appended at its end, and released at its front after they have been
/// processed.
pub(super) struct Window<'r> {
    reader: &'r mut dyn Read,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    ended: bool,
    line: u64,
    column: u64,
}

impl<'r> Window<'r> {
    pub(super) fn new(reader: &'r mut dyn Read) -> Window<'r> {
        Window { reader, buffer: vec![0; WINDOW], start: 0, end: 0, ended: false, line: 1, column: 1 }
    }

    /// Returns the bytes in the window.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// Returns true if the end of the stream was read.
    pub(super) fn ended(&self) -> bool {
        self.ended
    }

    /// Returns true if the window contains [`WINDOW`] bytes.
    pub(super) fn full(&self) -> bool {
        self.end - self.start == WINDOW
    }

    /// Returns the line and the column, in bytes, of the first byte in the window. Both are numbered from 1.
    pub(super) fn place(&self) -> (u64, u64) {
        (self.line, self.column)
    }

    /// Reads once and appends the bytes to the window. Does nothing at the end of the stream or if the window is full.
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

    /// Reads until the window contains `count` bytes, the stream ends, or the window is full.
    pub(super) fn at_least(&mut self, count: usize) -> io::Result<()> {
        while self.bytes().len() < count && !self.ended && !self.full() {
            self.more()?;
        }
        Ok(())
    }

    /// Releases the first `count` bytes.
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

    /// Releases the first `count` bytes without updating the line and the column.
    pub(super) fn forget(&mut self, count: usize) {
        self.start += count;
    }
}
