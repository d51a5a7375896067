//! Reading an input byte by byte, and what of it is a number.

use super::grammar::Notation;

/// A place in an input.
#[derive(Debug, Clone)]
pub(super) struct Reader<'a> {
    pub(super) input: &'a [u8],
    pub(super) at: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn rest(&self) -> &'a [u8] {
        &self.input[self.at..]
    }

    /// Line and column of the place, from 1.
    pub(super) fn place(&self) -> (usize, usize) {
        let before = &self.input[..self.at];
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        let column = before.iter().rev().take_while(|byte| **byte != b'\n').count() + 1;
        (line, column)
    }

    /// Takes this text, if it is next.
    pub(super) fn take(&mut self, text: &[u8]) -> bool {
        let there = self.rest().starts_with(text);
        self.at += if there { text.len() } else { 0 };
        there
    }

    fn digits(&self, from: usize) -> usize {
        self.rest().get(from..).map_or(0, |rest| rest.iter().take_while(|byte| byte.is_ascii_digit()).count())
    }

    /// Takes a whole number without leading zeros.
    pub(super) fn int(&mut self) -> Result<i128, &'static str> {
        let sign = usize::from(self.rest().first() == Some(&b'-'));
        let digits = self.digits(sign);
        let text = &self.rest()[..sign + digits];
        if digits == 0 {
            return Err("a whole number is expected");
        }
        if text[sign] == b'0' && (digits > 1 || sign == 1) {
            return Err("a whole number has no leading zeros and no `-0`");
        }
        let number = std::str::from_utf8(text).ok().and_then(|text| text.parse().ok());
        let number = number.ok_or("a whole number of at most 38 digits is expected")?;
        self.at += sign + digits;
        Ok(number)
    }

    /// Takes a floating point number in this notation, with so many decimals if that is said.
    pub(super) fn float(&mut self, notation: Notation, decimals: Option<(i128, i128)>) -> Result<f64, &'static str> {
        let sign = usize::from(self.rest().first() == Some(&b'-'));
        let whole = self.digits(sign);
        if whole == 0 {
            return Err("a number is expected");
        }
        let mut length = sign + whole;
        let mut after = 0;
        if self.rest().get(length) == Some(&b'.') && self.digits(length + 1) > 0 {
            after = self.digits(length + 1);
            length += 1 + after;
        }
        let mut exponent = false;
        if matches!(self.rest().get(length), Some(b'e' | b'E')) && notation != Notation::Fixed {
            let signed = usize::from(matches!(self.rest().get(length + 1), Some(b'+' | b'-')));
            let digits = self.digits(length + 1 + signed);
            if digits > 0 {
                exponent = true;
                length += 1 + signed + digits;
            }
        }
        if notation == Notation::Scientific && !exponent {
            return Err("a number in scientific notation is expected");
        }
        let first = self.rest()[sign];
        if first == b'0' && whole > 1 {
            return Err("a number has no leading zeros");
        }
        if let Some((least, most)) = decimals {
            if !(least..=most).contains(&(after as i128)) {
                return Err("the number of decimals is wrong");
            }
            if exponent && (whole != 1 || first == b'0') {
                return Err("one digit that is not 0 is expected before the point");
            }
        }
        let text = std::str::from_utf8(&self.rest()[..length]).unwrap_or_default();
        let number = text.parse().map_err(|_| "a number is expected")?;
        self.at += length;
        Ok(number)
    }
}
