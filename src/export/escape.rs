//! Escaping of strings for YAML and XML, and formatting of values.

use crate::model::{ByteSize, TimeSpan};

/// Formats a string as a YAML scalar in double quotes, with the syntax of JSON.
pub(super) fn yaml(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Formats strings as a YAML list.
pub(super) fn yaml_list<T: AsRef<str>>(texts: &[T]) -> String {
    format!("[{}]", texts.iter().map(|text| yaml(text.as_ref())).collect::<Vec<_>>().join(", "))
}

/// Formats a text as an XML CDATA section.
pub(super) fn cdata(text: &str) -> String {
    format!("<![CDATA[{}]]>", text.replace("]]>", "]]]]><![CDATA[>"))
}

/// Formats a time in seconds, such as `2` or `0.5`.
pub(super) fn seconds(span: TimeSpan) -> String {
    let micros = span.as_micros();
    let (whole, part) = (micros / 1_000_000, micros % 1_000_000);
    if part == 0 { whole.to_string() } else { format!("{whole}.{part:06}").trim_end_matches('0').to_owned() }
}

/// Converts a size to mebibytes. The result is rounded up, and is at least 1.
pub(super) fn mebibytes(bytes: ByteSize) -> u64 {
    bytes.get().div_ceil(1 << 20).max(1)
}

/// Returns the English name of a language in lower case, which some formats require, or the code if the name is
/// unknown.
pub(super) fn language_name(code: &str) -> &str {
    match code.split('-').next().unwrap_or(code) {
        "en" => "english",
        "ru" => "russian",
        "zh" => "chinese",
        "pl" => "polish",
        "uk" => "ukrainian",
        "es" => "spanish",
        "fr" => "french",
        "de" => "german",
        "pt" => "portuguese",
        "it" => "italian",
        "ja" => "japanese",
        "ko" => "korean",
        _ => code,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_times() {
        assert_eq!(yaml("a: \"b\"\n"), r#""a: \"b\"\n""#);
        assert_eq!(cdata("a]]>b"), "<![CDATA[a]]]]><![CDATA[>b]]>");
        assert_eq!(
            (seconds(TimeSpan::millis(1500)), seconds(TimeSpan::seconds(2))),
            ("1.5".to_owned(), "2".to_owned())
        );
        assert_eq!(mebibytes(ByteSize::new((1 << 20) + 1)), 2);
    }
}
