//! A cursor over the bytes of an input, with parsing of numbers.

use super::decimal::Decimal;
use super::integer::Integer;
use super::syntax_tree::FloatNotation;

/// A position in an input.
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

    /// Consumes `text` and returns true if the input continues with it.
    pub(super) fn take(&mut self, text: &[u8]) -> bool {
        let there = self.rest().starts_with(text);
        self.at += if there { text.len() } else { 0 };
        there
    }

    fn digits(&self, from: usize) -> usize {
        self.rest().get(from..).map_or(0, |rest| rest.iter().take_while(|byte| byte.is_ascii_digit()).count())
    }

    /// Consumes an integer without leading zeros.
    pub(super) fn int(&mut self) -> Result<Integer, String> {
        let sign = usize::from(self.rest().first() == Some(&b'-'));
        let digits = self.digits(sign);
        let text = &self.rest()[..sign + digits];
        if digits == 0 {
            return Err("expected an integer".to_owned());
        }
        if text[sign] == b'0' && (digits > 1 || sign == 1) {
            return Err("an integer must not have leading zeros or be `-0`".to_owned());
        }
        let number = Integer::parse(std::str::from_utf8(text).unwrap_or_default())?;
        self.at += sign + digits;
        Ok(number)
    }

    /// Consumes a floating point number in this notation, with a number of decimals in the range `decimals` if it is
    /// given.
    pub(super) fn float(&mut self, notation: FloatNotation, decimals: Option<(u64, u64)>) -> Result<Decimal, String> {
        let length = self.float_length(notation, decimals)?;
        let number = Decimal::parse(std::str::from_utf8(&self.rest()[..length]).unwrap_or_default())?;
        self.at += length;
        Ok(number)
    }

    /// Returns the length in bytes of the floating point number at the cursor.
    fn float_length(&self, notation: FloatNotation, decimals: Option<(u64, u64)>) -> Result<usize, &'static str> {
        let rest = self.rest();
        let sign = usize::from(rest.first() == Some(&b'-'));
        let whole = self.digits(sign);
        if whole == 0 {
            return Err("expected a number");
        }
        let zero = rest[sign] == b'0';
        if zero && whole > 1 {
            return Err("a number must not have leading zeros");
        }
        let mut length = sign + whole;
        let mut after = 0;
        if rest.get(length) == Some(&b'.') {
            after = self.digits(length + 1);
            length += 1 + after;
            if after == 0 {
                return Err("expected a digit after the decimal point");
            }
        }
        let exponent = matches!(rest.get(length), Some(b'e' | b'E')) && notation != FloatNotation::Fixed;
        if exponent {
            length += 1;
            length += usize::from(matches!(rest.get(length), Some(b'+' | b'-')));
            let digits = self.digits(length);
            if digits == 0 || (digits > 1 && rest[length] == b'0') {
                return Err("expected an exponent without leading zeros");
            }
            length += digits;
        } else if notation == FloatNotation::Scientific {
            return Err("expected a number in scientific notation");
        }
        if let Some((least, most)) = decimals {
            if exponent && (zero || whole != 1 || after == 0) {
                return Err("expected one nonzero digit before the decimal point");
            }
            if !(least..=most).contains(&(after as u64)) {
                return Err("wrong number of decimals");
            }
        }
        Ok(length)
    }
}
