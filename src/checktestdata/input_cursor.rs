//! A cursor over the bytes of an input, which also parses numbers.

use super::decimal::Decimal;
use super::integer::Integer;
use super::syntax_tree::FloatNotation;

/// Maximum length of an excerpt of the input in a message, in bytes.
const MOST_SHOWN: usize = 40;

/// An input, and the current position in it.
#[derive(Debug, Clone)]
pub(super) struct InputCursor<'a> {
    pub(super) input: &'a [u8],
    pub(super) at: usize,
}

impl<'a> InputCursor<'a> {
    pub(super) fn rest(&self) -> &'a [u8] {
        &self.input[self.at..]
    }

    /// Returns the line and column of the position, both counted from 1.
    pub(super) fn place(&self) -> (usize, usize) {
        let before = &self.input[..self.at];
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        let column = before.iter().rev().take_while(|byte| **byte != b'\n').count() + 1;
        (line, column)
    }

    /// Consumes `text` if the input continues with it, and returns whether it does.
    pub(super) fn take(&mut self, text: &[u8]) -> bool {
        let there = self.rest().starts_with(text);
        self.at += if there { text.len() } else { 0 };
        there
    }

    /// Returns a description of the next word, space or line end for messages, or `the end of the input`. A long word
    /// is truncated.
    pub(super) fn found(&self) -> String {
        match self.rest() {
            [] => "the end of the input".to_owned(),
            [b'\n', ..] => "the end of the line".to_owned(),
            [b' ', ..] => "a space".to_owned(),
            rest => {
                let length = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len()).max(1);
                let cut = if length > MOST_SHOWN { "…" } else { "" };
                let word = String::from_utf8_lossy(&rest[..length.min(MOST_SHOWN)]);
                format!("`{}{cut}`", word.escape_debug())
            }
        }
    }

    fn digits(&self, from: usize) -> usize {
        self.rest().get(from..).map_or(0, |rest| rest.iter().take_while(|byte| byte.is_ascii_digit()).count())
    }

    /// Consumes an integer and returns it. Leading zeros and `-0` are rejected.
    pub(super) fn int(&mut self) -> Result<Integer, String> {
        let sign = usize::from(self.rest().first() == Some(&b'-'));
        let digits = self.digits(sign);
        let text = &self.rest()[..sign + digits];
        if digits == 0 {
            return Err(format!("expected an integer, found {}", self.found()));
        }
        if text[sign] == b'0' && (digits > 1 || sign == 1) {
            return Err(format!(
                "expected an integer that has no leading zeros and is not `-0`, found {}",
                self.found()
            ));
        }
        let number = Integer::parse(std::str::from_utf8(text).unwrap_or_default())?;
        self.at += sign + digits;
        Ok(number)
    }

    /// Consumes a floating point number in the given notation and returns it. `decimals` is the allowed range of the
    /// number of digits after the decimal point, or `None` if any number of digits is allowed.
    pub(super) fn float(&mut self, notation: FloatNotation, decimals: Option<(u64, u64)>) -> Result<Decimal, String> {
        let length = self.float_length(notation, decimals)?;
        let number = Decimal::parse(std::str::from_utf8(&self.rest()[..length]).unwrap_or_default())?;
        self.at += length;
        Ok(number)
    }

    /// Checks the floating point number at the cursor, and returns its length in bytes.
    fn float_length(&self, notation: FloatNotation, decimals: Option<(u64, u64)>) -> Result<usize, String> {
        let expected = |what: &str| Err(format!("expected {what}, found {}", self.found()));
        let rest = self.rest();
        let sign = usize::from(rest.first() == Some(&b'-'));
        let whole = self.digits(sign);
        if whole == 0 {
            return expected("a number");
        }
        let zero = rest[sign] == b'0';
        if zero && whole > 1 {
            return expected("a number without leading zeros");
        }
        let mut length = sign + whole;
        let mut after = 0;
        if rest.get(length) == Some(&b'.') {
            after = self.digits(length + 1);
            length += 1 + after;
            if after == 0 {
                return expected("a number with a digit after the decimal point");
            }
        }
        let exponent = matches!(rest.get(length), Some(b'e' | b'E')) && notation != FloatNotation::Fixed;
        if exponent {
            length += 1;
            length += usize::from(matches!(rest.get(length), Some(b'+' | b'-')));
            let digits = self.digits(length);
            if digits == 0 || (digits > 1 && rest[length] == b'0') {
                return expected("a number whose exponent is an integer without leading zeros");
            }
            length += digits;
        } else if notation == FloatNotation::Scientific {
            return expected("a number in scientific notation");
        }
        if let Some((least, most)) = decimals {
            if exponent && (zero || whole != 1 || after == 0) {
                return expected("a number with one nonzero digit before the decimal point and a digit after it");
            }
            if !(least..=most).contains(&(after as u64)) {
                return Err(format!(
                    "expected a number with {least} to {most} digits after the decimal point, found {}",
                    self.found()
                ));
            }
        }
        Ok(length)
    }
}
