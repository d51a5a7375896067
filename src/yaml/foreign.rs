//! Parses YAML like the tools of other judges: the last of several entries with the same key is used, `<<` merges maps,
//! and an integer of more than 64 bits becomes a string.

use std::cell::{Cell, RefCell};
use std::fmt;

use indexmap::{IndexMap, IndexSet};
use serde::de::{DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, VariantAccess, Visitor};
use serde_yaml::Value;
use serde_yaml::value::{Tag, TaggedValue};

use crate::model::Diagnostic;

use super::complaint::parse_by;

/// The key whose value is merged into the map.
const MERGE: &str = "<<";

/// Maximum number of values in a file. A file of the maximum size can exceed it only through aliases.
const MOST_VALUES: u32 = 4_000_000;

/// The content of a file whose outermost value is a map.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Foreign {
    /// The entries of the map, in the order of the file.
    pub map: IndexMap<String, Value>,
    /// The keys that occur more than once in the same map, at any depth.
    pub twice: Vec<String>,
}

/// Parses a text whose outermost value is a map, with the rules of this module; `origin` is the file name for messages.
///
/// # Errors
/// Fails if the text is larger than 4 MiB, is not valid YAML or not a map, or has more than 4,000,000 values.
pub fn parse_foreign(origin: &str, text: &str) -> Result<Foreign, Diagnostic> {
    let seen = ForeignState::default();
    let map = parse_by(origin, text, |deserializer| deserializer.deserialize_map(OutermostMap(&seen)))?;
    Ok(Foreign { map, twice: seen.twice.into_inner().into_iter().collect() })
}

/// State of the parser: duplicate keys and the number of values so far.
#[derive(Debug, Default)]
struct ForeignState {
    twice: RefCell<IndexSet<String>>,
    values: Cell<u32>,
}

/// A visitor for the outermost map.
struct OutermostMap<'t>(&'t ForeignState);

impl<'de> Visitor<'de> for OutermostMap<'_> {
    type Value = IndexMap<String, Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        Inner(self.0).entries(map)
    }
}

/// A visitor for any value.
#[derive(Clone, Copy)]
struct Inner<'t>(&'t ForeignState);

impl Inner<'_> {
    /// Returns the entries of a map. Entries merged by `<<` come first, and the map's own entries override them.
    fn entries<'de, A: MapAccess<'de>>(self, mut map: A) -> Result<IndexMap<String, Value>, A::Error> {
        let mut own = IndexMap::new();
        let mut merged = IndexMap::new();
        while let Some(key) = map.next_key::<String>()? {
            let value = map.next_value_seed(self)?;
            let value = match value {
                value if key != MERGE => value,
                value => match merge(value) {
                    Ok(more) => {
                        merged.extend(more);
                        continue;
                    }
                    Err(value) => value,
                },
            };
            if own.insert(key.clone(), value).is_some() {
                self.0.twice.borrow_mut().insert(key);
            }
        }
        merged.extend(own);
        Ok(merged)
    }
}

/// Returns the entries of a map, or of all maps in a list, where earlier maps take precedence. Returns any other value
/// as the error.
fn merge(value: Value) -> Result<IndexMap<String, Value>, Value> {
    let maps = match &value {
        Value::Mapping(map) => Some(vec![map]),
        Value::Sequence(list) => list.iter().rev().map(Value::as_mapping).collect(),
        _ => None,
    };
    let Some(maps) = maps else { return Err(value) };
    let entries = maps.into_iter().flatten();
    Ok(entries.filter_map(|(key, value)| Some((key.as_str()?.to_owned(), value.clone()))).collect())
}

impl<'de> DeserializeSeed<'de> for Inner<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        let values = self.0.values.get();
        self.0.values.set(values + 1);
        match values < MOST_VALUES {
            true => deserializer.deserialize_any(self),
            false => {
                let message = format!("after alias expansion, the file exceeds the limit of {MOST_VALUES} values");
                Err(D::Error::custom(message))
            }
        }
    }
}

impl<'de> Visitor<'de> for Inner<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_bool<E: Error>(self, truth: bool) -> Result<Value, E> {
        Ok(Value::Bool(truth))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Number(number.into()))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Value, E> {
        Ok(Value::Number(number.into()))
    }

    fn visit_i128<E: Error>(self, number: i128) -> Result<Value, E> {
        Ok(Value::String(number.to_string()))
    }

    fn visit_u128<E: Error>(self, number: u128) -> Result<Value, E> {
        Ok(Value::String(number.to_string()))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Value, E> {
        Ok(Value::Number(number.into()))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        Ok(Value::String(text.to_owned()))
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = list.next_element_seed(self)? {
            values.push(value);
        }
        Ok(Value::Sequence(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Value, A::Error> {
        let entries = self.entries(map)?.into_iter().map(|(key, value)| (Value::String(key), value));
        Ok(Value::Mapping(entries.collect()))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<Value, A::Error> {
        let (tag, inner) = data.variant::<String>()?;
        let value = inner.newtype_variant_seed(self)?;
        Ok(Value::Tagged(Box::new(TaggedValue { tag: Tag::new(tag), value })))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn json(text: &str) -> String {
        let map = parse_foreign("a.yaml", text).unwrap().map;
        serde_json::to_string(&map).unwrap()
    }

    #[test]
    fn last_of_equal_keys_counts() {
        let read = parse_foreign("a.yaml", "a: 1\nb: {c: x, c: [y]}\na: 2\n").unwrap();
        assert_eq!(serde_json::to_string(&read.map).unwrap(), r#"{"a":2,"b":{"c":["y"]}}"#);
        assert_eq!(read.twice, ["c", "a"]);
    }

    #[test]
    fn merged_maps_supply_missing_keys() {
        assert_eq!(json("b: &b {x: 1, y: 2}\na: {<<: *b, y: 3}\n"), r#"{"b":{"x":1,"y":2},"a":{"x":1,"y":3}}"#);
        let several = "- &b {x: 1, y: 2}\n  - &c {<<: *b, y: 3, z: 4}\n";
        assert_eq!(
            json(&format!("l:\n  {several}a: {{y: 5, <<: [*c, *b]}}\n")),
            r#"{"l":[{"x":1,"y":2},{"x":1,"y":3,"z":4}],"a":{"x":1,"y":5,"z":4}}"#
        );
        assert_eq!(json("<<: {a: 1}\nb: 2\n"), r#"{"a":1,"b":2}"#);
        assert_eq!(json("a: {<<: 1}\n"), r#"{"a":{"<<":1}}"#, "a `<<` whose value cannot be merged is an ordinary key");
    }

    #[test]
    fn large_numbers_are_kept_and_keys_are_texts() {
        assert_eq!(json("a: 100000000000000000000\nb: [-99999999999999999999, 0.5, ~, yes, true]\n1: 1\n"), {
            r#"{"a":"100000000000000000000","b":["-99999999999999999999",0.5,null,"yes",true],"1":1}"#
        });
        assert_eq!(json("a: {1.50: x}\n"), r#"{"a":{"1.50":"x"}}"#);
    }

    #[test]
    fn files_without_a_map_are_refused_with_a_position() {
        let error = parse_foreign("a.yaml", "- 1\n").unwrap_err();
        assert!(error.message.contains("expected a map") && error.line_and_column().is_some(), "{error:?}");
        assert!(parse_foreign("a.yaml", "a: [\n").is_err());
        assert_eq!(parse_foreign("a.yaml", "a: !b {c: 1}\n").unwrap().map.len(), 1);
    }

    #[test]
    #[ignore = "slow; .ci/run runs it"]
    fn nested_aliases_are_bounded() {
        let list = |name: &str, of: &str| format!("{name}: &{name} [{}]\n", vec![of; 2_000].join(", "));
        let error = parse_foreign("a.yaml", &(list("a", "1") + &list("b", "*a") + &list("c", "*b"))).unwrap_err();
        assert!(error.message.contains("the limit of 4000000 values"), "{}", error.message);
        let again = parse_foreign("a.yaml", "a: &a {x: 1, x: 2}\nb: *a\nc: *a\n").unwrap();
        assert_eq!(again.twice, ["x"], "each key is reported once");
    }
}
