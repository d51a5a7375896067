//! The time of the wall clock, in seconds or milliseconds since the Unix epoch. A time before the epoch is returned as
//! 0.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Returns the current time in seconds since the Unix epoch.
pub fn now() -> i64 {
    i64::try_from(since_epoch().as_secs()).unwrap_or(i64::MAX)
}

/// Returns the current time in milliseconds since the Unix epoch.
pub fn now_ms() -> i64 {
    i64::try_from(since_epoch().as_millis()).unwrap_or(i64::MAX)
}

fn since_epoch() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}
