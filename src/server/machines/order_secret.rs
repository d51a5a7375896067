//! The tokens with which workers read the files of their jobs.

use std::path::Path;

use crate::database::create_private;
use crate::model::{Digest, Failure};
use crate::queue::JobNumber;
use crate::submissions::random_text;

/// The name of the file with the secret.
const FILE: &str = "secret";

/// A secret from which the token of each attempt is derived, so that tokens need not be stored.
pub(super) struct OrderSecret(String);

impl OrderSecret {
    /// Reads the secret in a folder, and creates it if necessary. Tokens remain valid when the process is restarted.
    ///
    /// # Errors
    /// Fails if the file can't be read or written, or if the system provides no random bytes.
    pub(super) fn open(folder: &Path) -> Result<OrderSecret, Failure> {
        let path = folder.join(FILE);
        create_private(&path)?;
        let known = fs_err::read_to_string(&path).map_err(|error| Failure::user_file(&error))?;
        if !known.trim().is_empty() {
            return Ok(OrderSecret(known));
        }
        let secret = random_text()?;
        fs_err::write(&path, &secret).map_err(|error| Failure::unwritable(&path, &error))?;
        Ok(OrderSecret(secret))
    }

    /// Returns the token of an attempt.
    pub(super) fn token(&self, job: JobNumber, epoch: u64) -> String {
        let parts = [self.0.as_bytes(), &job.0.to_le_bytes(), &epoch.to_le_bytes()];
        Digest::of_parts(parts).to_string()
    }

    /// Returns whether a text is the token of an attempt.
    pub(super) fn is_token(&self, text: &str, job: JobNumber, epoch: u64) -> bool {
        // Hashes are compared, so that the time of the comparison does not reveal the number of correct characters.
        Digest::of(text.as_bytes()) == Digest::of(self.token(job, epoch).as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_belongs_to_one_attempt_and_survives_a_restart() {
        let folder = tempfile::tempdir().unwrap();
        let secret = OrderSecret::open(folder.path()).unwrap();
        let token = secret.token(JobNumber(5), 2);
        let again = OrderSecret::open(folder.path()).unwrap();
        assert!(again.is_token(&token, JobNumber(5), 2));
        for (job, epoch) in [(5, 1), (6, 2), (2, 5)] {
            assert!(!again.is_token(&token, JobNumber(job), epoch));
        }
        let other = tempfile::tempdir().unwrap();
        assert!(!OrderSecret::open(other.path()).unwrap().is_token(&token, JobNumber(5), 2));
    }
}
