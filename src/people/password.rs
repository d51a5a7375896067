//! Passwords: argon2id.

use argon2::{Algorithm, Argon2, Params, Version};

use crate::model::{Diagnostic, Failure, Fault, FaultKind};
use crate::submissions::random_text;

/// Minimum length of a password, in characters.
const SHORTEST: usize = 8;
/// Maximum length of a password, in bytes.
const LONGEST: usize = 200;
/// Memory of a hash, in KiB: with two passes, the smallest that OWASP's cheat sheet recommends (19 MiB, 2, 1). A class
/// that logs in at the same time must fit on a small machine.
const MEMORY: u32 = 19_456;
/// Passes over the memory.
const PASSES: u32 = 2;
/// Length of a hash, in bytes.
const LENGTH: usize = 32;

/// Checks a new password.
///
/// # Errors
/// Fails if it is too short or too long.
pub fn check_password(password: &str) -> Result<(), Diagnostic> {
    if password.chars().count() < SHORTEST || password.len() > LONGEST {
        return Err(Diagnostic::new("the password is not acceptable")
            .help(format!("a password has at least {SHORTEST} characters, and at most {LONGEST} bytes")));
    }
    Ok(())
}

/// A password as it is stored: `argon2id$MEMORY$PASSES$SALT$HASH`, so that the parameters can change later.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PasswordHash(String);

impl PasswordHash {
    /// Hashes a password with a new salt. It takes some ten milliseconds and 19 MiB of memory.
    ///
    /// # Errors
    /// Fails if the system has no random numbers.
    pub fn of(password: &str) -> Result<PasswordHash, Failure> {
        let salt = random_text()?;
        let hash = derive(password, &salt, (MEMORY, PASSES))?;
        Ok(PasswordHash(format!("argon2id${MEMORY}${PASSES}${salt}${hash}")))
    }

    /// A hash that no password has. Checking a password against it takes as long as against others, so that the time does
    /// not tell whether a login exists.
    pub fn of_nobody() -> PasswordHash {
        PasswordHash(format!("argon2id${MEMORY}${PASSES}${}${}", "0".repeat(32), "-".repeat(2 * LENGTH)))
    }

    /// The hash that was stored as this text.
    pub fn stored(text: String) -> PasswordHash {
        PasswordHash(text)
    }

    /// The text to store.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the password is the one that was hashed.
    ///
    /// # Errors
    /// Fails if the stored text is damaged.
    pub fn matches(&self, password: &str) -> Result<bool, Failure> {
        let damaged = || Failure::from(Fault::new(FaultKind::Data, "a stored password is damaged"));
        let parts: Vec<&str> = self.0.split('$').collect();
        let ["argon2id", memory, passes, salt, hash] = parts[..] else { return Err(damaged()) };
        let cost = (memory.parse().map_err(|_| damaged())?, passes.parse().map_err(|_| damaged())?);
        // Longer ones are never stored; hashing them would only cost time.
        let derived = derive(password.get(..LONGEST).unwrap_or(password), salt, cost)?;
        let differing = derived.bytes().zip(hash.bytes()).fold(0, |differing, (a, b)| differing | (a ^ b));
        Ok(differing == 0 && derived.len() == hash.len() && password.len() <= LONGEST)
    }
}

/// The hash of a password, in hexadecimal digits.
fn derive(password: &str, salt: &str, (memory, passes): (u32, u32)) -> Result<String, Failure> {
    let failed = |error: String| Fault::new(FaultKind::Internal, format!("a password can't be hashed: {error}"));
    let params = Params::new(memory, passes, 1, Some(LENGTH)).map_err(|error| failed(error.to_string()))?;
    let mut out = [0; LENGTH];
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
        .hash_password_into(password.as_bytes(), salt.as_bytes(), &mut out)
        .map_err(|error| failed(error.to_string()))?;
    Ok(out.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_matches_its_hash_alone() {
        let hash = PasswordHash::of("correct horse").unwrap();
        assert!(hash.matches("correct horse").unwrap());
        assert!(!hash.matches("correct horsf").unwrap() && !hash.matches("").unwrap());
        assert!(PasswordHash::stored(hash.as_str().to_owned()).matches("correct horse").unwrap());
        assert_ne!(PasswordHash::of("correct horse").unwrap(), hash, "each has its own salt");
        assert!(!PasswordHash::of_nobody().matches("").unwrap());
        for damaged in ["", "argon2id$1$1$00$00", "plain$8$1$0000$00", "argon2id$x$1$00$00"] {
            assert!(PasswordHash::stored(damaged.to_owned()).matches("x").is_err(), "{damaged}");
        }
    }

    #[test]
    fn short_and_long_passwords_are_refused() {
        assert!(check_password("eightchr").is_ok() && check_password("äöüäöüäö").is_ok());
        assert!(check_password("seven77").is_err() && check_password(&"x".repeat(201)).is_err());
    }

    /// The time of a check depends on the parameters and the lengths alone.
    #[test]
    fn a_login_that_does_not_exist_is_checked_at_the_same_cost() {
        let parts = |hash: &PasswordHash| {
            let parts = hash.as_str().split('$').map(str::to_owned).collect::<Vec<_>>();
            (parts[..3].to_vec(), parts[3].len(), parts[4].len())
        };
        assert_eq!(parts(&PasswordHash::of_nobody()), parts(&PasswordHash::of("right password").unwrap()));
    }
}
