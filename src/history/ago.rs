//! Formats and parses times of the history as users read and write them, relative to the current time.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// Formats how long before `now` the time `at` was: `just now`, `5 min ago`, `3 h ago`, `2 d ago`, or, from 30 days on,
/// the date in UTC. Both times are in seconds since the Unix epoch.
pub fn ago(at: i64, now: i64) -> String {
    match now.saturating_sub(at) {
        i64::MIN..MINUTE => "just now".to_owned(),
        passed @ MINUTE..HOUR => format!("{} min ago", passed / MINUTE),
        passed @ HOUR..DAY => format!("{} h ago", passed / HOUR),
        passed if passed < 30 * DAY => format!("{} d ago", passed / DAY),
        _ => Timestamp::from_second(at)
            .map_or_else(|_| format!("{at} s"), |time| time.to_zoned(TimeZone::UTC).date().to_string()),
    }
}

/// Parses the start of a period: a length of time before `now` such as `7d`, `2w`, `12h` or `30min`, or a date in UTC
/// such as `2026-10-01`, with or without a time. Returns seconds since the Unix epoch; `None` if the text is neither.
pub fn since(text: &str, now: i64) -> Option<i64> {
    let text = text.trim();
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let unit = match unit.trim() {
        "min" => Some(MINUTE),
        "h" => Some(HOUR),
        "d" => Some(DAY),
        "w" => Some(7 * DAY),
        _ => None,
    };
    if let (Ok(number), Some(unit)) = (number.parse::<i64>(), unit) {
        return Some(now.saturating_sub(number.saturating_mul(unit)));
    }
    let civil = text.parse::<DateTime>().ok()?;
    civil.to_zoned(TimeZone::UTC).ok().map(|zoned| zoned.timestamp().as_second())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_shown_in_the_largest_unit() {
        let now = 100 * DAY;
        for (passed, wanted) in [
            (-5, "just now"),
            (59, "just now"),
            (60, "1 min ago"),
            (HOUR - 1, "59 min ago"),
            (HOUR, "1 h ago"),
            (DAY - 1, "23 h ago"),
            (29 * DAY, "29 d ago"),
            (30 * DAY, "1970-03-12"),
        ] {
            assert_eq!(ago(now - passed, now), wanted, "{passed}");
        }
        assert_eq!(ago(i64::MIN, now), format!("{} s", i64::MIN));
    }

    #[test]
    fn periods_are_lengths_or_dates() {
        let now = 100 * DAY;
        for (text, wanted) in [
            ("7d", Some(93 * DAY)),
            ("2w", Some(86 * DAY)),
            ("12h", Some(now - 12 * HOUR)),
            ("30min", Some(now - 30 * MINUTE)),
            ("1970-01-02", Some(DAY)),
            ("1970-01-02T01:00", Some(DAY + HOUR)),
            ("7", None),
            ("d", None),
            ("-7d", None),
            ("7 years", None),
            ("", None),
        ] {
            assert_eq!(since(text, now), wanted, "{text}");
        }
        assert!(since("99999999999999999d", now).is_some());
    }
}
