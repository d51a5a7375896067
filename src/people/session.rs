//! When sessions end, and how secrets are stored. Pure.

use crate::model::Digest;

/// A session ends when it is not used for this time: a shared computer that was left logged in, in milliseconds.
const IDLE_MS: i64 = 12 * 3_600_000;
/// A session ends after this time, in milliseconds.
const LONGEST_MS: i64 = 30 * 24 * 3_600_000;

/// When a session began and was last used, in milliseconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionTimes {
    /// When the person logged in.
    pub created: i64,
    /// When it was last used.
    pub seen: i64,
}

impl SessionTimes {
    /// The longest time that a session lasts, in seconds: the age of its cookie.
    pub const LONGEST_SECONDS: i64 = LONGEST_MS / 1_000;

    /// Whether the session has not ended. A clock that was set back does not prolong it.
    pub fn is_live(self, now: i64) -> bool {
        (self.created..self.created + LONGEST_MS).contains(&now) && now < self.seen.saturating_add(IDLE_MS)
    }
}

/// How a secret with at least 128 random bits is stored: a fast hash suffices, since it can't be guessed.
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
    }
}
