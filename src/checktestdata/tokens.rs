//! The tokenizer of grammars.

use std::sync::Arc;

use super::decimal::Decimal;
use super::integer::Integer;

/// A token of a grammar.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum GrammarToken {
    /// Name of a command, a function or an option, in capital letters.
    Name(String),
    Variable(String),
    Int(Integer),
    Float(Decimal),
    Text(Arc<[u8]>),
    Symbol(&'static str),
}

const SYMBOLS: [&str; 20] =
    ["<=", ">=", "==", "!=", "&&", "||", "<", ">", "!", "=", "(", ")", "[", "]", ",", "+", "-", "*", "%", "/"];

/// Names of commands, functions and options.
const NAMES: [&str; 25] = [
    "ISEOF",
    "MATCH",
    "UNIQUE",
    "INARRAY",
    "STRLEN",
    "SPACE",
    "NEWLINE",
    "EOF",
    "INT",
    "FLOAT",
    "FLOATP",
    "STRING",
    "REGEX",
    "ASSERT",
    "SET",
    "UNSET",
    "REP",
    "WHILE",
    "REPI",
    "WHILEI",
    "IF",
    "ELSE",
    "END",
    "FIXED",
    "SCIENTIFIC",
];

/// Splits the text of a grammar into tokens, each with its line.
///
/// # Errors
/// Returns the line and the message of the first error.
pub(super) fn tokenize(text: &str) -> Result<Vec<(usize, GrammarToken)>, (usize, String)> {
    let bytes = text.as_bytes();
    let (mut found, mut at, mut line) = (Vec::new(), 0, 1);
    while let Some(&byte) = bytes.get(at) {
        let run = |wanted: fn(u8) -> bool| bytes[at..].iter().take_while(|byte| wanted(**byte)).count();
        let slice = |length: usize| String::from_utf8_lossy(&bytes[at..at + length]).into_owned();
        let length = match byte {
            b'\n' => {
                line += 1;
                1
            }
            b' ' | b'\t' | b'\r' => 1,
            b'#' => run(|byte| byte != b'\n'),
            b'A'..=b'Z' => {
                // No space is required between names.
                let name = NAMES.iter().filter(|name| bytes[at..].starts_with(name.as_bytes()));
                let Some(name) = name.max_by_key(|name| name.len()) else {
                    let unknown = slice(run(|byte| byte.is_ascii_uppercase()));
                    return Err((line, format!("unknown command `{unknown}`")));
                };
                found.push((line, GrammarToken::Name((*name).to_owned())));
                name.len()
            }
            b'a'..=b'z' => {
                let length = run(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
                found.push((line, GrammarToken::Variable(slice(length))));
                length
            }
            b'0'..=b'9' => {
                let (length, word) = number(&bytes[at..]).map_err(|what| (line, what))?;
                found.push((line, word));
                length
            }
            b'"' => {
                let (length, text) = quoted(&bytes[at..]).map_err(|what| (line, what.to_owned()))?;
                found.push((line, GrammarToken::Text(text.into())));
                line += bytes[at..at + length].iter().filter(|byte| **byte == b'\n').count();
                length
            }
            b'^' => {
                found.push((line, GrammarToken::Symbol("^")));
                1
            }
            _ => match SYMBOLS.iter().find(|sign| bytes[at..].starts_with(sign.as_bytes())) {
                Some(sign) => {
                    found.push((line, GrammarToken::Symbol(sign)));
                    sign.len()
                }
                None => return Err((line, format!("unexpected `{}`", slice(1)))),
            },
        };
        at += length;
    }
    Ok(found)
}

/// Parses a number at the start of `bytes` and returns its length in bytes and its token.
fn number(bytes: &[u8]) -> Result<(usize, GrammarToken), String> {
    let digits = |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let whole = digits(0);
    let mut length = whole;
    if bytes.get(length) == Some(&b'.') {
        length += 1 + digits(length + 1);
    }
    if matches!(bytes.get(length), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(length + 1), Some(b'+' | b'-')));
        let exponent = bytes.get(length + 1 + sign..).map_or(0, |_| digits(length + 1 + sign));
        if exponent > 0 {
            length += 1 + sign + exponent;
        }
    }
    let text = String::from_utf8_lossy(&bytes[..length]);
    let word = if length > whole {
        GrammarToken::Float(Decimal::parse(&text)?)
    } else if whole > 1 && bytes[0] == b'0' {
        let invalid = || format!("`{text}` is not a valid octal number; a number that begins with `0` is octal");
        GrammarToken::Int(Integer::octal(&text).ok_or_else(invalid)?)
    } else {
        GrammarToken::Int(Integer::parse(&text)?)
    };
    Ok((length, word))
}

/// Parses a quoted string at the start of `bytes` and returns its length in bytes, including the quotes, and its
/// content.
fn quoted(bytes: &[u8]) -> Result<(usize, Vec<u8>), &'static str> {
    let (mut at, mut text) = (1, Vec::new());
    loop {
        match (*bytes.get(at).ok_or("unterminated string")?, bytes.get(at + 1)) {
            (b'"', _) => return Ok((at + 1, text)),
            (b'\\', Some(next)) => {
                at += 2;
                match next {
                    b'n' => text.push(b'\n'),
                    b't' => text.push(b'\t'),
                    b'r' => text.push(b'\r'),
                    b'b' => text.push(8),
                    b'f' => text.push(12),
                    b'"' | b'\\' => text.push(*next),
                    b'\n' => {}
                    b'0'..=b'7' => {
                        at -= 1;
                        let digits = bytes[at..].iter().take(3).take_while(|byte| (b'0'..=b'7').contains(byte)).count();
                        let code =
                            bytes[at..at + digits].iter().fold(0_u32, |code, byte| code * 8 + u32::from(byte - b'0'));
                        text.push(
                            u8::try_from(code)
                                .map_err(|_| "the character code of an escape sequence is larger than `\\377`")?,
                        );
                        at += digits;
                    }
                    other => text.extend([b'\\', *other]),
                }
            }
            (byte, _) => {
                text.push(byte);
                at += 1;
            }
        }
    }
}
