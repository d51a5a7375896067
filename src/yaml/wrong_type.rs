//! Gives advice on values of a wrong type: the spelling that was probably intended.

use super::lines::Line;
use super::mistake::{ParseError, quoted};
use super::path::token_at;

/// Returns advice on an error about the type of a value; `None` for other errors and if there is no advice.
pub(super) fn advice(error: &ParseError<'_>) -> Option<String> {
    let (found, expected) = error.message.split_once("invalid type: ")?.1.split_once(", expected ")?;
    let place = token_at(error.text, error.at);
    let token = error.text.get(place.start..place.end)?.trim();
    let line = Line::at(error.text, error.at);
    if found.starts_with("boolean") {
        return Some(format!("without quotes `{token}` is a boolean; to use it as a word, write `{}`", quoted(token)));
    }
    if found == "unit value" {
        return Some(of_nothing(error, token));
    }
    if expected_integer(expected) {
        return whole_number(token).map(|number| format!("write the number in digits and without quotes: `{number}`"));
    }
    if found == "map" && expected.starts_with("a range") {
        return Some("write the range without braces, such as `1..=9`".to_owned());
    }
    if expected.starts_with("a sequence") {
        return match found {
            "map" if !token.starts_with('{') => Some(format!("begin each item with a dash: `- {}`", line.content())),
            "map" => Some("put the items in square brackets: `[{ … }]`".to_owned()),
            _ => Some(format!("write a list: `[{token}]`")),
        };
    }
    let wants_map = expected.contains("map") || expected.contains("keys of") || expected.contains("such as `{");
    match (found, error.text.as_bytes().get(error.at)) {
        ("sequence", Some(b'-')) if wants_map => {
            let first = line.content().trim_start_matches(['-', ' ']);
            Some(format!("write the keys without dashes: `{first}`"))
        }
        ("sequence", Some(b'[')) if wants_map => Some("write a map in braces: `{ key: value }`".to_owned()),
        ("sequence" | "map", Some(b'[' | b'{')) if expected.starts_with("a string") => {
            Some("a text that begins with `[` or `{` must be quoted".to_owned())
        }
        _ => None,
    }
}

fn of_nothing(error: &ParseError<'_>, token: &str) -> String {
    let pair = Line::at(error.text, error.at).pair();
    match pair {
        _ if matches!(token, "~" | "null" | "Null" | "NULL") => {
            format!("without quotes `{token}` is a null value; to use it as a word, write `{}`", quoted(token))
        }
        Some(pair) if pair.value.starts_with('#') => {
            format!("`#` begins a comment; to use it in a text, write `{}: {}`", pair.key, quoted(pair.value))
        }
        _ => "write a value after the colon".to_owned(),
    }
}

/// Returns true if the expected type is one of Rust's integer types.
fn expected_integer(expected: &str) -> bool {
    let integer = |word: &str| word.trim_start_matches(['u', 'i']).parse::<u8>().is_ok() || word == "usize";
    expected.split_whitespace().next().is_some_and(|word| word.starts_with(['u', 'i']) && integer(word))
}

/// Replaces the name of one of Rust's integer types in a message with `a whole number`.
pub(super) fn without_integer_types(message: &str) -> String {
    match message.split_once(": expected ") {
        Some((head, expected)) if expected_integer(expected) => {
            let rest = expected.split_once(' ').map_or(String::new(), |(_, rest)| format!(" {rest}"));
            format!("{head}: expected a whole number{rest}")
        }
        _ => message.to_owned(),
    }
}

/// Parses a number in a notation such as `10^3`, `2*10^5`, `1e3`, `1_000`, `1,000` or `"7"`.
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
        assert_eq!(without_integer_types("found `x`: expected u32"), "found `x`: expected a whole number");
        assert_eq!(without_integer_types("found `x`: expected an item"), "found `x`: expected an item");
    }
}
