//! Throttles login attempts. The caller passes the current time.

use std::collections::HashMap;

/// Number of failed attempts for a login after which the next attempts are delayed. People mistype passwords, so the
/// first attempts are not delayed.
const FREE_PER_LOGIN: u32 = 5;
/// Maximum delay for a login, in milliseconds. The delay is short, so that an attacker can't lock a person out.
const LONGEST_FOR_LOGIN: i64 = 30_000;
/// Number of failed attempts from an address after which the next attempts are delayed. The computers of a lab may
/// share an address.
const FREE_PER_ADDRESS: u32 = 60;
/// Maximum delay for an address, in milliseconds.
const LONGEST_FOR_ADDRESS: i64 = 900_000;
/// Time after the last attempt for a login or an address at which its count expires, in milliseconds.
const EXPIRY: i64 = 1_800_000;
/// Number of stored logins and addresses at which further attempts are refused.
const MOST: usize = 20_000;
/// Number of characters of a login that are stored. No account has a longer login.
const REMEMBERED: usize = 64;

/// The login or the address for which attempts are counted.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum CountedFor {
    Login(String),
    Address(String),
}

#[derive(Debug, Clone, Copy)]
struct Attempts {
    /// Number of attempts that have not succeeded, including attempts that are still being checked.
    count: u32,
    last: i64,
}

/// Counts of the failed attempts for each login and address. Attempts for unknown logins are throttled like attempts
/// for existing logins.
#[derive(Debug, Default)]
pub struct LoginThrottle {
    attempts: HashMap<CountedFor, Attempts>,
}

impl LoginThrottle {
    /// Counts an attempt. This must be called before the password is checked, so that concurrent attempts are counted.
    ///
    /// # Errors
    /// Returns the time to wait, in milliseconds, if the delay after the previous attempt is not over, or if too many
    /// logins and addresses are stored. Such an attempt is not counted.
    pub fn begin(&mut self, login: &str, address: &str, now: i64) -> Result<(), i64> {
        let keys = [
            (login_key(login), FREE_PER_LOGIN, LONGEST_FOR_LOGIN),
            (CountedFor::Address(address.to_owned()), FREE_PER_ADDRESS, LONGEST_FOR_ADDRESS),
        ];
        let wait = keys.iter().filter_map(|(key, free, longest)| {
            let attempts = self.attempts.get(key).filter(|attempts| now < attempts.last + EXPIRY)?;
            let passed = (now - attempts.last).max(0);
            Some(delay(attempts.count, *free, *longest) - passed)
        });
        if let Some(wait) = wait.max().filter(|wait| *wait > 0) {
            return Err(wait);
        }
        if self.attempts.len() >= MOST {
            self.attempts.retain(|_, attempts| now < attempts.last + EXPIRY);
            if self.attempts.len() >= MOST {
                return Err(LONGEST_FOR_LOGIN);
            }
        }
        for (key, ..) in keys {
            let attempts = self.attempts.entry(key).or_insert(Attempts { count: 0, last: now });
            if now >= attempts.last + EXPIRY {
                attempts.count = 0;
            }
            attempts.count = attempts.count.saturating_add(1);
            attempts.last = now;
        }
        Ok(())
    }

    /// Resets the count of a login after a success, and subtracts one attempt from the count of the address. The count
    /// of the address is not reset, since an attacker may also have an account.
    pub fn succeeded(&mut self, login: &str, address: &str) {
        self.attempts.remove(&login_key(login));
        if let Some(attempts) = self.attempts.get_mut(&CountedFor::Address(address.to_owned())) {
            attempts.count = attempts.count.saturating_sub(1);
        }
    }
}

fn login_key(login: &str) -> CountedFor {
    CountedFor::Login(login.chars().take(REMEMBERED).collect::<String>().to_ascii_lowercase())
}

/// Returns the delay after `count` attempts, in milliseconds: 0 below `free` attempts, one second at `free` attempts,
/// and twice as long after each further attempt, up to `longest`.
fn delay(count: u32, free: u32, longest: i64) -> i64 {
    match count.checked_sub(free) {
        None => 0,
        Some(over) => 1_000_i64.saturating_mul(1 << over.min(30)).min(longest),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_login_is_slowed_after_five_failures_and_freed_by_a_success() {
        let mut throttle = LoginThrottle::default();
        for _ in 0..5 {
            assert_eq!(throttle.begin("ann", "10.0.0.1", 0), Ok(()));
        }
        assert_eq!(throttle.begin("ANN", "10.0.0.2", 0), Err(1_000), "from another address, in capitals");
        assert_eq!(throttle.begin("zoë", "10.0.0.1", 0), Ok(()), "another login");
        assert_eq!(throttle.begin("ann", "10.0.0.1", 999), Err(1));
        assert_eq!(throttle.begin("ann", "10.0.0.1", 1_000), Ok(()));
        assert_eq!(throttle.begin("ann", "10.0.0.1", 1_000), Err(2_000));
        throttle.succeeded("ann", "10.0.0.1");
        assert_eq!(throttle.begin("ann", "10.0.0.1", 1_000), Ok(()));
    }

    #[test]
    fn nobody_is_locked_out_for_more_than_half_a_minute() {
        let mut throttle = LoginThrottle::default();
        let mut now = 0;
        for attempt in 0..100 {
            let address = attempt.to_string();
            if let Err(wait) = throttle.begin("ann", &address, now) {
                assert!(wait <= 30_000, "{wait}");
                now += wait;
                assert_eq!(throttle.begin("ann", &address, now), Ok(()));
            }
        }
    }

    #[test]
    fn an_address_that_tries_many_logins_is_slowed_and_forgotten_later() {
        let mut throttle = LoginThrottle::default();
        for login in 0..60 {
            assert_eq!(throttle.begin(&login.to_string(), "a", 0), Ok(()));
        }
        assert_eq!(throttle.begin("other", "a", 0), Err(1_000));
        assert_eq!(throttle.begin("other", "b", 0), Ok(()));
        assert_eq!(throttle.begin("again", "a", EXPIRY), Ok(()));
        assert_eq!(throttle.begin("more", "a", EXPIRY), Ok(()));
    }

    #[test]
    fn the_memory_is_bounded() {
        let mut throttle = LoginThrottle::default();
        assert_eq!(throttle.begin(&"x".repeat(1 << 20), "a", 0), Ok(()));
        assert!(
            throttle
                .attempts
                .keys()
                .all(|key| matches!(key, CountedFor::Address(_)) || *key == login_key(&"x".repeat(64)))
        );
        let mut throttle = LoginThrottle::default();
        // Each attempt stores a login and an address.
        for number in 0..MOST / 2 + 100 {
            _ = throttle.begin(&number.to_string(), &number.to_string(), 0);
        }
        assert!(throttle.attempts.len() <= MOST + 1);
        assert!(throttle.begin("x", "y", 0).is_err());
        assert_eq!(throttle.begin("x", "y", EXPIRY), Ok(()));
    }
}
