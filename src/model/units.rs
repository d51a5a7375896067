//! Time and size with their units: `2s`, `1500ms`, `256MiB`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The error for a text that can't be parsed as a [`TimeSpan`] or a [`ByteSize`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnitError {
    /// The text is not a time.
    #[error("`{0}` is not a time; expected a time such as `2s`, `1500ms` or `1min`")]
    Time(String),
    /// The text is not a size.
    #[error("`{0}` is not a size; expected a size such as `256MiB`, `64KiB` or `1GiB`")]
    Size(String),
}

/// A length of time, in whole microseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TimeSpan(u64);

impl TimeSpan {
    /// A span of zero.
    pub const ZERO: TimeSpan = TimeSpan(0);

    /// Creates a span of `micros` microseconds.
    pub const fn micros(micros: u64) -> TimeSpan {
        TimeSpan(micros)
    }

    /// Creates a span of `millis` milliseconds.
    pub const fn millis(millis: u64) -> TimeSpan {
        TimeSpan(millis.saturating_mul(1_000))
    }

    /// Creates a span of `seconds` seconds.
    pub const fn seconds(seconds: u64) -> TimeSpan {
        TimeSpan(seconds.saturating_mul(1_000_000))
    }

    /// Returns the span in microseconds.
    pub const fn as_micros(self) -> u64 {
        self.0
    }

    /// Returns the span in milliseconds, including the fraction.
    pub fn as_millis_f64(self) -> f64 {
        self.0 as f64 / 1_000.0
    }

    /// Returns the span in seconds, including the fraction.
    pub fn as_seconds_f64(self) -> f64 {
        self.0 as f64 / 1_000_000.0
    }

    /// Returns the span as a [`Duration`].
    pub const fn duration(self) -> Duration {
        Duration::from_micros(self.0)
    }

    /// Returns the span multiplied by `factor`, saturating.
    pub const fn times(self, factor: u64) -> TimeSpan {
        TimeSpan(self.0.saturating_mul(factor))
    }

    /// Returns the saturating sum.
    pub const fn plus(self, other: TimeSpan) -> TimeSpan {
        TimeSpan(self.0.saturating_add(other.0))
    }
}

impl From<Duration> for TimeSpan {
    fn from(duration: Duration) -> TimeSpan {
        TimeSpan(u64::try_from(duration.as_micros()).unwrap_or(u64::MAX))
    }
}

impl fmt::Display for TimeSpan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.pad("0s"),
            us if us % 60_000_000 == 0 => f.pad(&format!("{}min", us / 60_000_000)),
            us if us % 1_000_000 == 0 => f.pad(&format!("{}s", us / 1_000_000)),
            us if us % 1_000 == 0 => f.pad(&format!("{}ms", us / 1_000)),
            us => f.pad(&format!("{us}us")),
        }
    }
}

impl FromStr for TimeSpan {
    type Err = UnitError;

    fn from_str(text: &str) -> Result<TimeSpan, UnitError> {
        const UNITS: [(&str, u64); 5] =
            [("min", 60_000_000), ("ms", 1_000), ("us", 1), ("s", 1_000_000), ("h", 3_600_000_000)];
        scaled(text, &UNITS).map(TimeSpan).ok_or_else(|| UnitError::Time(text.to_owned()))
    }
}

/// A number of bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ByteSize(u64);

impl ByteSize {
    /// Creates a size of `count` bytes.
    pub const fn new(count: u64) -> ByteSize {
        ByteSize(count)
    }

    /// Creates a size of `count` KiB.
    pub const fn kib(count: u64) -> ByteSize {
        ByteSize(count.saturating_mul(1 << 10))
    }

    /// Creates a size of `count` MiB.
    pub const fn mib(count: u64) -> ByteSize {
        ByteSize(count.saturating_mul(1 << 20))
    }

    /// Returns the number of bytes.
    pub const fn get(self) -> u64 {
        self.0
    }

    /// Returns the saturating sum.
    pub const fn plus(self, other: ByteSize) -> ByteSize {
        ByteSize(self.0.saturating_add(other.0))
    }

    /// Formats the size in the largest unit that does not exceed it, rounded to one decimal place, such as `3.4 MiB`. A
    /// size below 1 KiB is formatted as an integer in bytes.
    pub fn human(self) -> String {
        const STEPS: [(&str, u64); 3] = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];
        for (name, size) in STEPS {
            if self.0 >= size {
                return format!("{:.1} {name}", self.0 as f64 / size as f64);
            }
        }
        format!("{} B", self.0)
    }
}

impl fmt::Display for ByteSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const STEPS: [(&str, u64); 3] = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];
        for (name, size) in STEPS {
            if self.0 > 0 && self.0.is_multiple_of(size) {
                return f.pad(&format!("{}{name}", self.0 / size));
            }
        }
        f.pad(&format!("{}B", self.0))
    }
}

impl FromStr for ByteSize {
    type Err = UnitError;

    fn from_str(text: &str) -> Result<ByteSize, UnitError> {
        const UNITS: [(&str, u64); 7] = [
            ("GiB", 1 << 30),
            ("MiB", 1 << 20),
            ("KiB", 1 << 10),
            ("GB", 1_000_000_000),
            ("MB", 1_000_000),
            ("kB", 1_000),
            ("B", 1),
        ];
        scaled(text, &UNITS).map(ByteSize).ok_or_else(|| UnitError::Size(text.to_owned()))
    }
}

/// Parses a decimal number followed by one of `units` (name and factor), such as `1.5s`, and returns the product.
/// Returns `None` if the text has another form, if the product is not an integer or overflows, or if the number has
/// more than nine decimals.
fn scaled(text: &str, units: &[(&str, u64)]) -> Option<u64> {
    let (number, scale) = units.iter().find_map(|(name, scale)| {
        let number = text.strip_suffix(name)?.trim_end();
        number.ends_with(|c: char| c.is_ascii_digit()).then_some((number, *scale))
    })?;
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    if whole.is_empty() || !digits(whole) || !digits(fraction) || fraction.len() > 9 {
        return None;
    }
    let base = whole.parse::<u64>().ok()?.checked_mul(scale)?;
    if fraction.is_empty() {
        return if number.contains('.') { None } else { Some(base) };
    }
    let unit = 10_u64.pow(fraction.len() as u32);
    let part = u128::from(fraction.parse::<u64>().ok()?) * u128::from(scale);
    if part % u128::from(unit) != 0 {
        return None;
    }
    base.checked_add(u64::try_from(part / u128::from(unit)).ok()?)
}

/// A visitor that parses a quantity from a string. An error that a visitor returns has the position of the value
/// instead of the position of the enclosing mapping.
struct Quantity<T>(std::marker::PhantomData<T>, &'static str);

impl<T: FromStr<Err = UnitError>> Visitor<'_> for Quantity<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.1)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
}

impl<'de> Deserialize<'de> for TimeSpan {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<TimeSpan, D::Error> {
        deserializer.deserialize_str(Quantity(std::marker::PhantomData, "a time such as `2s` or `1500ms`"))
    }
}

impl<'de> Deserialize<'de> for ByteSize {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ByteSize, D::Error> {
        deserializer.deserialize_str(Quantity(std::marker::PhantomData, "a size such as `256MiB`"))
    }
}

impl Serialize for TimeSpan {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Serialize for ByteSize {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl JsonSchema for TimeSpan {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "TimeSpan".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "pattern": r"^[0-9]+(\.[0-9]+)? ?(h|min|s|ms|us)$",
            "description": "A time with its unit: 2s, 1500ms, 1min"
        })
    }
}

impl JsonSchema for ByteSize {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ByteSize".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "pattern": r"^[0-9]+(\.[0-9]+)? ?(GiB|MiB|KiB|GB|MB|kB|B)$",
            "description": "A size with its unit: 256MiB, 64KiB"
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_with_their_units() {
        for (text, micros) in
            [("2s", 2_000_000), ("1500ms", 1_500_000), ("1min", 60_000_000), ("0.5s", 500_000), ("1 s", 1_000_000)]
        {
            assert_eq!(text.parse(), Ok(TimeSpan::micros(micros)), "{text}");
        }
        for text in ["", "s", "2", "2parsecs", "-1s", "1.s", ".5s", "1e3s", "0.0000001s", "99999999999999h"] {
            assert!(text.parse::<TimeSpan>().is_err(), "{text}");
        }
    }

    #[test]
    fn sizes_are_read_with_their_units() {
        for (text, bytes) in
            [("1B", 1), ("64KiB", 65_536), ("256MiB", 268_435_456), ("1.5GiB", 1_610_612_736), ("1MB", 1_000_000)]
        {
            assert_eq!(text.parse(), Ok(ByteSize::new(bytes)), "{text}");
        }
        for text in ["12", "MiB", "1 mib", "0x10B", "0.3B"] {
            assert!(text.parse::<ByteSize>().is_err(), "{text}");
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        for micros in [0, 1, 1_000, 1_500_000, 60_000_000, 61_000_000] {
            let span = TimeSpan::micros(micros);
            assert_eq!(span.to_string().parse(), Ok(span));
        }
        for count in [0, 1, 1023, 1024, 1 << 20, 3 << 30] {
            let bytes = ByteSize::new(count);
            assert_eq!(bytes.to_string().parse(), Ok(bytes));
        }
    }
}
