//! Decimal numbers. Parsing is exact. Results of arithmetic are rounded to about 100 digits, or to about the length of
//! the longest operand if that is greater.

use std::cmp::Ordering;
use std::fmt;

use super::integer::{Integer, division_by_zero, too_large};

/// Minimum number of digits that rounding preserves. If an operand has more digits, at least as many digits as that
/// operand has are preserved.
const DIGITS: u64 = 100;
/// Maximum absolute value of the exponent that is written in a number, and of the exponent of a rounded result.
const FARTHEST: i64 = 1 << 40;

/// The number `digits * 10^exponent`. The representation is not unique.
#[derive(Debug, Clone)]
pub(super) struct Decimal {
    digits: Integer,
    exponent: i64,
}

impl From<Integer> for Decimal {
    fn from(digits: Integer) -> Decimal {
        Decimal { digits, exponent: 0 }
    }
}

impl Decimal {
    /// Parses a number such as `12`, `12.`, `-1.2` or `1.2e-3`.
    ///
    /// # Errors
    /// Fails if the text is not a number, or has too many digits.
    pub(super) fn parse(text: &str) -> Result<Decimal, String> {
        let (front, power) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (whole, after) = front.split_once('.').unwrap_or((front, ""));
        let digits = if after.is_empty() { Integer::parse(whole)? } else { Integer::parse(&[whole, after].concat())? };
        // Exponents outside of the supported range are clamped to it.
        let limit = if power.starts_with('-') { -FARTHEST } else { FARTHEST };
        let power = power.parse().unwrap_or(limit).clamp(-FARTHEST, FARTHEST);
        Ok(Decimal { digits, exponent: power - after.len() as i64 })
    }

    pub(super) fn bits(&self) -> u64 {
        self.digits.bits()
    }

    /// Returns the sum of the exponent and the number of digits, with an error of at most one. The sum is a measure of
    /// the number's magnitude.
    fn height(&self) -> i64 {
        self.exponent.saturating_add_unsigned(self.digits.length())
    }

    /// Returns the number of digits by which one operand must be extended before the operands can be added, or 0 if
    /// their magnitudes differ so much that no extension is needed.
    pub(super) fn gap(&self, other: &Decimal) -> u64 {
        let near = self.height().abs_diff(other.height()) <= self.result_digits(other) + 2;
        if near { self.exponent.abs_diff(other.exponent) } else { 0 }
    }

    /// Returns the number of digits to which the result of an operation on both operands is rounded.
    fn result_digits(&self, other: &Decimal) -> u64 {
        DIGITS.max(self.digits.length()).max(other.digits.length())
    }

    /// Returns the digits that represent this number with the given `exponent`, which must not exceed the number's own
    /// exponent.
    fn digits_at(&self, exponent: i64) -> Result<Integer, String> {
        match self.exponent.abs_diff(exponent) {
            0 => Ok(self.digits.clone()),
            gap => self.digits.times(&Integer::power_of_ten(gap)?),
        }
    }

    /// Rounds the number toward zero if it has about `most + 3` digits or more. Then `most + 2` digits remain, or one
    /// more or less, because [`Integer::length`] is an estimate.
    fn rounded_to(self, most: u64) -> Result<Decimal, String> {
        let length = self.digits.length();
        let Decimal { digits, exponent } = self;
        let (digits, exponent) = match length.checked_sub(most + 2) {
            None | Some(0) => (digits, exponent),
            Some(more) => (digits.divided_by(&Integer::power_of_ten(more)?)?, exponent.saturating_add_unsigned(more)),
        };
        if exponent.abs() > FARTHEST { Err(too_large()) } else { Ok(Decimal { digits, exponent }) }
    }

    pub(super) fn negated(&self) -> Result<Decimal, String> {
        Ok(Decimal { digits: Integer::Small(0).minus(&self.digits)?, exponent: self.exponent })
    }

    pub(super) fn plus(&self, other: &Decimal) -> Result<Decimal, String> {
        let most = self.result_digits(other);
        let (high, low) = if self.height() > other.height() { (self, other) } else { (other, self) };
        if low.digits.is_zero() {
            return Ok(high.clone());
        }
        if high.digits.is_zero() || high.height().abs_diff(low.height()) > most + 2 {
            return Ok(if high.digits.is_zero() { low.clone() } else { high.clone() });
        }
        let exponent = self.exponent.min(other.exponent);
        let digits = self.digits_at(exponent)?.plus(&other.digits_at(exponent)?)?;
        Decimal { digits, exponent }.rounded_to(most)
    }

    pub(super) fn minus(&self, other: &Decimal) -> Result<Decimal, String> {
        self.plus(&other.negated()?)
    }

    pub(super) fn times(&self, other: &Decimal) -> Result<Decimal, String> {
        let digits = self.digits.times(&other.digits)?;
        Decimal { digits, exponent: self.exponent + other.exponent }.rounded_to(self.result_digits(other))
    }

    pub(super) fn divided_by(&self, other: &Decimal) -> Result<Decimal, String> {
        if other.digits.is_zero() {
            return Err(division_by_zero());
        }
        let most = self.result_digits(other);
        let more = (most + other.digits.length() + 2).saturating_sub(self.digits.length());
        let digits = self.digits.times(&Integer::power_of_ten(more)?)?.divided_by(&other.digits)?;
        let exponent = (self.exponent - other.exponent).saturating_sub_unsigned(more);
        Decimal { digits, exponent }.rounded_to(most)
    }

    pub(super) fn power(&self, mut power: u64) -> Result<Decimal, String> {
        let mut result = Decimal::from(Integer::Small(1));
        let mut square = self.clone();
        let most = DIGITS.max(self.digits.length());
        loop {
            if power % 2 == 1 {
                result = result.times(&square)?.rounded_to(most)?;
            }
            power /= 2;
            if power == 0 {
                return Ok(result);
            }
            square = square.times(&square)?.rounded_to(most)?;
        }
    }
}

impl PartialEq for Decimal {
    fn eq(&self, other: &Decimal) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Decimal {}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Decimal) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Decimal) -> Ordering {
        let sign = self.digits.sign();
        if self.exponent == other.exponent || sign != other.digits.sign() || sign.is_eq() {
            return self.digits.cmp(&other.digits);
        }
        let (left, right) = (self.height(), other.height());
        let far = if sign.is_lt() { right.cmp(&left) } else { left.cmp(&right) };
        if left.abs_diff(right) > 2 {
            return far;
        }
        // For numbers of similar magnitude, the difference of the exponents is bounded by the number of digits.
        let exponent = self.exponent.min(other.exponent);
        match (self.digits_at(exponent), other.digits_at(exponent)) {
            (Ok(left), Ok(right)) => left.cmp(&right),
            _ => far,
        }
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let after = usize::try_from(-self.exponent).unwrap_or(0);
        match (&self.digits, self.exponent) {
            (digits, 0) => digits.fmt(f),
            (Integer::Small(0), _) => f.write_str("0"),
            (Integer::Small(digits), 1..=20) => write!(f, "{digits}{:0<1$}", "", self.exponent as usize),
            (Integer::Small(digits), -40..0) => {
                let sign = if *digits < 0 { "-" } else { "" };
                let text = format!("{:0>1$}", digits.unsigned_abs().to_string(), after + 1);
                let (whole, part) = text.split_at(text.len() - after);
                let part = part.trim_end_matches('0');
                write!(f, "{sign}{whole}{}{part}", if part.is_empty() { "" } else { "." })
            }
            (digits, exponent) => write!(f, "{digits}e{exponent}"),
        }
    }
}
