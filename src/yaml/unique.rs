//! A map that keeps the order of the file and rejects duplicate keys.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

use indexmap::IndexMap;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::model::{KeyWriter, StableKey};

/// A map that keeps the order of its entries in the file and rejects duplicate keys. An [`IndexMap`] would silently
/// replace the first value of a duplicate key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unique<V>(pub IndexMap<String, V>);

impl<V> Default for Unique<V> {
    fn default() -> Unique<V> {
        Unique(IndexMap::new())
    }
}

impl<V> Deref for Unique<V> {
    type Target = IndexMap<String, V>;

    fn deref(&self) -> &IndexMap<String, V> {
        &self.0
    }
}

impl<'de, V: Deserialize<'de>> Deserialize<'de> for Unique<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Unique<V>, D::Error> {
        deserializer.deserialize_map(EntriesVisitor(PhantomData))
    }
}

impl<V: JsonSchema> JsonSchema for Unique<V> {
    fn schema_name() -> Cow<'static, str> {
        format!("Map_of_{}", V::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        IndexMap::<String, V>::json_schema(generator)
    }

    fn inline_schema() -> bool {
        true
    }
}

impl<V: StableKey> StableKey for Unique<V> {
    fn write_key(&self, key: &mut KeyWriter) {
        key.write(&self.len());
        for (name, value) in self.iter() {
            key.write(name).write(value);
        }
    }
}

struct EntriesVisitor<V>(PhantomData<V>);

impl<'de, V: Deserialize<'de>> Visitor<'de> for EntriesVisitor<V> {
    type Value = Unique<V>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Unique<V>, A::Error> {
        let mut entries = IndexMap::new();
        while let Some(key) = map.next_key::<String>()? {
            if entries.contains_key(&key) {
                return Err(A::Error::custom(format!("duplicate key `{key}`")));
            }
            let value = map.next_value()?;
            entries.insert(key, value);
        }
        Ok(Unique(entries))
    }
}
