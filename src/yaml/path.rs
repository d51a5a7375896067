//! Finds the position of a value in a YAML text.
//!
//! The YAML crate reports positions only in errors, so this module deserializes up to the wanted value and then fails
//! on purpose. Because the text is parsed again, this is done only to report an error.

use std::fmt;

use serde::Deserializer;
use serde::de::{DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::model::TextRange;

/// A step of the path to a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PathStep {
    /// The value of this key in a map.
    Key(String),
    /// The item of a list with this index, from 0.
    Item(usize),
}

impl From<&str> for PathStep {
    fn from(key: &str) -> PathStep {
        PathStep::Key(key.to_owned())
    }
}

impl From<usize> for PathStep {
    fn from(item: usize) -> PathStep {
        PathStep::Item(item)
    }
}

/// The part of a map entry to mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// The value at the path.
    Value,
    /// The key of the value.
    Key,
}

/// Returns the range of the value at `path`, or of its key if `target` is [`Target::Key`]. If there is no such value,
/// returns the range of the value at the longest existing prefix of `path`; `None` if the text cannot be parsed that
/// far.
///
/// The range of a quoted scalar does not include the quotes.
pub fn place(text: &str, path: &[PathStep], target: Target) -> Option<TextRange> {
    (0..=path.len()).rev().find_map(|length| {
        let target = if length == path.len() { target } else { Target::Value };
        let seek = Seek { path: &path[..length], target };
        let error = seek.deserialize(serde_yaml::Deserializer::from_str(text)).err()?;
        error.to_string().contains(FOUND).then(|| error.location())?.map(|at| token_at(text, at.index()))
    })
}

/// The message of the error with which this module stops the deserializer. The suffix distinguishes it from messages of
/// the YAML crate.
const FOUND: &str = "found the value at the path (a6d8)";

/// Returns the range of the scalar at byte `start`: the content of a quoted scalar, or a plain scalar up to its end on
/// the same line.
pub(super) fn token_at(text: &str, start: usize) -> TextRange {
    let start = (0..=start.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let rest = &text[start..];
    for quote in ['"', '\''] {
        if let Some(inner) = rest.strip_prefix(quote) {
            let ends = |at: &usize| quote == '\'' || !inner[..*at].ends_with('\\');
            let length = inner.match_indices(quote).map(|(at, _)| at).find(ends).unwrap_or(inner.len());
            return TextRange { start: start + 1, end: start + 1 + length };
        }
    }
    let line = rest.lines().next().unwrap_or("");
    let flow = text[..start].rsplit('\n').next().is_some_and(opens_flow);
    let ends: &[&str] = if flow { &[": ", " #", ",", "}", "]"] } else { &[": ", " #"] };
    let cut = ends.iter().filter_map(|end| line.find(end)).min().unwrap_or(line.len());
    let token = line[..cut].trim_end().trim_end_matches(':');
    TextRange {
        start,
        end: start + token.len().max(rest.chars().next().map_or(0, |c| if c == '\n' { 0 } else { c.len_utf8() })),
    }
}

/// Returns whether `head`, the beginning of a line, contains a `{`, or a `[` that is not part of a name such as `a[n]`,
/// so that a flow collection may be open.
fn opens_flow(head: &str) -> bool {
    let in_name = |at: usize| head[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
    head.char_indices().any(|(at, c)| c == '{' || c == '[' && !in_name(at))
}

/// A visitor that follows `path`, and fails with [`FOUND`] at the end of the path.
struct Seek<'a> {
    path: &'a [PathStep],
    target: Target,
}

impl<'de> DeserializeSeed<'de> for Seek<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl Seek<'_> {
    /// Handles a scalar: fails with [`FOUND`] at the end of the path, and ignores the scalar elsewhere.
    fn scalar<E: Error>(&self) -> Result<(), E> {
        if self.path.is_empty() { Err(E::custom(FOUND)) } else { Ok(()) }
    }
}

impl<'de> Visitor<'de> for Seek<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        self.scalar()
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        self.scalar()
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        self.scalar()
    }

    fn visit_i128<E: Error>(self, _: i128) -> Result<(), E> {
        self.scalar()
    }

    fn visit_u128<E: Error>(self, _: u128) -> Result<(), E> {
        self.scalar()
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        self.scalar()
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<(), E> {
        self.scalar()
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.scalar()
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let Some((step, rest)) = self.path.split_first() else { return Err(A::Error::custom(FOUND)) };
        let mut index = 0;
        loop {
            let more = if *step == PathStep::Item(index) {
                list.next_element_seed(Seek { path: rest, target: self.target })?.is_some()
            } else {
                list.next_element::<IgnoredAny>()?.is_some()
            };
            if !more {
                return Ok(());
            }
            index += 1;
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Some((step, rest)) = self.path.split_first() else { return Err(A::Error::custom(FOUND)) };
        let at_key = rest.is_empty() && self.target == Target::Key;
        while let Some(here) = map.next_key_seed(KeyMatcher { step, stop: at_key })? {
            if here {
                map.next_value_seed(Seek { path: rest, target: self.target })?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

/// A visitor that compares a key with a step of the path. It fails with [`FOUND`] if they are equal and the key is the
/// target.
struct KeyMatcher<'a> {
    step: &'a PathStep,
    stop: bool,
}

impl<'de> DeserializeSeed<'de> for KeyMatcher<'_> {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for KeyMatcher<'_> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<bool, E> {
        let here = matches!(self.step, PathStep::Key(name) if name == key);
        if here && self.stop { Err(E::custom(FOUND)) } else { Ok(here) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "name: Ним\ninput:\n  - n: 1..=9\n    a[n]: \"0..=9\"\n  - repeat: n\n    line: { x: 1..=n, y: 2 }\nwhere: [ sum(a) > 0, 'acyclic(x, y)' ]\n";

    fn marked(path: &[PathStep], target: Target) -> &'static str {
        let place = place(TEXT, path, target).unwrap();
        &TEXT[place.start..place.end]
    }

    #[test]
    fn values_and_keys_are_found() {
        assert_eq!(marked(&["name".into()], Target::Value), "Ним");
        assert_eq!(marked(&["input".into(), 0.into(), "n".into()], Target::Value), "1..=9");
        assert_eq!(marked(&["input".into(), 0.into(), "a[n]".into()], Target::Value), "0..=9");
        assert_eq!(marked(&["input".into(), 0.into(), "a[n]".into()], Target::Key), "a[n]");
        assert_eq!(marked(&["input".into(), 1.into(), "line".into(), "x".into()], Target::Value), "1..=n");
        assert_eq!(marked(&["where".into(), 0.into()], Target::Value), "sum(a) > 0");
        assert_eq!(marked(&["where".into(), 1.into()], Target::Value), "acyclic(x, y)");
    }

    #[test]
    fn missing_values_give_the_nearest_existing_position() {
        assert_eq!(marked(&["input".into(), 0.into(), "q".into()], Target::Value), "n");
        assert!(place(TEXT, &["nothing".into()], Target::Value).is_some());
    }
}
