//! Computes the lexical identity of a program. Two programs with the same identity differ at most in names, layout,
//! comments, values of literals, and redundant parentheses and braces.

use crate::lang::{LexemeClass, Separator, Syntax, lex};
use crate::model::Digest;

const NAME: u32 = 1;
const LITERAL: u32 = 2;
const TYPE: u32 = 3;
const CALL: u32 = 4;
const INDEX: u32 = 5;
const LIST: u32 = 6;
const COMMA: u32 = 7;
const MEMBER: u32 = 8;
const STATEMENT_END: u32 = 9;
/// The kind of the first keyword. It is greater than the kinds of all signs.
const KEYWORDS: u32 = 1 << 22;

/// Returns the lexical identity of a file, and the number of lexemes from which it is computed.
pub(super) fn identity(text: &str, syntax: &'static Syntax) -> (Digest, usize) {
    let kinds = kinds(text, syntax);
    let mut bytes = syntax.family.to_le_bytes().to_vec();
    bytes.extend(kinds.iter().flat_map(|kind| kind.to_le_bytes()));
    (Digest::of(&bytes), kinds.len())
}

/// Returns the kinds of the lexemes that contribute to the lexical identity.
fn kinds(text: &str, syntax: &'static Syntax) -> Vec<u32> {
    let mut found: Vec<u32> = Vec::new();
    let mut open_brackets = 0_usize;
    // Whether the last lexeme ends a value, so that a following bracket calls or indexes the value.
    let mut after_value = false;
    let mut continued = false;
    for (class, text) in lex(text, syntax) {
        let kind = match class {
            LexemeClass::Comment => continue,
            LexemeClass::Space => {
                let ends_line = syntax.separator == Separator::LineBreak && text.contains('\n');
                let ends_statement = ends_line && open_brackets == 0 && !std::mem::take(&mut continued);
                after_value &= !ends_statement;
                ends_statement.then_some(STATEMENT_END)
            }
            LexemeClass::Keyword(number) => {
                after_value = false;
                Some(KEYWORDS + u32::from(number))
            }
            LexemeClass::Type | LexemeClass::Name | LexemeClass::Number | LexemeClass::Text => {
                after_value = true;
                Some(match class {
                    LexemeClass::Type => TYPE,
                    LexemeClass::Name => NAME,
                    _ => LITERAL,
                })
            }
            LexemeClass::Sign => {
                match text {
                    "(" | "[" => open_brackets += 1,
                    "{" => open_brackets += usize::from(syntax.separator == Separator::LineBreak),
                    ")" | "]" => open_brackets = open_brackets.saturating_sub(1),
                    "}" => open_brackets -= usize::from(syntax.separator == Separator::LineBreak && open_brackets > 0),
                    _ => {}
                }
                continued = text == "\\";
                let kind = sign(text, after_value, syntax);
                after_value = matches!(text, ")" | "]");
                kind
            }
        };
        let Some(kind) = kind else { continue };
        // `unsigned long`, a string in several parts, and consecutive line ends count as one lexeme.
        let repeats = matches!(kind, TYPE | LITERAL | STATEMENT_END) && found.last() == Some(&kind);
        if !repeats {
            found.push(kind);
        }
    }
    found
}

/// Returns the kind of a sign, or `None` for signs that do not contribute to the lexical identity, such as closing
/// brackets and parentheses that only group.
fn sign(text: &str, after_value: bool, syntax: &Syntax) -> Option<u32> {
    match text {
        "(" => after_value.then_some(CALL),
        "[" => Some(if after_value { INDEX } else { LIST }),
        "," => Some(COMMA),
        "." | "::" | "->" => Some(MEMBER),
        ";" => (syntax.separator == Separator::Semicolon).then_some(STATEMENT_END),
        ")" | "]" | "{" | "}" | ":" | "\"" | "'" | "`" | "#" | "@" | "\\" => None,
        // A sign consists of at most three ASCII characters or of one other character, so it fits in 21 bits.
        _ => Some(text.chars().fold(0, |kind, c| kind << 7 ^ u32::from(c)) | 1 << 21),
    }
}
