//! Ids of submissions.

use std::fmt;
use std::str::FromStr;

use rustix::rand::{GetRandomFlags, getrandom};
use serde::Serialize;

use crate::model::{Fault, FaultKind};

/// Number of random bytes in an id.
const BYTES: usize = 16;

/// The id of a submission: 32 hexadecimal digits from the random number generator of the operating system, so that it
/// can't be guessed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct SubmissionId(String);

/// The error for a string that is not the id of a submission.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a submission id must consist of 32 lower-case hexadecimal digits")]
pub struct InvalidSubmissionId;

/// Creates a string of 32 hexadecimal digits from the random number generator of the operating system.
///
/// # Errors
/// Returns a fault if the operating system provides no random numbers.
pub fn random_text() -> Result<String, Fault> {
    let mut bytes = [0; BYTES];
    let mut filled = 0;
    while filled < BYTES {
        filled += getrandom(&mut bytes[filled..], GetRandomFlags::empty()).map_err(|error| {
            Fault::io(FaultKind::Internal, &error.into()).context("cannot read random numbers from the system")
        })?;
    }
    Ok(crate::model::to_hex(&bytes))
}

impl SubmissionId {
    /// Creates a new id.
    ///
    /// # Errors
    /// Returns a fault if the operating system provides no random numbers.
    pub fn random() -> Result<SubmissionId, Fault> {
        random_text().map(SubmissionId)
    }

    /// Returns the id as a string.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for SubmissionId {
    type Err = InvalidSubmissionId;

    fn from_str(text: &str) -> Result<SubmissionId, InvalidSubmissionId> {
        let digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        let valid = text.len() == 2 * BYTES && text.bytes().all(digit);
        if valid { Ok(SubmissionId(text.to_owned())) } else { Err(InvalidSubmissionId) }
    }
}

impl AsRef<str> for SubmissionId {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SubmissionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_differ_and_are_read_back() {
        let ids: std::collections::BTreeSet<SubmissionId> = (0..100).map(|_| SubmissionId::random().unwrap()).collect();
        assert_eq!(ids.len(), 100);
        assert!(ids.iter().all(|id| id.to_string().parse::<SubmissionId>().as_ref() == Ok(id)));
        for text in ["", "0", "../../../../../../etc/passwd", &"A".repeat(32), &"0".repeat(33)] {
            assert_eq!(text.parse::<SubmissionId>(), Err(InvalidSubmissionId), "{text}");
        }
    }
}
