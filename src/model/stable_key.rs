//! An explicit encoding of values as bytes, for keys that are stored on disk.
//!
//! A key that is derived from `Debug` or from serde names changes when a type or a field is renamed. In this encoding
//! each type defines a tag for each of its fields. Tags and layouts must not be changed without increasing the version
//! of the keys that contain them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{ByteSize, CaseId, CaseLimits, Digest, LimitChange, Limits, Points, ProblemId, Score, TimeSpan};

/// A value with an encoding that does not depend on names in the source code.
pub trait StableKey {
    /// Appends the encoding of this value.
    fn write_key(&self, key: &mut KeyWriter);
}

/// A writer that collects the encoding of a key.
///
/// Strings and byte strings are preceded by their length, sequences by their number of elements, and fields by a tag,
/// so that different values of a type never have the same encoding. Numbers are little-endian with a fixed width.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyWriter {
    bytes: Vec<u8>,
}

impl KeyWriter {
    /// Creates a writer of a key. Keys with different purposes have different values of `kind`; a change to the
    /// encoding requires a new `version`.
    pub fn new(kind: &str, version: u32) -> KeyWriter {
        let mut key = KeyWriter { bytes: Vec::new() };
        key.write(kind).write(&version);
        key
    }

    /// Appends a value without a tag. The position alone identifies the value.
    pub fn write(&mut self, value: &(impl StableKey + ?Sized)) -> &mut KeyWriter {
        value.write_key(self);
        self
    }

    /// Appends a field of a structure: its tag, then its value.
    pub fn field(&mut self, tag: &str, value: &(impl StableKey + ?Sized)) -> &mut KeyWriter {
        self.write(tag).write(value)
    }

    /// Appends the tag of an enum variant. The caller then appends its fields.
    pub fn variant(&mut self, tag: &str) -> &mut KeyWriter {
        self.write(tag)
    }

    /// Appends a byte string with its length.
    pub fn byte_string(&mut self, bytes: &[u8]) -> &mut KeyWriter {
        self.write(&bytes.len());
        self.bytes.extend_from_slice(bytes);
        self
    }

    /// Returns the encoded bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the hash of the encoding.
    pub fn digest(&self) -> Digest {
        Digest::of(&self.bytes)
    }
}

macro_rules! numbers {
    ($($number:ty as $wide:ty),*) => {$(
        impl StableKey for $number {
            fn write_key(&self, key: &mut KeyWriter) {
                key.bytes.extend_from_slice(&<$wide>::from(*self).to_le_bytes());
            }
        }
    )*};
}

numbers!(bool as u8, u8 as u8, u32 as u64, u64 as u64, i64 as i64, i128 as i128);

impl StableKey for usize {
    fn write_key(&self, key: &mut KeyWriter) {
        (*self as u64).write_key(key);
    }
}

impl StableKey for f64 {
    fn write_key(&self, key: &mut KeyWriter) {
        self.to_bits().write_key(key);
    }
}

impl StableKey for str {
    fn write_key(&self, key: &mut KeyWriter) {
        key.byte_string(self.as_bytes());
    }
}

impl StableKey for String {
    fn write_key(&self, key: &mut KeyWriter) {
        key.byte_string(self.as_bytes());
    }
}

impl StableKey for std::ffi::OsStr {
    fn write_key(&self, key: &mut KeyWriter) {
        key.byte_string(self.as_encoded_bytes());
    }
}

impl StableKey for Path {
    fn write_key(&self, key: &mut KeyWriter) {
        self.as_os_str().write_key(key);
    }
}

impl StableKey for PathBuf {
    fn write_key(&self, key: &mut KeyWriter) {
        self.as_path().write_key(key);
    }
}

impl<T: StableKey + ?Sized> StableKey for &T {
    fn write_key(&self, key: &mut KeyWriter) {
        (**self).write_key(key);
    }
}

impl<T: StableKey + ?Sized> StableKey for Box<T> {
    fn write_key(&self, key: &mut KeyWriter) {
        (**self).write_key(key);
    }
}

impl<T: StableKey + ?Sized> StableKey for Arc<T> {
    fn write_key(&self, key: &mut KeyWriter) {
        (**self).write_key(key);
    }
}

impl<T: StableKey> StableKey for Option<T> {
    fn write_key(&self, key: &mut KeyWriter) {
        self.is_some().write_key(key);
        if let Some(value) = self {
            value.write_key(key);
        }
    }
}

impl<T: StableKey> StableKey for [T] {
    fn write_key(&self, key: &mut KeyWriter) {
        key.write(&self.len());
        self.iter().for_each(|value| value.write_key(key));
    }
}

impl<T: StableKey> StableKey for Vec<T> {
    fn write_key(&self, key: &mut KeyWriter) {
        self.as_slice().write_key(key);
    }
}

impl<A: StableKey, B: StableKey> StableKey for (A, B) {
    fn write_key(&self, key: &mut KeyWriter) {
        key.write(&self.0).write(&self.1);
    }
}

impl<K: StableKey, V: StableKey> StableKey for BTreeMap<K, V> {
    fn write_key(&self, key: &mut KeyWriter) {
        key.write(&self.len());
        self.iter().for_each(|(name, value)| _ = key.write(name).write(value));
    }
}

impl StableKey for Digest {
    fn write_key(&self, key: &mut KeyWriter) {
        key.byte_string(self.bytes());
    }
}

impl StableKey for ProblemId {
    fn write_key(&self, key: &mut KeyWriter) {
        self.as_str().write_key(key);
    }
}

impl StableKey for CaseId {
    fn write_key(&self, key: &mut KeyWriter) {
        self.as_str().write_key(key);
    }
}

impl StableKey for TimeSpan {
    fn write_key(&self, key: &mut KeyWriter) {
        self.as_micros().write_key(key);
    }
}

impl StableKey for ByteSize {
    fn write_key(&self, key: &mut KeyWriter) {
        self.get().write_key(key);
    }
}

impl StableKey for Score {
    fn write_key(&self, key: &mut KeyWriter) {
        self.as_thousandths().write_key(key);
    }
}

impl StableKey for Points {
    fn write_key(&self, key: &mut KeyWriter) {
        self.as_millionths().write_key(key);
    }
}

impl StableKey for Limits {
    fn write_key(&self, key: &mut KeyWriter) {
        let Limits { cpu, wall, memory, output, processes } = self;
        key.field("cpu", cpu).field("wall", wall).field("memory", memory);
        key.field("output", output).field("processes", processes);
    }
}

impl StableKey for LimitChange {
    fn write_key(&self, key: &mut KeyWriter) {
        let LimitChange { time, memory } = self;
        key.field("time", time).field("memory", memory);
    }
}

impl StableKey for CaseLimits {
    fn write_key(&self, key: &mut KeyWriter) {
        let CaseLimits { usual, languages, decay } = self;
        key.field("usual", usual).field("languages", languages).field("decay", decay);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoding_is_fixed() {
        let mut key = KeyWriter::new("test", 1);
        key.field("n", &7_u32).field("some", &Some("ab")).field("none", &None::<u64>).field("flag", &true);
        let wanted = b"\x04\0\0\0\0\0\0\0test\x01\0\0\0\0\0\0\0\
            \x01\0\0\0\0\0\0\0n\x07\0\0\0\0\0\0\0\
            \x04\0\0\0\0\0\0\0some\x01\x02\0\0\0\0\0\0\0ab\
            \x04\0\0\0\0\0\0\0none\0\
            \x04\0\0\0\0\0\0\0flag\x01";
        assert_eq!(key.as_bytes(), wanted);
    }

    #[test]
    fn neighbouring_values_do_not_run_together() {
        let of = |values: &[&str]| KeyWriter::new("test", 1).write(values).digest();
        assert_ne!(of(&["ab", "c"]), of(&["a", "bc"]));
        assert_ne!(of(&["a"]), of(&["a", ""]));
        assert_ne!(KeyWriter::new("test", 1).digest(), KeyWriter::new("test", 2).digest());
    }

    #[test]
    fn limits_have_a_fixed_key() {
        let limits = Limits {
            cpu: TimeSpan::millis(2500),
            wall: TimeSpan::seconds(6),
            memory: ByteSize::mib(256),
            output: ByteSize::kib(64),
            processes: 7,
        };
        insta::assert_snapshot!(KeyWriter::new("limits", 1).write(&limits).digest(), @"0a3eda60173dd1ad99774c4a69625f295ad8f134463e22c997a4e3c443440008");
    }
}
