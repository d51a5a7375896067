//! Parses text token by token and reports errors with line and column.

use std::fmt::Display;
use std::fs::File;
use std::io::Read;
use std::ops::RangeInclusive;
use std::path::Path;

use super::complaint::{Complaint, Whose};
use super::random::Int;

/// Maximum length of a token quoted in a message, in bytes.
const QUOTED: usize = 40;
/// Length in bytes beyond which a token or a line is cut, to bound the memory usage. Every valid number is shorter.
const LONGEST: usize = 1 << 26;

/// A parser that reads a text token by token, from start to end.
///
/// A lenient reader (for checkers) skips white space before each token. A strict reader (for validators) requires its
/// caller to read each space and line end explicitly, and rejects integers with leading zeros or a redundant sign.
pub struct Reader {
    whose: Whose,
    strict: bool,
    source: Box<dyn Read>,
    buffer: Vec<u8>,
    at: usize,
    line: u64,
    column: u64,
}

impl Reader {
    /// Creates a lenient reader of this source.
    pub fn new(whose: Whose, source: impl Read + 'static) -> Reader {
        let (buffer, at) = (Vec::new(), 0);
        Reader { whose, strict: false, source: Box::new(source), buffer, at, line: 1, column: 1 }
    }

    /// Creates a lenient reader of a file.
    pub fn open(whose: Whose, path: impl AsRef<Path>) -> Result<Reader, Complaint> {
        let path = path.as_ref();
        let file = File::open(path).map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
        Ok(Reader::new(whose, file))
    }

    /// Makes the reader strict.
    #[must_use]
    pub fn strict(self) -> Reader {
        Reader { strict: true, ..self }
    }

    /// Reads the next word.
    pub fn word(&mut self) -> Result<String, Complaint> {
        self.piece("a word").map(|(word, _)| word)
    }

    /// Reads the next word, which must be one of `words`, and returns its index.
    pub fn choice(&mut self, words: &[&str]) -> Result<usize, Complaint> {
        let expected = format!("one of {}", words.join(", "));
        let (word, place) = self.piece(&expected)?;
        words.iter().position(|known| *known == word).ok_or_else(|| self.unlike(place, &expected, &word))
    }

    /// Reads the next integer, which must be in `range`.
    pub fn int<T: Int + Display>(&mut self, range: RangeInclusive<T>) -> Result<T, Complaint> {
        let (low, high) = (*range.start(), *range.end());
        let expected = format!("an integer from {low} to {high}");
        let (word, place) = self.piece(&expected)?;
        let value = word.parse::<i128>().ok().filter(|value| (low.wide()..=high.wide()).contains(value));
        match value {
            None => Err(self.unlike(place, &expected, &word)),
            Some(value) if self.strict && value.to_string() != word => {
                let expected = format!("{expected} without a redundant sign or leading zeros");
                Err(self.unlike(place, &expected, &word))
            }
            Some(value) => Ok(T::narrow(value)),
        }
    }

    /// Reads `count` integers, which must be in this range. A strict reader requires one space between consecutive
    /// integers.
    pub fn ints<T: Int + Display>(&mut self, count: usize, range: RangeInclusive<T>) -> Result<Vec<T>, Complaint> {
        let mut numbers = Vec::with_capacity(count.min(1 << 20));
        for number in 0..count {
            if number > 0 {
                self.space()?;
            }
            numbers.push(self.int(range.clone())?);
        }
        Ok(numbers)
    }

    /// Reads the next decimal number, with or without an exponent, which must be in this range.
    pub fn real(&mut self, range: RangeInclusive<f64>) -> Result<f64, Complaint> {
        let expected = format!("a number from {} to {}", range.start(), range.end());
        let (word, place) = self.piece(&expected)?;
        let plain = word.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
        let value = word.parse::<f64>().ok().filter(|value| plain && range.contains(value));
        value.ok_or_else(|| self.unlike(place, &expected, &word))
    }

    /// Reads the rest of the line, and returns it without the terminating `\n`. Invalid UTF-8 is replaced by U+FFFD.
    pub fn line(&mut self) -> Result<String, Complaint> {
        let mut bytes = Vec::new();
        while let Some(byte) = self.peek()? {
            if byte == b'\n' || bytes.len() > LONGEST {
                break;
            }
            bytes.push(byte);
            self.step();
        }
        if self.peek()? == Some(b'\n') {
            self.step();
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Reads one space. A lenient reader does nothing.
    pub fn space(&mut self) -> Result<(), Complaint> {
        if self.strict { self.exactly(b' ', "one space") } else { Ok(()) }
    }

    /// Reads the end of a line. A lenient reader does nothing.
    pub fn newline(&mut self) -> Result<(), Complaint> {
        if self.strict { self.exactly(b'\n', "the end of the line") } else { Ok(()) }
    }

    /// Fails unless the end of the text has been reached. A lenient reader skips white space first.
    pub fn end(&mut self) -> Result<(), Complaint> {
        let (more, place) = self.more()?;
        if !more {
            return Ok(());
        }
        let found = self.upcoming()?;
        Err(self.unlike(place, "the end of the file", &found))
    }

    /// Returns whether the end of the text has been reached. A lenient reader skips white space first.
    pub fn ended(&mut self) -> Result<bool, Complaint> {
        self.more().map(|(more, _)| !more)
    }

    /// Creates an error with this message at the current position.
    pub fn complaint(&self, message: impl Display) -> Complaint {
        Complaint::new(self.whose, format!("line {}, column {}: {message}", self.line, self.column))
    }

    fn more(&mut self) -> Result<(bool, (u64, u64)), Complaint> {
        if !self.strict {
            self.skip_white()?;
        }
        let more = self.peek()?.is_some();
        Ok((more, (self.line, self.column)))
    }

    fn exactly(&mut self, wanted: u8, name: &str) -> Result<(), Complaint> {
        if self.peek()? == Some(wanted) {
            self.step();
            return Ok(());
        }
        let place = (self.line, self.column);
        let found = self.upcoming()?;
        Err(self.unlike(place, name, &found))
    }

    /// Reads the next word and returns it with its position.
    fn piece(&mut self, expected: &str) -> Result<(String, (u64, u64)), Complaint> {
        if !self.strict {
            self.skip_white()?;
        }
        let place = (self.line, self.column);
        let mut bytes = Vec::new();
        while let Some(byte) = self.peek()? {
            if byte.is_ascii_whitespace() || bytes.len() > LONGEST {
                break;
            }
            bytes.push(byte);
            self.step();
        }
        if bytes.is_empty() {
            let found = self.upcoming()?;
            return Err(self.unlike(place, expected, &found));
        }
        Ok((String::from_utf8_lossy(&bytes).into_owned(), place))
    }

    /// Returns the next token, space or line end for an error message; an empty string at the end of the text.
    fn upcoming(&mut self) -> Result<String, Complaint> {
        match self.peek()? {
            None => Ok(String::new()),
            Some(b'\n') => Ok("\n".to_owned()),
            Some(b' ') => Ok(" ".to_owned()),
            Some(_) => {
                let rest = &self.buffer[self.at..];
                let end = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len()).max(1);
                Ok(String::from_utf8_lossy(&rest[..end]).into_owned())
            }
        }
    }

    fn unlike(&self, place: (u64, u64), expected: &str, found: &str) -> Complaint {
        let found = match found {
            "" => "the end of the file".to_owned(),
            "\n" => "the end of the line".to_owned(),
            " " => "a space".to_owned(),
            word if word.len() > QUOTED => {
                let head: String = word.chars().take(QUOTED).collect();
                format!("`{}…`", head.escape_debug())
            }
            word => format!("`{}`", word.escape_debug()),
        };
        let (line, column) = place;
        Complaint::new(self.whose, format!("line {line}, column {column}: expected {expected}, found {found}"))
    }

    fn skip_white(&mut self) -> Result<(), Complaint> {
        while matches!(self.peek()?, Some(byte) if byte.is_ascii_whitespace()) {
            self.step();
        }
        Ok(())
    }

    fn step(&mut self) {
        if self.buffer[self.at] == b'\n' {
            self.line += 1;
            self.column = 1;
        } else {
            self.column += 1;
        }
        self.at += 1;
    }

    /// Returns the next byte, or `None` at the end of the text. Reads from the source only if the buffer is empty, so
    /// that the reader does not block in interactive problems.
    fn peek(&mut self) -> Result<Option<u8>, Complaint> {
        const CHUNK: usize = 1 << 16;
        if self.at == self.buffer.len() {
            self.buffer.resize(CHUNK, 0);
            self.at = 0;
            let count = loop {
                match self.source.read(&mut self.buffer) {
                    Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                    Err(error) => {
                        self.buffer.clear();
                        let stream = match self.whose {
                            Whose::Own | Whose::Input => "input",
                            Whose::Output => "output",
                            Whose::Answer => "answer",
                        };
                        return Err(Complaint::new(Whose::Own, format!("cannot read the {stream}: {error}")));
                    }
                    Ok(count) => break count,
                }
            };
            self.buffer.truncate(count);
        }
        Ok(self.buffer.get(self.at).copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reader(text: &'static str) -> Reader {
        Reader::new(Whose::Output, text.as_bytes())
    }

    fn said<T>(result: Result<T, Complaint>) -> String {
        result.map(|_| ()).unwrap_err().message
    }

    #[test]
    fn a_lenient_reader_skips_white_space() {
        let mut text = reader(" 3\n\n +007\t-2.5e1 Yes\n a b \nz\n\n");
        assert_eq!(text.int(1..=9), Ok(3));
        assert_eq!(text.int(1_i64..=9), Ok(7));
        assert_eq!(text.real(-30.0..=0.0), Ok(-25.0));
        assert_eq!(text.choice(&["No", "Yes"]), Ok(1));
        assert_eq!(text.line().as_deref(), Ok(""));
        assert_eq!(text.line().as_deref(), Ok(" a b "));
        assert_eq!((text.ended(), text.word().as_deref()), (Ok(false), Ok("z")));
        assert_eq!((text.ended(), text.end()), (Ok(true), Ok(())));
    }

    #[test]
    fn errors_have_a_position() {
        assert_eq!(
            said(reader("3\n 12").ints(2, 1..=9)),
            "line 2, column 2: expected an integer from 1 to 9, found `12`"
        );
        assert_eq!(
            said(reader("3 \n ").ints(2, 1..=9)),
            "line 2, column 2: expected an integer from 1 to 9, found the end of the file"
        );
        assert_eq!(said(reader("nan").real(0.0..=1.0)), "line 1, column 1: expected a number from 0 to 1, found `nan`");
        assert_eq!(said(reader("no").choice(&["No", "Yes"])), "line 1, column 1: expected one of No, Yes, found `no`");
        assert_eq!(said(reader(" x y").end()), "line 1, column 2: expected the end of the file, found `x`");
        assert_eq!(reader("\u{1b}[2J").int(0..=1).unwrap_err().whose, Whose::Output);
        assert!(said(reader("\u{1b}[2J").int(0..=1)).ends_with("found `\\u{1b}[2J`"));
        let long: &'static str = Box::leak("9".repeat(1_000).into_boxed_str());
        assert!(said(reader(long).int(0..=1)).len() < 150);
    }

    #[test]
    fn a_strict_reader_requires_every_byte() {
        let read = |text: &'static str| -> Result<(), Complaint> {
            let mut input = reader(text).strict();
            let n: usize = input.int(1..=9)?;
            input.newline()?;
            input.ints(n, 0..=9)?;
            input.newline()?;
            input.end()
        };
        assert_eq!(read("2\n1 2\n"), Ok(()));
        for (text, complaint) in [
            ("2\n1 2", "line 2, column 4: expected the end of the line, found the end of the file"),
            ("2 \n1 2\n", "line 1, column 2: expected the end of the line, found a space"),
            ("2\r\n1 2\n", "line 1, column 2: expected the end of the line, found `\\r`"),
            ("2\n1  2\n", "line 2, column 3: expected an integer from 0 to 9, found a space"),
            (
                "2\n1 02\n",
                "line 2, column 3: expected an integer from 0 to 9 without a redundant sign or leading zeros, found `02`",
            ),
            ("2\n1 2\n\n", "line 3, column 1: expected the end of the file, found the end of the line"),
            (" 2\n", "line 1, column 1: expected an integer from 1 to 9, found a space"),
        ] {
            assert_eq!(said(read(text)), complaint, "{:?}", text);
        }
    }
}
