//! Bytes as hexadecimal digits.

/// Returns two lowercase hexadecimal digits for each byte.
pub fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Parses a string of pairs of hexadecimal digits. Returns `None` for any other string.
pub fn of_hex(text: &str) -> Option<Vec<u8>> {
    let byte = |pair: &[u8]| {
        let pair = std::str::from_utf8(pair).ok().filter(|pair| pair.len() == 2)?;
        u8::from_str_radix(pair, 16).ok()
    };
    text.as_bytes().chunks(2).map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back_and_other_texts_are_refused() {
        let bytes: Vec<u8> = (0..=255).collect();
        assert_eq!(of_hex(&to_hex(&bytes)), Some(bytes));
        assert_eq!(to_hex(&[0, 10, 255]), "000aff");
        assert_eq!(of_hex(""), Some(Vec::new()));
        for text in ["0", "0g", "00 ", "ä", "0x00f"] {
            assert_eq!(of_hex(text), None, "{text}");
        }
    }
}
