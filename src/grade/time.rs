//! Converts between timestamps as text and seconds since 1970.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

/// Parses a timestamp such as `2026-03-01T23:59:00+01:00`. Without a zone, UTC is assumed.
pub fn parse(text: &str) -> Option<i64> {
    let text = text.trim();
    if let Ok(time) = text.parse::<Timestamp>() {
        return Some(time.as_second());
    }
    let civil = text.parse::<DateTime>().ok()?;
    civil.to_zoned(TimeZone::UTC).ok().map(|zoned| zoned.timestamp().as_second())
}

/// Converts a date and a time (hour, minute, second in `rest`) in UTC to seconds since 1970.
pub(super) fn civil(year: i16, rest: [i8; 5]) -> Option<i64> {
    let [month, day, hour, minute, second] = rest;
    let civil = DateTime::new(year, month, day, hour, minute, second, 0).ok()?;
    civil.to_zoned(TimeZone::UTC).ok().map(|zoned| zoned.timestamp().as_second())
}

/// Formats a timestamp, such as `2026-03-01T23:59:00Z`.
pub fn show(seconds: i64) -> String {
    Timestamp::from_second(seconds).map_or_else(|_| format!("{seconds}s"), |time| time.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_are_parsed_with_and_without_zone() {
        for (text, seconds) in [
            ("1970-01-01T00:00:00Z", 0),
            ("1970-01-01 01:00:00", 3600),
            ("1970-01-01T01:00:00+01:00", 0),
            ("1970-01-02", 86_400),
            ("1970-01-01T00:01", 60),
        ] {
            assert_eq!(parse(text), Some(seconds), "{text}");
        }
        assert_eq!(parse("soon"), None);
        assert_eq!(show(60), "1970-01-01T00:01:00Z");
    }
}
