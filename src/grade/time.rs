//! Converts between timestamps as text and seconds since the Unix epoch.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

/// Parses a timestamp such as `2026-03-01T23:59:00+01:00`. A timestamp without a zone is in UTC. Returns `None` for
/// other strings.
pub fn parse(text: &str) -> Option<i64> {
    let text = text.trim();
    if let Ok(time) = text.parse::<Timestamp>() {
        return Some(time.as_second());
    }
    let civil = text.parse::<DateTime>().ok()?;
    civil.to_zoned(TimeZone::UTC).ok().map(|zoned| zoned.timestamp().as_second())
}

/// Converts a date and a time in UTC to seconds since the Unix epoch. `rest` contains month, day, hour, minute and
/// second. Returns `None` if the date or the time is invalid.
pub(super) fn civil(year: i16, rest: [i8; 5]) -> Option<i64> {
    let [month, day, hour, minute, second] = rest;
    let civil = DateTime::new(year, month, day, hour, minute, second, 0).ok()?;
    civil.to_zoned(TimeZone::UTC).ok().map(|zoned| zoned.timestamp().as_second())
}

/// Formats a time, in seconds since the Unix epoch, as a timestamp such as `2026-03-01T23:59:00Z`.
pub fn show(seconds: i64) -> String {
    Timestamp::from_second(seconds).map_or_else(|_| format!("{seconds}s"), |time| time.to_string())
}

/// Formats a duration, given in seconds, with at most two units, such as `2 d 3 h`.
pub(super) fn span(seconds: u64) -> String {
    let parts = [("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1)];
    let Some(first) = parts.iter().position(|(_, unit)| seconds >= *unit) else { return "0 s".to_owned() };
    let (name, unit) = parts[first];
    let rest =
        parts.get(first + 1).map(|(next, smaller)| (next, seconds % unit / smaller)).filter(|(_, count)| *count > 0);
    format!("{} {name}", seconds / unit) + &rest.map_or(String::new(), |(name, count)| format!(" {count} {name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_two_units() {
        for (seconds, text) in
            [(0, "0 s"), (59, "59 s"), (60, "1 min"), (3_661, "1 h 1 min"), (190_000, "2 d 4 h"), (172_801, "2 d")]
        {
            assert_eq!(span(seconds), text);
        }
    }

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
