//! Validation of passwords, and their argon2id hashes.

use std::sync::{Mutex, PoisonError};

use argon2::{Algorithm, Argon2, Block, Params, Version};

use crate::model::{Diagnostic, Failure, Fault, FaultKind};
use crate::submissions::random_text;

/// Minimum length of a password, in characters.
const SHORTEST: usize = 8;
/// Maximum length of a password, in bytes.
const LONGEST: usize = 200;
/// Memory for a hash, in KiB: the minimum that OWASP's cheat sheet recommends for two passes and one lane. If a whole
/// class logs in at the same time, the hashes must fit in the memory of a small machine.
const MEMORY: u32 = 19_456;
/// Number of passes over the memory.
const PASSES: u32 = 2;
/// Length of a hash, in bytes.
const LENGTH: usize = 32;

/// Maximum number of buffers that are kept for reuse.
const SPARE_BUFFERS: usize = 2;

/// Unused buffers, which later hashes reuse. If each hash allocated its own buffer, the allocator would keep up to 19
/// MiB for each thread that has computed a hash: 470 MB after 200 people had joined a class.
static BUFFERS: Mutex<Vec<Vec<Block>>> = Mutex::new(Vec::new());

/// Validates the length of a new password.
///
/// # Errors
/// Fails if the password is too short or too long.
pub fn check_password(password: &str) -> Result<(), Diagnostic> {
    let (characters, bytes) = (password.chars().count(), password.len());
    if characters < SHORTEST {
        let message = format!("the password has {characters} characters, but at least {SHORTEST} are required");
        return Err(Diagnostic::new(message));
    }
    if bytes > LONGEST {
        return Err(Diagnostic::new(format!("the password has {bytes} bytes, but at most {LONGEST} are allowed")));
    }
    Ok(())
}

/// The stored form of a password: `argon2id$MEMORY$PASSES$SALT$HASH`. The parameters are stored with the hash, so that
/// they can change later.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PasswordHash(String);

impl PasswordHash {
    /// Hashes a password with a new salt. This takes tens of milliseconds and 19 MiB of memory.
    ///
    /// # Errors
    /// Fails if the system provides no random numbers, or if the hash can't be computed.
    pub fn of(password: &str) -> Result<PasswordHash, Failure> {
        let salt = random_text()?;
        let hash = derive(password, &salt, (MEMORY, PASSES))?;
        Ok(PasswordHash(format!("argon2id${MEMORY}${PASSES}${salt}${hash}")))
    }

    /// Returns a hash that no password matches. A check against it takes as long as against any other hash, so that the
    /// time of a login does not reveal whether the account exists.
    pub fn of_nobody() -> PasswordHash {
        PasswordHash(format!("argon2id${MEMORY}${PASSES}${}${}", "0".repeat(32), "-".repeat(2 * LENGTH)))
    }

    /// Creates the hash from its stored form, which is not validated.
    pub fn stored(text: String) -> PasswordHash {
        PasswordHash(text)
    }

    /// Returns the stored form.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns whether this is the hash of `password`.
    ///
    /// # Errors
    /// Fails if the stored form is damaged, or if the hash can't be computed.
    pub fn matches(&self, password: &str) -> Result<bool, Failure> {
        let damaged = || {
            Failure::from(Fault::new(
                FaultKind::Data,
                "the stored password hash of the account is damaged; reset the password",
            ))
        };
        let parts: Vec<&str> = self.0.split('$').collect();
        let ["argon2id", memory, passes, salt, hash] = parts[..] else { return Err(damaged()) };
        let cost = (memory.parse().map_err(|_| damaged())?, passes.parse().map_err(|_| damaged())?);
        // A longer password never matches, so hashing its beginning suffices.
        let derived = derive(password.get(..LONGEST).unwrap_or(password), salt, cost)?;
        let differing = derived.bytes().zip(hash.bytes()).fold(0, |differing, (a, b)| differing | (a ^ b));
        Ok(differing == 0 && derived.len() == hash.len() && password.len() <= LONGEST)
    }
}

/// Computes the hash of a password, in hexadecimal digits.
fn derive(password: &str, salt: &str, (memory, passes): (u32, u32)) -> Result<String, Failure> {
    let failed = |error: String| Fault::new(FaultKind::Internal, format!("cannot hash the password: {error}"));
    let params = Params::new(memory, passes, 1, Some(LENGTH)).map_err(|error| failed(error.to_string()))?;
    let mut out = [0; LENGTH];
    let blocks = params.block_count();
    let spare = BUFFERS.lock().unwrap_or_else(PoisonError::into_inner).pop();
    let mut buffer = spare.filter(|buffer| buffer.len() == blocks).unwrap_or_else(|| vec![Block::new(); blocks]);
    let derived = Argon2::new(Algorithm::Argon2id, Version::V0x13, params).hash_password_into_with_memory(
        password.as_bytes(),
        salt.as_bytes(),
        &mut out,
        &mut buffer,
    );
    let mut spare = BUFFERS.lock().unwrap_or_else(PoisonError::into_inner);
    if spare.len() < SPARE_BUFFERS {
        spare.push(buffer);
    }
    derived.map_err(|error| failed(error.to_string()))?;
    Ok(crate::model::to_hex(&out))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_used_buffer_gives_the_same_hash() {
        let derived = |password: &str, memory| derive(password, &"0".repeat(32), (memory, PASSES)).unwrap();
        let first = derived("correct horse", MEMORY);
        assert_ne!(derived("another password", MEMORY), first);
        // A stored hash may have other parameters.
        assert_ne!(derived("correct horse", MEMORY / 2), first);
        assert_eq!(derived("correct horse", MEMORY), first);
        assert!(BUFFERS.lock().unwrap().len() <= SPARE_BUFFERS);
    }

    #[test]
    fn a_password_matches_its_hash_alone() {
        let hash = PasswordHash::of("correct horse").unwrap();
        assert!(hash.matches("correct horse").unwrap());
        assert!(!hash.matches("correct horsf").unwrap() && !hash.matches("").unwrap());
        assert!(PasswordHash::stored(hash.as_str().to_owned()).matches("correct horse").unwrap());
        assert_ne!(PasswordHash::of("correct horse").unwrap(), hash, "each hash has its own salt");
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

    /// The time of a check depends only on the parameters and the lengths.
    #[test]
    fn a_login_that_does_not_exist_is_checked_at_the_same_cost() {
        let parts = |hash: &PasswordHash| {
            let parts = hash.as_str().split('$').map(str::to_owned).collect::<Vec<_>>();
            (parts[..3].to_vec(), parts[3].len(), parts[4].len())
        };
        assert_eq!(parts(&PasswordHash::of_nobody()), parts(&PasswordHash::of("right password").unwrap()));
    }
}
