//! Suggests corrections for values of the wrong type, based on what the author probably intended.

use super::lines::Line;
use super::mistake::{ParseError, quoted};
use super::path::token_at;

/// Returns a suggestion for an error about the type of a value; `None` for other errors, and if there is no suggestion.
pub(super) fn advice(error: &ParseError<'_>) -> Option<String> {
    let (found, expected) = error.message.split_once("invalid type: ")?.1.split_once(", expected ")?;
    let place = token_at(error.text, error.at);
    let token = error.text.get(place.start..place.end)?.trim();
    let line = Line::at(error.text, error.at);
    let wants_map = expected.contains("map") || expected.starts_with("struct ") || expected.contains("such as `{");
    if found.starts_with("boolean") && !wants_map && !expected_integer(expected) {
        return Some(format!(
            "without quotes, `{token}` is a boolean; to use it as a string, write `{}`",
            quoted(token)
        ));
    }
    if found == "unit value" {
        return Some(of_nothing(error, token));
    }
    if expected_integer(expected) {
        return whole_number(token).map(|number| format!("write the number in digits and without quotes: `{number}`"));
    }
    if found == "map" && expected.starts_with("a range") {
        return Some("write the range without braces, for example `1..=9`".to_owned());
    }
    if expected.starts_with("a sequence") {
        return match found {
            "map" if !token.starts_with('{') => Some(format!("begin each item with a dash: `- {}`", line.content())),
            "map" => Some("put the items in square brackets: `[{ … }]`".to_owned()),
            _ if token.starts_with(['|', '>']) => Some("write each item on its own line: `- item`".to_owned()),
            _ => Some(format!("write a list: `[{token}]`")),
        };
    }
    match (found, error.text.as_bytes().get(error.at).copied()) {
        ("sequence", Some(b'-')) if wants_map => {
            let first = line.content().trim_start_matches(['-', ' ']);
            Some(format!("write the keys without dashes: `{first}`"))
        }
        ("sequence", Some(b'[')) if wants_map => Some("write a map in braces: `{ key: value }`".to_owned()),
        ("sequence" | "map", Some(bracket @ (b'[' | b'{'))) if expected.starts_with("a string") => {
            Some(format!("a string that begins with `{}` must be quoted", char::from(bracket)))
        }
        _ => None,
    }
}

fn of_nothing(error: &ParseError<'_>, token: &str) -> String {
    let pair = Line::at(error.text, error.at).pair();
    match pair {
        _ if matches!(token, "~" | "null" | "Null" | "NULL") => {
            format!("without quotes, `{token}` is a null value; to use it as a string, write `{}`", quoted(token))
        }
        Some(pair) if pair.value.starts_with('#') => {
            format!("`#` begins a comment; to use it in a string, write `{}: {}`", pair.key, quoted(pair.value))
        }
        _ => "write a value after the colon or dash".to_owned(),
    }
}

/// Returns whether the expected type is an integer type of Rust, such as `u32`.
fn expected_integer(expected: &str) -> bool {
    expected.split_whitespace().next().and_then(integer_type).is_some()
}

/// Returns whether an integer type of Rust, such as `u32`, is signed, and its number of bits. Returns `None` if `name`
/// is not an integer type.
fn integer_type(name: &str) -> Option<(bool, u32)> {
    let size = name.strip_prefix(['u', 'i'])?;
    let bits = if size == "size" { 64 } else { size.parse().ok()? };
    [8, 16, 32, 64, 128].contains(&bits).then_some((name.starts_with('i'), bits))
}

/// Returns the description of a numeric type of Rust: `a whole number from 0 to 255` for `u8`, for example. Returns
/// any other text unchanged.
pub(super) fn type_name(expected: &str) -> String {
    if let Some((signed, bits)) = integer_type(expected) {
        let high = u128::MAX >> (128 - bits + u32::from(signed));
        let low = if signed { format!("-{}", high + 1) } else { "0".to_owned() };
        return format!("a whole number from {low} to {high}");
    }
    if matches!(expected, "f32" | "f64") { "a number".to_owned() } else { expected.to_owned() }
}

/// Parses a number in a notation such as `10^3`, `2*10^5`, `1e3`, `1_000`, `1,000` or `"7"`. Returns `None` for other
/// notations, and if the number exceeds 64 bits.
fn whole_number(token: &str) -> Option<u64> {
    let token: String = token.chars().filter(|c| !matches!(c, '_' | ',' | ' ' | '"' | '\'')).collect();
    let power = |text: &str, sign: &str| {
        let (base, exponent) = text.split_once(sign)?;
        base.parse::<u64>().ok()?.checked_pow(exponent.parse().ok()?)
    };
    if let Some((factor, rest)) = token.split_once('*').filter(|(_, rest)| !rest.starts_with('*')) {
        return factor.parse::<u64>().ok()?.checked_mul(power(rest, "^")?);
    }
    let scientific = || {
        let (factor, exponent) = token.split_once(['e', 'E'])?;
        factor.parse::<u64>().ok()?.checked_mul(10_u64.checked_pow(exponent.parse().ok()?)?)
    };
    token.parse().ok().or_else(|| power(&token, "^")).or_else(|| power(&token, "**")).or_else(scientific)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_whole_numbers() {
        for (text, number) in [
            ("10^3", 1000),
            ("2*10^5", 200_000),
            ("1e3", 1000),
            ("10**2", 100),
            ("1_000", 1000),
            ("1,000", 1000),
            ("\"7\"", 7),
        ] {
            assert_eq!(whole_number(text), Some(number), "{text}");
        }
        for text in ["", "1.5", "n", "-3", "10^", "9^99"] {
            assert_eq!(whole_number(text), None, "{text}");
        }
    }

    #[test]
    fn types_of_rust_are_replaced() {
        for (expected, shown) in [
            ("u8", "a whole number from 0 to 255"),
            ("i8", "a whole number from -128 to 127"),
            ("usize", "a whole number from 0 to 18446744073709551615"),
            ("f64", "a number"),
            ("an item", "an item"),
            ("u1", "u1"),
        ] {
            assert_eq!(type_name(expected), shown);
        }
    }
}
