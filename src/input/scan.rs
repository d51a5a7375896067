//! Scans the bytes of an input in one pass with a bounded look-ahead.

use std::io::Read;

/// Size of the buffer in bytes.
const BUFFER: usize = 1 << 16;
/// Minimum number of bytes that are available before a value is parsed, unless the input ends earlier. No valid number
/// or word of a choice is longer.
const WINDOW: usize = 2048;
/// Number of bytes for a space, a sign and three words of eight bytes, which hold the digits of the longest integer and
/// the byte after it.
const SHORTEST_ROOM: usize = 1 + 1 + 24;
/// Maximum length of a quoted token in a message, in bytes.
const QUOTED: usize = 40;

/// A byte reader that tracks its line and column.
pub(crate) struct Scanner<'r> {
    reader: &'r mut dyn Read,
    buffer: Vec<u8>,
    at: usize,
    end: usize,
    /// Number of bytes read earlier that are no longer in the buffer.
    before: u64,
    over: bool,
    line: u64,
    line_start: u64,
    failure: Option<std::io::Error>,
}

/// A position: line and byte column, both from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Spot {
    pub(crate) line: u64,
    pub(crate) column: u64,
}

impl<'r> Scanner<'r> {
    pub(crate) fn new(reader: &'r mut dyn Read) -> Scanner<'r> {
        let buffer = vec![0; BUFFER];
        Scanner { reader, buffer, at: 0, end: 0, before: 0, over: false, line: 1, line_start: 0, failure: None }
    }

    /// Moves the remaining bytes to the front of the buffer, and reads until a window is available or the input ends.
    #[cold]
    fn fill(&mut self) {
        self.buffer.copy_within(self.at..self.end, 0);
        self.before += self.at as u64;
        self.end -= self.at;
        self.at = 0;
        while !self.over && self.end < WINDOW {
            match self.reader.read(&mut self.buffer[self.end..]) {
                Ok(0) => self.over = true,
                Ok(count) => self.end += count,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.over = true;
                    self.failure = Some(error);
                }
            }
        }
    }

    /// Returns the next bytes: at least [`WINDOW`] bytes, or fewer at the end of the input.
    #[inline]
    pub(crate) fn ahead(&mut self) -> &[u8] {
        if self.end - self.at < WINDOW && !self.over {
            self.fill();
        }
        &self.buffer[self.at..self.end]
    }

    #[inline]
    pub(crate) fn skip(&mut self, count: usize) {
        self.at += count;
    }

    /// Consumes this byte if it is the next byte, and returns whether it was consumed.
    #[inline]
    pub(crate) fn take(&mut self, byte: u8) -> bool {
        let found = self.ahead().first() == Some(&byte);
        self.at += usize::from(found);
        found
    }

    /// Consumes a line end if it is the next byte, and returns whether it was consumed.
    #[inline]
    pub(crate) fn take_line_end(&mut self) -> bool {
        let found = self.take(b'\n');
        if found {
            self.line += 1;
            self.line_start = self.before + self.at as u64;
        }
        found
    }

    /// Returns the integer at the current position and its length, or `None` if there is no 64-bit integer in the
    /// strict form: no `+`, no leading zero, no `-0`.
    #[inline]
    pub(crate) fn integer(&mut self) -> Option<(i64, usize)> {
        integer(self.ahead())
    }

    /// Consumes integers within the bounds, each preceded by a space, until `into` is full. Returns their number.
    ///
    /// Stops before any other byte, and near the end of the buffered bytes. The caller handles the bytes at that
    /// position.
    #[inline]
    pub(crate) fn integers(&mut self, (lo, hi): (i64, i64), into: &mut [i64]) -> usize {
        let ahead = self.ahead();
        let (mut at, mut count) = (0, 0);
        for place in into {
            let Some(room) = ahead.get(at..at + SHORTEST_ROOM) else { break };
            if room[0] != b' ' {
                break;
            }
            match integer(&room[1..]) {
                Some((number, length)) if lo <= number && number <= hi => {
                    *place = number;
                    at += 1 + length;
                    count += 1;
                }
                _ => break,
            }
        }
        self.at += at;
        count
    }

    pub(crate) fn is_over(&mut self) -> bool {
        self.ahead().is_empty()
    }

    pub(crate) fn spot(&self) -> Spot {
        Spot { line: self.line, column: self.before + self.at as u64 - self.line_start + 1 }
    }

    pub(crate) fn failure(&mut self) -> Option<std::io::Error> {
        self.failure.take()
    }

    /// Returns the bytes up to the next white space, or all buffered bytes if they contain none.
    pub(crate) fn token(&mut self) -> &[u8] {
        let ahead = self.ahead();
        let length = ahead.iter().position(|b| matches!(b, b' ' | b'\n' | b'\r' | b'\t')).unwrap_or(ahead.len());
        &ahead[..length]
    }

    /// Describes the bytes at the current position, for messages.
    pub(crate) fn found(&mut self) -> String {
        match self.ahead().first() {
            None => return "the end of the file".to_owned(),
            Some(b'\n') => return "the end of the line".to_owned(),
            Some(b' ') => return "a space".to_owned(),
            Some(b'\t') => return "a tab".to_owned(),
            Some(b'\r') => return "a carriage return".to_owned(),
            Some(_) => {}
        }
        quoted(self.token())
    }
}

/// Formats a token in backticks, truncated if it is long.
pub(crate) fn quoted(token: &[u8]) -> String {
    let shown = &token[..token.len().min(QUOTED)];
    let cut = if token.len() > QUOTED { "…" } else { "" };
    format!("`{}{cut}`", shown.escape_ascii())
}

/// Returns the integer at the start of these bytes and its length, or `None` if there is none in the form of
/// [`Scanner::integer`].
#[inline(always)]
fn integer(bytes: &[u8]) -> Option<(i64, usize)> {
    if let Some(short) = short(bytes) {
        return Some(short);
    }
    let negative = bytes.first() == Some(&b'-');
    let digits = &bytes[usize::from(negative)..];
    let mut number = 0_u64;
    let mut length = 0;
    // Nineteen digits (two words of eight and three more) always fit in 64 bits. An integer with twenty digits is
    // always out of range.
    loop {
        let (word, taken) = eight(digits, length);
        number = number.wrapping_mul(POWERS[taken]).wrapping_add(word);
        length += taken;
        if length > 19 {
            return None;
        }
        if taken < 8 {
            break;
        }
    }
    if length == 0 || digits[0] == b'0' && (negative || length > 1) {
        return None;
    }
    let value = if negative { 0_i64.checked_sub_unsigned(number) } else { i64::try_from(number).ok() };
    value.map(|value| (value, length + usize::from(negative)))
}

/// Fast path for the frequent case of a number with one or two digits: returns its value and its length. Returns `None`
/// if the number has another form or if fewer than three bytes are left; [`integer`] then parses it.
#[inline]
fn short(bytes: &[u8]) -> Option<(i64, usize)> {
    let [first, second, third] = *bytes.first_chunk()?;
    let [first, second, third] = [first, second, third].map(|byte| byte.wrapping_sub(b'0'));
    if first > 9 {
        return None;
    }
    if second > 9 {
        return Some((i64::from(first), 1));
    }
    (third > 9 && first > 0).then(|| (i64::from(first) * 10 + i64::from(second), 2))
}

const POWERS: [u64; 9] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

/// Returns the value and the count of the digits from this index on, at most eight.
#[inline]
fn eight(bytes: &[u8], from: usize) -> (u64, usize) {
    let Some(word) = bytes.get(from..from + 8) else { return few(&bytes[from.min(bytes.len())..]) };
    let mut eight = [0; 8];
    eight.copy_from_slice(word);
    let word = u64::from_le_bytes(eight);
    // A byte is a digit if its high half is 3 before and after 6 is added. The first byte that is not a digit ends the
    // number.
    let high = 0xF0F0_F0F0_F0F0_F0F0;
    let three = 0x3030_3030_3030_3030;
    let strange = ((word & high) ^ three) | ((word.wrapping_add(0x0606_0606_0606_0606) & high) ^ three);
    let count = (strange.trailing_zeros() / 8) as usize;
    if count == 0 {
        return (0, 0);
    }
    // The digits are shifted so that zeros precede them. Then adjacent numbers of one, two and four digits are combined
    // in parallel.
    let mut digits = (word & 0x0F0F_0F0F_0F0F_0F0F) << (64 - 8 * count);
    digits = digits.wrapping_mul(10).wrapping_add(digits >> 8) & 0x00FF_00FF_00FF_00FF;
    digits = digits.wrapping_mul(100).wrapping_add(digits >> 16) & 0x0000_FFFF_0000_FFFF;
    digits = digits.wrapping_mul(10_000).wrapping_add(digits >> 32) & 0xFFFF_FFFF;
    (digits, count)
}

/// Returns the same as [`eight`] for fewer than eight remaining bytes.
#[cold]
fn few(bytes: &[u8]) -> (u64, usize) {
    let digits = bytes.iter().take_while(|b| b.is_ascii_digit());
    digits.take(8).fold((0, 0), |(number, count), digit| (number * 10 + u64::from(digit - b'0'), count + 1))
}

/// Returns the decimal number with exactly `places` digits after the decimal point at the start of these bytes, in
/// units of the last digit, and its length. Returns `None` if there is none.
pub(crate) fn decimal(bytes: &[u8], places: u8) -> Option<(i64, usize)> {
    let places = usize::from(places);
    let sign = usize::from(bytes.first() == Some(&b'-'));
    let digits = |from: usize| bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    let whole = digits(sign.min(bytes.len()));
    let point = sign + whole;
    if whole == 0 || whole > 1 && bytes[sign] == b'0' {
        return None;
    }
    let length = match places {
        0 => point,
        _ if bytes.get(point) != Some(&b'.') || digits(point + 1) != places => return None,
        _ => point + 1 + places,
    };
    let mut all = bytes[sign..length].iter().filter(|b| **b != b'.');
    let units = all.try_fold(0_i128, |sum, digit| sum.checked_mul(10)?.checked_add(i128::from(digit - b'0')))?;
    if sign == 1 && units == 0 {
        return None;
    }
    i64::try_from(if sign == 1 { -units } else { units }).ok().map(|units| (units, length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_read_as_strictly_as_they_are_written() {
        let good = [
            ("0 ", 0),
            ("7", 7),
            ("-12\n", -12),
            ("9223372036854775807", i64::MAX),
            ("-9223372036854775808", i64::MIN),
        ];
        for (text, number) in good {
            assert_eq!(integer(text.as_bytes()), Some((number, text.trim().len())), "{text}");
        }
        let bad = ["", "-", "+1", "00", "01", "-0", "-01", "x", " 1", "9223372036854775808", "-9223372036854775809"];
        for text in bad {
            assert_eq!(integer(text.as_bytes()), None, "{text}");
        }
        assert_eq!(integer("1".repeat(25).as_bytes()), None);
    }

    #[test]
    fn decimals_have_all_their_places() {
        assert_eq!(decimal(b"-0.050 ", 3), Some((-50, 6)));
        assert_eq!(decimal(b"12.5", 1), Some((125, 4)));
        assert_eq!(decimal(b"3\n", 0), Some((3, 1)));
        for text in ["-0.000", "0.50", "0.5000", "00.500", ".500", "1", "", "-", "1.", "x"] {
            assert_eq!(decimal(text.as_bytes(), 3), None, "{text}");
        }
    }

    #[test]
    fn reader_may_return_one_byte_at_a_time() {
        struct Drip<'a>(&'a [u8]);
        impl Read for Drip<'_> {
            fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
                let count = self.0.len().min(buffer.len()).min(1);
                buffer[..count].copy_from_slice(&self.0[..count]);
                self.0 = &self.0[count..];
                Ok(count)
            }
        }
        let text: String = (0..30_000).map(|i| format!("{i}\n")).collect();
        let mut drip = Drip(text.as_bytes());
        let mut scanner = Scanner::new(&mut drip);
        for i in 0..30_000 {
            let (number, length) = scanner.integer().unwrap();
            assert_eq!(number, i);
            scanner.skip(length);
            assert!(scanner.take_line_end());
        }
        assert!(scanner.is_over());
        assert_eq!(scanner.spot(), Spot { line: 30_001, column: 1 });
    }
}
