//! Ids of problems and cases, and hashes of contents.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The error for a string that is not a problem id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a valid id; expected 1 to 64 lower-case letters, digits, `-` and `_`, beginning with a letter or a digit"
)]
pub struct InvalidId(String);

/// The id of a problem, which is the name of its folder: 1 to 64 of the characters `a`-`z`, `0`-`9`, `-` and `_`, of
/// which the first is a letter or digit.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct ProblemId(String);

impl ProblemId {
    /// Returns the id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for ProblemId {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<ProblemId, InvalidId> {
        let good = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-' || b == b'_';
        let ok = (1..=64).contains(&text.len()) && text.bytes().all(good) && !text.starts_with(['-', '_']);
        if ok { Ok(ProblemId(text.to_owned())) } else { Err(InvalidId(text.to_owned())) }
    }
}

impl<'de> Deserialize<'de> for ProblemId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<ProblemId, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl fmt::Display for ProblemId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// The id of a test case: the name of its group and its number in the group, such as `tiny/007`; or a name from another
/// format.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CaseId(String);

impl CaseId {
    /// Creates the id of case `number` (from 1) of `group`.
    pub fn new(group: &str, number: usize) -> CaseId {
        CaseId(format!("{group}/{number:03}"))
    }

    /// Creates an id from the name of a case in another format, without validation.
    pub fn named(name: impl Into<String>) -> CaseId {
        CaseId(name.into())
    }

    /// Returns the id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for CaseId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// A BLAKE3 hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// Hashes `bytes`.
    pub fn of(bytes: &[u8]) -> Digest {
        Digest(*blake3::hash(bytes).as_bytes())
    }

    /// Hashes what `reader` returns, in bounded memory.
    ///
    /// # Errors
    /// Returns the error of `reader`.
    pub fn of_reader(reader: impl std::io::Read) -> std::io::Result<Digest> {
        let mut hasher = blake3::Hasher::new();
        hasher.update_reader(reader)?;
        Ok(Digest::from(hasher.finalize()))
    }

    /// Hashes several parts with their lengths, so that moving a byte between adjacent parts changes the digest.
    pub fn of_parts<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Digest {
        let mut hasher = blake3::Hasher::new();
        for part in parts {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        Digest(*hasher.finalize().as_bytes())
    }

    /// Returns the 32 bytes of the hash.
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl From<blake3::Hash> for Digest {
    fn from(hash: blake3::Hash) -> Digest {
        Digest(*hash.as_bytes())
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&blake3::Hash::from_bytes(self.0).to_hex())
    }
}

impl FromStr for Digest {
    type Err = InvalidDigest;

    fn from_str(text: &str) -> Result<Digest, InvalidDigest> {
        blake3::Hash::from_hex(text).map(Digest::from).map_err(|_| InvalidDigest(text.to_owned()))
    }
}

/// The error for a string that is not a digest.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a BLAKE3 hash of 64 hexadecimal digits")]
pub struct InvalidDigest(String);

impl Serialize for Digest {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Digest, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_plain_words() {
        for good in ["classic-nim", "a", "2048", "split_nim"] {
            assert!(good.parse::<ProblemId>().is_ok(), "{good}");
        }
        for bad in ["", "-x", "Ним", "a/b", "..", "a b", "A"] {
            assert!(bad.parse::<ProblemId>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_digest_of_parts_knows_where_they_end() {
        let parts = |a: &str, b: &str| Digest::of_parts([a.as_bytes(), b.as_bytes()]);
        assert_ne!(parts("ab", "c"), parts("a", "bc"));
        assert_eq!(parts("ab", "c").to_string().parse(), Ok(parts("ab", "c")));
    }
}
