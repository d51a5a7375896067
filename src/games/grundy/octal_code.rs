//! Octal codes: the standard notation of take-and-break games (Guy and Smith 1956).

use serde::de::{self, Deserialize, Deserializer, Visitor};
use std::fmt;
use std::str::FromStr;

/// An octal code such as `0.137`. Digit `t` after the point says what a move that takes `t` objects from a heap may
/// leave: nothing (1), one heap (2), two heaps (4), or several of these alternatives (the sum of their numbers).
///
/// The digit before the point is 4 if a heap may be split in two without taking objects, otherwise 0.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct OctalCode {
    digits: Vec<u8>,
}

/// The reason why a string is not an octal code.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OctalCodeError {
    /// There is no point.
    #[error("expected an octal code such as `0.137`, found `{0}`")]
    Form(String),
    /// The digit before the point is neither 0 nor 4.
    #[error("expected 0 or 4 before the point of an octal code, found `{0}`")]
    Leading(String),
    /// A character after the point is not an octal digit.
    #[error("expected octal digits 0 to 7, found `{0}`")]
    Digit(char),
}

impl OctalCode {
    /// Returns the digits, the first of which is the one before the point. The last digit is not 0 unless it is the
    /// only one.
    pub fn digits(&self) -> &[u8] {
        &self.digits
    }

    /// Returns the largest number of objects that a move takes.
    pub fn most(&self) -> usize {
        self.digits.len() - 1
    }

    fn new(mut digits: Vec<u8>) -> OctalCode {
        while digits.len() > 1 && digits.last() == Some(&0) {
            digits.pop();
        }
        OctalCode { digits }
    }
}

impl FromStr for OctalCode {
    type Err = OctalCodeError;

    fn from_str(text: &str) -> Result<OctalCode, OctalCodeError> {
        let (leading, rest) = text.trim().split_once('.').ok_or_else(|| OctalCodeError::Form(text.to_owned()))?;
        let first = match leading {
            "" | "0" => 0,
            "4" => 4,
            other => return Err(OctalCodeError::Leading(other.to_owned())),
        };
        let digits = rest.chars().map(|c| c.to_digit(8).map(|digit| digit as u8).ok_or(OctalCodeError::Digit(c)));
        let digits: Vec<u8> = std::iter::once(Ok(first)).chain(digits).collect::<Result<_, _>>()?;
        Ok(OctalCode::new(digits))
    }
}

impl fmt::Display for OctalCode {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, digit) in self.digits.iter().enumerate() {
            write!(out, "{digit}{}", if index == 0 { "." } else { "" })?;
        }
        Ok(())
    }
}

/// A visitor that accepts a string, or a number that YAML parsed as a float (`octal: 0.77`).
struct OctalCodeVisitor;

impl Visitor<'_> for OctalCodeVisitor {
    type Value = OctalCode;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an octal code such as `0.137`")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<OctalCode, E> {
        text.parse().map_err(E::custom)
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<OctalCode, E> {
        let text = number.to_string();
        // An `f64` preserves 15 decimal digits and silently rounds longer numbers.
        if text.len() > 16 {
            return Err(E::custom("an octal code with more than 14 digits after the point must be quoted"));
        }
        self.visit_str(&text)
    }
}

impl<'de> Deserialize<'de> for OctalCode {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<OctalCode, D::Error> {
        from.deserialize_any(OctalCodeVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_round_trip() {
        for (text, shown) in [("0.137", "0.137"), (".77", "0.77"), ("4.7", "4.7"), ("0.3300", "0.33"), ("0.", "0.")] {
            assert_eq!(text.parse::<OctalCode>().unwrap().to_string(), shown);
        }
        assert_eq!("0.137".parse::<OctalCode>().unwrap().most(), 3);
    }

    #[test]
    fn invalid_codes_are_rejected() {
        assert_eq!("137".parse::<OctalCode>(), Err(OctalCodeError::Form("137".to_owned())));
        assert_eq!("2.7".parse::<OctalCode>(), Err(OctalCodeError::Leading("2".to_owned())));
        assert_eq!("0.18".parse::<OctalCode>(), Err(OctalCodeError::Digit('8')));
        assert_eq!("0.1.3".parse::<OctalCode>(), Err(OctalCodeError::Digit('.')));
    }
}
