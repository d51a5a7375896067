//! Expiry of sessions, and hashes of secrets.

use crate::model::Digest;

/// Time without use after which a session expires, in milliseconds. The limit protects people who stay logged in on a
/// shared computer.
const IDLE_MS: i64 = 12 * 3_600_000;
/// Time after the login at which a session expires, in milliseconds.
const LONGEST_MS: i64 = 30 * 24 * 3_600_000;

/// The times of the start and the last use of a session, in milliseconds since the Unix epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionTimes {
    /// Time of the login.
    pub created: i64,
    /// Time of the last use.
    pub seen: i64,
}

impl SessionTimes {
    /// Maximum age of a session and of its cookie, in seconds.
    pub const LONGEST_SECONDS: i64 = LONGEST_MS / 1_000;

    /// Returns whether the session can be used. Setting the clock back does not prolong a session.
    pub fn is_live(self, now: i64) -> bool {
        self.created <= now && !self.has_expired(now)
    }

    /// Returns whether the session has expired and can be removed. A session that was created after `now` has not
    /// expired, since another thread may have completed its login at the same time.
    pub fn has_expired(self, now: i64) -> bool {
        now >= self.created.saturating_add(LONGEST_MS) || now >= self.seen.saturating_add(IDLE_MS)
    }
}

/// Returns the hash under which a secret is stored. A fast hash suffices, since a secret has at least 128 random bits.
pub fn secret_hash(secret: &str) -> String {
    Digest::of(secret.as_bytes()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_ends_when_it_is_idle_and_after_thirty_days() {
        let hour = 3_600_000;
        let times = |created: i64, seen: i64| SessionTimes { created: created * hour, seen: seen * hour };
        assert!(times(0, 0).is_live(0));
        assert!(times(0, 0).is_live(12 * hour - 1) && !times(0, 0).is_live(12 * hour));
        assert!(times(0, 719).is_live(720 * hour - 1) && !times(0, 719).is_live(720 * hour));
        assert!(!times(5, 5).is_live(4 * hour), "the clock was set back");
        assert!(!times(5, 5).has_expired(4 * hour) && times(0, 719).has_expired(720 * hour));
    }
}
