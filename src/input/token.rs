//! Tokens of the notation, with their positions.

use std::ops::Range;

use super::raw::Slip;

/// The kind of a token, with its value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum TokenKind {
    Number(i128),
    Name(String),
    /// One of `+ - * / % ^ ( ) , [ ] == != <= >= < > ..=`.
    Sign(&'static str),
    End,
}

/// A token with its byte range.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Token {
    pub(crate) mark: TokenKind,
    pub(crate) range: Range<usize>,
}

/// All signs. Longer signs are listed first, so that `..=` is not read as `..`.
const SIGNS: [&str; 20] =
    ["..=", "..", "==", "!=", "<=", ">=", "<", ">", "=", "+", "-", "*", "/", "%", "^", "(", ")", ",", "[", "]"];

/// Splits `text` into tokens, followed by one [`TokenKind::End`].
pub(crate) fn tokens(text: &str) -> Result<Vec<Token>, Slip> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..) {
        let Some(first) = rest.chars().next() else { break };
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let (mark, length) = one(rest, at).map_err(|slip| spelled(slip, text, at))?;
        found.push(Token { mark, range: at..at + length });
        at += length;
    }
    found.push(Token { mark: TokenKind::End, range: text.len()..text.len() });
    Ok(found)
}

fn one(rest: &str, at: usize) -> Result<(TokenKind, usize), Slip> {
    let length_of = |good: fn(char) -> bool| rest.find(|c| !good(c)).unwrap_or(rest.len());
    let first = rest.chars().next().unwrap_or(' ');
    if first.is_ascii_digit() {
        let length = length_of(|c| c.is_ascii_alphanumeric() || c == '_');
        return number(&rest[..length], at).map(|mark| (mark, length));
    }
    if first.is_ascii_alphabetic() || first == '_' {
        let length = length_of(|c| c.is_ascii_alphanumeric() || c == '_');
        return Ok((TokenKind::Name(rest[..length].to_owned()), length));
    }
    let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) else {
        return Err(Slip::new(at..at + first.len_utf8(), format!("unexpected character `{first}`")));
    };
    match *sign {
        ".." => Err(Slip::new(at..at + 2, "ranges are written `lo..=hi` and include both ends")),
        "=" => Err(Slip::new(at..at + 1, "unexpected character `=`").help("to compare, write `==`")),
        _ => Ok((TokenKind::Sign(sign), sign.len())),
    }
}

/// Adds a suggestion to the error for a range that is written with `..` instead of `..=`.
fn spelled(slip: Slip, text: &str, at: usize) -> Slip {
    match text[at..].strip_prefix("..") {
        Some(high) => slip.help(format!(
            "write `{}..={}`",
            text[..at].trim(),
            high.trim_start_matches(['.', '<', ' ']).trim_end()
        )),
        None => slip,
    }
}

fn number(text: &str, at: usize) -> Result<TokenKind, Slip> {
    let range = at..at + text.len();
    let digits: String = text.chars().filter(|c| *c != '_').collect();
    if !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(Slip::new(range, format!("`{text}` is neither a number nor a name")).help(match product(text) {
            Some(product) => format!("write `{product}`"),
            None => "write multiplication with `*`, such as `2*n`, and powers with `^`, such as `10^9`".to_owned(),
        }));
    }
    digits
        .parse()
        .map(TokenKind::Number)
        .map_err(|_| Slip::new(range, "this number does not fit in a signed 128-bit integer"))
}

/// Returns the correct notation of text that begins with a digit, such as the product `2n` or the number `1e9`, or
/// `None` if the text contains only digits and underscores.
fn product(text: &str) -> Option<String> {
    let (factor, rest) = text.split_at(text.find(|c: char| !c.is_ascii_digit() && c != '_')?);
    let exponent = rest.strip_prefix(['e', 'E']).filter(|rest| !rest.is_empty());
    match exponent.filter(|rest| rest.bytes().all(|b| b.is_ascii_digit())) {
        Some(exponent) if factor == "1" => Some(format!("10^{exponent}")),
        Some(exponent) => Some(format!("{factor}*10^{exponent}")),
        None => Some(format!("{factor}*{rest}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(text: &str) -> Vec<TokenKind> {
        tokens(text).unwrap().into_iter().map(|token| token.mark).collect()
    }

    #[test]
    fn a_range_with_a_power_and_a_name() {
        let expected = [
            TokenKind::Sign("-"),
            TokenKind::Number(10),
            TokenKind::Sign("^"),
            TokenKind::Number(9),
            TokenKind::Sign("..="),
            TokenKind::Name("n_1".into()),
            TokenKind::End,
        ];
        assert_eq!(marks("-10^9 ..= n_1"), expected);
        assert_eq!(marks("1_000"), [TokenKind::Number(1000), TokenKind::End]);
    }

    #[test]
    fn unknown_characters_are_marked() {
        for (text, range) in [("1..5", 1..3), ("1 = 2", 2..3), ("2n", 0..2), ("a é", 2..4), ("1e9", 0..3)] {
            assert_eq!(tokens(text).unwrap_err().range, Some(range), "{text}");
        }
        assert!(tokens(&"9".repeat(60)).unwrap_err().message.contains("does not fit"));
    }
}
