//! Bytes that are usually text, and their JSON form.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::hex::{of_hex, to_hex};

/// Arbitrary bytes. They are serialized as a string if they are valid UTF-8, and otherwise as `{"hex": "…"}`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct RawBytes(pub Vec<u8>);

#[derive(Deserialize)]
#[serde(untagged)]
enum BytesForm {
    Text(String),
    Hex { hex: String },
}

impl Serialize for RawBytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap;
        if let Ok(text) = std::str::from_utf8(&self.0) {
            return serializer.serialize_str(text);
        }
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry("hex", &to_hex(&self.0))?;
        map.end()
    }
}

impl<'de> Deserialize<'de> for RawBytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<RawBytes, D::Error> {
        match BytesForm::deserialize(deserializer)? {
            BytesForm::Text(text) => Ok(RawBytes(text.into_bytes())),
            BytesForm::Hex { hex } => of_hex(&hex)
                .map(RawBytes)
                .ok_or_else(|| D::Error::custom("expected `hex` to consist of pairs of hexadecimal digits")),
        }
    }
}

impl From<Vec<u8>> for RawBytes {
    fn from(bytes: Vec<u8>) -> RawBytes {
        RawBytes(bytes)
    }
}

impl std::ops::Deref for RawBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}
