//! Points as integers, so that sums do not depend on the order of their terms.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A non-negative number of points, in thousandths of a point.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(u64);

impl Score {
    /// Zero points.
    pub const ZERO: Score = Score(0);

    /// Creates a score of whole points.
    pub const fn points(points: u32) -> Score {
        Score(points as u64 * 1_000)
    }

    /// Creates a score from thousandths of a point.
    pub const fn thousandths(count: u64) -> Score {
        Score(count)
    }

    /// Returns the score in thousandths of a point.
    pub const fn as_thousandths(self) -> u64 {
        self.0
    }

    /// Returns the score in points, as a floating-point number.
    pub const fn as_points(self) -> f64 {
        self.0 as f64 / 1_000.0
    }

    /// Returns the saturating sum.
    pub const fn plus(self, other: Score) -> Score {
        Score(self.0.saturating_add(other.0))
    }

    /// Returns the share `credit` of the points, rounded down to a thousandth of a point.
    pub fn share(self, credit: Credit) -> Score {
        let part = u128::from(self.0) * u128::from(credit.0) / u128::from(Credit::FULL.0);
        Score(u64::try_from(part).unwrap_or(u64::MAX))
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, part) = (self.0 / 1_000, self.0 % 1_000);
        if part == 0 {
            return f.pad(&whole.to_string());
        }
        f.pad(format!("{whole}.{part:03}").trim_end_matches('0'))
    }
}

impl Serialize for Score {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Score {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Score, D::Error> {
        let text = String::deserialize(deserializer)?;
        parse(&text).ok_or_else(|| {
            serde::de::Error::custom(format!(
                "`{text}` is not a score; expected a number with at most three decimal places, such as `12` or `12.5`"
            ))
        })
    }
}

/// Parses a decimal number with at most three decimals, such as `12` or `12.345`. Returns `None` if the text has
/// another form or the number is too large.
fn parse(text: &str) -> Option<Score> {
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    if !digits(whole) || !digits(part) || part.len() > 3 {
        return None;
    }
    let whole = whole.parse::<u64>().ok()?.checked_mul(1_000)?;
    let scale = 10_u64.pow(3 - part.len() as u32);
    whole.checked_add(part.parse::<u64>().ok()? * scale).map(Score)
}

/// The share of a case's points that was earned, in millionths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Credit(u32);

impl Credit {
    /// No credit.
    pub const NONE: Credit = Credit(0);
    /// Full credit.
    pub const FULL: Credit = Credit(1_000_000);

    /// Creates a credit from millionths. Values above the full credit are reduced to it.
    pub fn millionths(count: u32) -> Credit {
        Credit(count.min(Credit::FULL.0))
    }

    /// Returns the credit in millionths.
    pub const fn as_millionths(self) -> u32 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_written_as_decimals_and_read_back() {
        for (score, text) in [
            (Score::points(12), "12"),
            (Score::thousandths(12_500), "12.5"),
            (Score::thousandths(1), "0.001"),
            (Score::ZERO, "0"),
        ] {
            assert_eq!(score.to_string(), text);
            assert_eq!(parse(text), Some(score));
        }
        for text in ["", ".", "1.", "-1", "1.0001", "1e3", "99999999999999999999"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_share_is_rounded_down() {
        assert_eq!(Score::points(100).share(Credit::millionths(333_333)), Score::thousandths(33_333));
        assert_eq!(Score::points(7).share(Credit::FULL), Score::points(7));
        assert_eq!(Score::points(7).share(Credit::NONE), Score::ZERO);
    }
}
