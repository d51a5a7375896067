//! Splits a source file into lexemes, leaves out comments and white space, and records the indentation of each line.

use std::ops::Range;

use crate::lang::{LexemeClass, Syntax, lex};

/// Maximum number of lexemes that are read from a file. Longer files consist of data rather than code.
const MAX_LEXEMES: usize = 60_000;
/// Width of a tab in an indentation, in columns.
const TAB: usize = 4;

/// A lexeme that is neither a comment nor white space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CodeLexeme<'t> {
    /// Class of the lexeme.
    pub(super) class: LexemeClass,
    /// Text of the lexeme.
    pub(super) text: &'t str,
    /// Byte offset of the lexeme in the file.
    pub(super) start: usize,
    /// Indentation of the line in columns; `None` if the lexeme does not begin a line.
    pub(super) indent: Option<usize>,
}

impl CodeLexeme<'_> {
    /// Returns the byte range of the lexeme in the file.
    pub(super) fn range(&self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }

    /// Returns whether the lexeme is a name, a type or a keyword.
    pub(super) fn is_word(&self) -> bool {
        matches!(self.class, LexemeClass::Name | LexemeClass::Type | LexemeClass::Keyword(_))
    }

    /// Returns whether the lexeme is a number or a string.
    pub(super) fn is_literal(&self) -> bool {
        matches!(self.class, LexemeClass::Number | LexemeClass::Text)
    }

    /// Returns whether a value can end with the lexeme, so that a bracket after it calls or indexes the value.
    pub(super) fn ends_value(&self) -> bool {
        self.is_literal()
            || matches!(self.class, LexemeClass::Name | LexemeClass::Type)
            || matches!(self.text, ")" | "]" | "this" | "self" | "true" | "false" | "True" | "False" | "None" | "null")
    }
}

/// Splits a text into lexemes without comments and white space.
pub(super) fn code_lexemes<'t>(text: &'t str, syntax: &'static Syntax) -> Vec<CodeLexeme<'t>> {
    let mut lexemes = Vec::new();
    let mut start = 0;
    let mut indent = Some(0);
    for (class, lexeme) in lex(text, syntax) {
        match class {
            LexemeClass::Space => {
                if let Some((_, blanks)) = lexeme.rsplit_once('\n') {
                    indent = Some(blanks.chars().map(|c| if c == '\t' { TAB } else { 1 }).sum());
                } else if start == 0 {
                    indent = Some(lexeme.len());
                }
            }
            LexemeClass::Comment => {}
            _ => lexemes.push(CodeLexeme { class, text: lexeme, start, indent: indent.take() }),
        }
        start += lexeme.len();
        if lexemes.len() >= MAX_LEXEMES {
            break;
        }
    }
    lexemes
}
