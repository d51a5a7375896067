//! Converts programs to the tokens that are compared. Names, layout, comments, values of literals, and redundant
//! parentheses do not affect the tokens.

use std::ops::Range;

use crate::lang::{LexemeClass, Separator, Syntax, lex};

/// Maximum number of tokens compared per program. Longer programs consist of data rather than code.
const MAX_TOKENS: usize = 20_000;

const NAME: u32 = 1;
const LITERAL: u32 = 2;
const TYPE: u32 = 3;
const CALL: u32 = 4;
const INDEX: u32 = 5;
const LIST: u32 = 6;
const COMMA: u32 = 7;
const MEMBER: u32 = 8;
const STATEMENT_END: u32 = 9;
/// The smallest kind of keywords, larger than those of all signs.
const KEYWORDS: u32 = 1 << 22;

/// A token of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceToken {
    /// The family of the language (high byte) and the kind of token. Tokens match if and only if these are equal.
    pub kind: u32,
    /// Byte range in its file.
    pub range: Range<usize>,
}

/// The tokens of a program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TokenizedProgram {
    /// Tokens of all files.
    pub tokens: Vec<SourceToken>,
    /// Range of the tokens of each file.
    pub files: Vec<Range<usize>>,
}

impl TokenizedProgram {
    /// Tokenizes files, given as names and contents.
    pub fn new<'f>(files: impl IntoIterator<Item = (&'f str, &'f [u8])>) -> TokenizedProgram {
        let mut program = TokenizedProgram::default();
        for (name, content) in files {
            let start = program.tokens.len();
            let extension = name.rsplit('.').next().unwrap_or("");
            tokenize(&String::from_utf8_lossy(content), Syntax::of_extension(extension), &mut program.tokens);
            program.files.push(start..program.tokens.len());
        }
        program
    }

    /// The language family of most of its tokens.
    pub(super) fn language(&self) -> u32 {
        let longest = self.files.iter().max_by_key(|file| file.len()).cloned().unwrap_or_default();
        self.tokens.get(longest.start).map_or(0, |token| token.kind >> 24)
    }
}

/// Appends the tokens of a file.
fn tokenize(text: &str, syntax: &'static Syntax, tokens: &mut Vec<SourceToken>) {
    let family = u32::from(syntax.family) << 24;
    let first = tokens.len();
    let mut open_brackets = 0_usize;
    // Whether the last lexeme ends a value, so that a bracket after it calls or indexes it.
    let mut after_value = false;
    let mut continued = false;
    let mut end = 0;
    for (class, text) in lex(text, syntax) {
        let start = end;
        end += text.len();
        if tokens.len() >= MAX_TOKENS {
            return;
        }
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
        // `unsigned long`, strings in several parts and empty lines count once.
        let repeats = matches!(kind, TYPE | LITERAL | STATEMENT_END)
            && tokens[first..].last().is_some_and(|last| last.kind == family | kind);
        if !repeats {
            tokens.push(SourceToken { kind: family | kind, range: start..end });
        }
    }
}

/// The kind of token for a sign. `None` for closing brackets, and for brackets that only group.
fn sign(text: &str, after_value: bool, syntax: &Syntax) -> Option<u32> {
    match text {
        "(" => after_value.then_some(CALL),
        "[" => Some(if after_value { INDEX } else { LIST }),
        "," => Some(COMMA),
        "." | "::" | "->" => Some(MEMBER),
        ";" => (syntax.separator == Separator::Semicolon).then_some(STATEMENT_END),
        ")" | "]" | "{" | "}" | ":" | "\"" | "'" | "`" | "#" | "@" | "\\" => None,
        // At most three ASCII characters or one other character, which takes 21 bits in both cases.
        _ => Some(text.chars().fold(0, |kind, c| kind << 7 ^ u32::from(c)) | 1 << 21),
    }
}
