//! Bytes that are usually text, and their JSON form.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Arbitrary bytes. They serialize as a string if they are valid UTF-8, otherwise as `{"hex": "…"}`.
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
        map.serialize_entry("hex", &self.0.iter().map(|byte| format!("{byte:02x}")).collect::<String>())?;
        map.end()
    }
}

impl<'de> Deserialize<'de> for RawBytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<RawBytes, D::Error> {
        match BytesForm::deserialize(deserializer)? {
            BytesForm::Text(text) => Ok(RawBytes(text.into_bytes())),
            BytesForm::Hex { hex } => {
                let digits = hex.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).ok());
                let bytes =
                    digits.map(|pair| pair.filter(|p| p.len() == 2).and_then(|p| u8::from_str_radix(p, 16).ok()));
                bytes
                    .collect::<Option<_>>()
                    .map(RawBytes)
                    .ok_or_else(|| D::Error::custom("expected pairs of hexadecimal digits as `hex`"))
            }
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
