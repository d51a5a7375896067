//! Converts programs to the tokens that are compared: steps that do not depend on names, layout or the language.

use std::ops::Range;

use crate::lang::Syntax;
use crate::model::Digest;

use super::code_lexemes::code_lexemes;
use super::lexical::identity;
use super::statements::statements;
use super::steps::steps;

/// Maximum number of tokens per program that are compared. Longer programs consist of data rather than code.
const MAX_TOKENS: usize = 5_000;

/// A token of a program: a step to which a statement is reduced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceToken {
    /// The kind of the step. Tokens match if and only if their kinds are equal.
    pub kind: u32,
    /// Byte range in the file of the statement that contains the step.
    pub range: Range<usize>,
}

/// The tokens of a program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TokenizedProgram {
    /// Tokens of all files.
    pub tokens: Vec<SourceToken>,
    /// Range of the tokens of each file.
    pub files: Vec<Range<usize>>,
    /// The language family of the file with the most tokens.
    pub family: u16,
    /// Lexical identity of each file, a hash that does not depend on names, literals, comments and layout.
    pub(super) identity: Vec<Digest>,
    /// Number of lexemes from which `identity` is computed.
    pub(super) lexemes: usize,
}

impl TokenizedProgram {
    /// Tokenizes files, given as names and contents.
    pub fn new<'f>(files: impl IntoIterator<Item = (&'f str, &'f [u8])>) -> TokenizedProgram {
        let mut program = TokenizedProgram::default();
        let mut longest = 0;
        for (file, content) in files {
            let syntax = Syntax::of_extension(file.rsplit('.').next().unwrap_or(""));
            let text = String::from_utf8_lossy(content);
            let words = code_lexemes(&text, syntax);
            let start = program.tokens.len();
            let found = steps(&words, &statements(&words, syntax));
            program.tokens.extend(
                found
                    .into_iter()
                    .take(MAX_TOKENS - start.min(MAX_TOKENS))
                    .map(|step| SourceToken { kind: step.step as u32, range: step.range }),
            );
            program.files.push(start..program.tokens.len());
            if program.tokens.len() - start >= longest {
                (longest, program.family) = (program.tokens.len() - start, syntax.family);
            }
            let (digest, lexemes) = identity(&text, syntax);
            program.identity.push(digest);
            program.lexemes += lexemes;
        }
        program
    }
}
