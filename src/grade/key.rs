//! Keys of stored results, which contain everything on which a result depends, mostly as hashes.

use crate::model::{Digest, Level};

/// Version of the grading. It is incremented when a change to this program alters the results for the same inputs.
const GRADING: &[u8] = b"nimatron grade 2";

/// Key of a stored result: the parts on which the result depends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    /// Files and language of the program.
    pub source: Digest,
    /// Cases, groups, points and checker of the problem.
    pub data: Digest,
    /// Limits of the problem.
    pub limits: Digest,
    /// Version of the compiler or interpreter.
    pub toolchain: Digest,
    /// Isolation level.
    pub isolation: Level,
}

impl Key {
    /// Returns the hash of all parts, which identifies a result in the store.
    pub fn whole(&self) -> Digest {
        let isolation = self.isolation.to_string();
        Digest::of_parts([
            GRADING,
            self.source.bytes().as_slice(),
            self.data.bytes(),
            self.limits.bytes(),
            self.toolchain.bytes(),
            isolation.as_bytes(),
        ])
    }

    /// Returns the names of the parts that differ from an older key.
    pub fn changed_since(&self, old: &Key) -> Vec<&'static str> {
        let parts = [
            (self.source != old.source, "the program"),
            (self.data != old.data, "the problem's tests"),
            (self.limits != old.limits, "the limits"),
            (self.toolchain != old.toolchain, "the compiler or interpreter"),
            (self.isolation != old.isolation, "the isolation"),
        ];
        parts.into_iter().filter(|(changed, _)| *changed).map(|(_, name)| name).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_changes_the_key_and_is_named() {
        let hash = |text: &str| Digest::of(text.as_bytes());
        let key =
            Key { source: hash("a"), data: hash("b"), limits: hash("c"), toolchain: hash("d"), isolation: Level::A };
        assert_eq!(key.changed_since(&key), Vec::<&str>::new());
        let others = [
            Key { source: hash("x"), ..key.clone() },
            Key { data: hash("x"), ..key.clone() },
            Key { limits: hash("x"), ..key.clone() },
            Key { toolchain: hash("x"), ..key.clone() },
            Key { isolation: Level::B, ..key.clone() },
        ];
        for other in &others {
            assert_ne!(other.whole(), key.whole());
            assert_eq!(other.changed_since(&key).len(), 1);
        }
    }
}
