//! The parser's position in the token list, and the methods that read, match and skip tokens.

use std::collections::HashSet;
use std::ops::Range;

use super::node::{Node, NodeKind};
use super::token::ParsedToken;
use crate::MutantLanguage;
use crate::lang::LexemeClass;

/// Maximum nesting depth of expressions and statements. More deeply nested code is opaque.
const DEEPEST: usize = 120;
/// Maximum number of constructs that the parser tries per token, on average. A typical program needs about two attempts
/// per token, and nested failed attempts increase this number. Beyond the limit, the remaining text is opaque.
const ATTEMPTS_PER_TOKEN: usize = 16;

/// An error-tolerant parser, which consists of a token list and a position in the list. Most parsing methods return
/// `None` if the construct is not recognized. The caller then skips the tokens of the construct and creates an opaque
/// node.
pub(super) struct TreeParser<'s> {
    pub(super) source: &'s str,
    pub(super) language: MutantLanguage,
    pub(super) tokens: &'s [ParsedToken<'s>],
    /// Index of the next token.
    pub(super) at: usize,
    /// Index after the last token that may be read.
    pub(super) end: usize,
    /// Nesting depth of the current construct.
    pub(super) depth: usize,
    /// Whether a `{` starts the body of a statement rather than a value, as in the header of a Go `if`.
    pub(super) in_header: bool,
    /// Number of constructs that may still be tried.
    attempts: usize,
    /// Names of the types that a C or C++ program defines with `using` and `typedef`.
    pub(super) type_names: HashSet<&'s str>,
}

impl<'s> TreeParser<'s> {
    /// Creates a parser at the first token of `tokens`, whose brackets must match.
    pub(super) fn new(source: &'s str, language: MutantLanguage, tokens: &'s [ParsedToken<'s>]) -> TreeParser<'s> {
        let (end, attempts) = (tokens.len(), tokens.len().saturating_mul(ATTEMPTS_PER_TOKEN));
        let type_names = type_names(tokens);
        TreeParser { source, language, tokens, at: 0, end, depth: 0, in_header: false, attempts, type_names }
    }

    /// Returns the text of the next token: a double quote for a string or character literal, or an empty string at the
    /// end.
    pub(super) fn peek(&self) -> &'s str {
        self.ahead(0)
    }

    /// Returns the text of the token `count` positions after the next token. The result is a double quote for a string
    /// or character literal, and empty at the end.
    pub(super) fn ahead(&self, count: usize) -> &'s str {
        self.token(self.at + count).map_or("", |token| if token.class == LexemeClass::Text { "\"" } else { token.text })
    }

    /// Returns the class of the token `count` positions after the next token, or `None` at the end.
    pub(super) fn class(&self, count: usize) -> Option<LexemeClass> {
        self.token(self.at + count).map(|token| token.class)
    }

    /// Returns the token at `index`, or `None` if the index is not below `end`.
    pub(super) fn token(&self, index: usize) -> Option<&'s ParsedToken<'s>> {
        (index < self.end).then(|| self.tokens.get(index)).flatten()
    }

    /// Returns whether the next token is the first of its line.
    pub(super) fn is_on_new_line(&self) -> bool {
        self.token(self.at).is_some_and(|token| token.is_first_on_line)
    }

    /// Returns whether the token `count` positions after the next token is a word: a name, type or keyword.
    pub(super) fn is_word(&self, count: usize) -> bool {
        matches!(self.class(count), Some(LexemeClass::Name | LexemeClass::Type | LexemeClass::Keyword(_)))
    }

    /// Consumes the next token if its text is `text`. Returns whether the token was consumed.
    pub(super) fn eat(&mut self, text: &str) -> bool {
        let eaten = self.peek() == text;
        self.at += usize::from(eaten);
        eaten
    }

    /// Consumes the next token if its text is `text`; otherwise, returns `None`.
    pub(super) fn expect(&mut self, text: &str) -> Option<()> {
        self.eat(text).then_some(())
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.at >= self.end
    }

    /// Returns the byte range of the token at `index`.
    pub(super) fn range(&self, index: usize) -> Range<usize> {
        self.tokens.get(index).map_or(0..0, |token| token.start..token.end)
    }

    /// Returns the byte range from the token at `index` to the last consumed token.
    pub(super) fn since(&self, index: usize) -> Range<usize> {
        let start = self.range(index).start;
        start..self.range(self.at.saturating_sub(1).max(index)).end.max(start)
    }

    /// Creates a node for the tokens from index `since` to the last consumed token.
    pub(super) fn node(&self, kind: NodeKind, since: usize, children: Vec<Node>) -> Node {
        Node::new(kind, self.since(since), children)
    }

    /// Skips the next token. If it is an opening bracket, skips all tokens up to and including the matching bracket.
    pub(super) fn skip(&mut self) {
        let token = self.tokens.get(self.at);
        let bracket = token.filter(|token| token.class == LexemeClass::Sign && "([{".contains(token.text));
        self.at = bracket.map_or(self.at, |token| token.partner) + 1;
        self.at = self.at.min(self.end);
    }

    /// Skips tokens up to the next of `signs` outside brackets, or up to the end.
    pub(super) fn skip_to(&mut self, signs: &[&str]) {
        while !self.is_at_end() && !signs.contains(&self.peek()) {
            self.skip();
        }
    }

    /// Calls `parse` on the tokens inside the brackets at the current position, and moves to the position after the
    /// closing bracket. `parse` need not consume all of the tokens.
    pub(super) fn inside<T>(&mut self, parse: impl FnOnce(&mut Self) -> T) -> T {
        let partner = self.tokens.get(self.at).map_or(self.at, |token| token.partner);
        let (end, in_header) = (self.end, self.in_header);
        self.at += 1;
        self.end = partner.max(self.at).min(end);
        self.in_header = false;
        let parsed = parse(self);
        self.at = (partner + 1).min(end);
        self.end = end;
        self.in_header = in_header;
        parsed
    }

    /// Calls `parse` with the nesting depth increased by one. Returns `None` if the nesting is too deep or no attempts
    /// are left.
    pub(super) fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        self.attempts = self.attempts.checked_sub(1)?;
        if self.depth > DEEPEST {
            return None;
        }
        self.depth += 1;
        let parsed = parse(self);
        self.depth -= 1;
        parsed
    }

    /// Calls `parse` and returns its node. If `parse` fails, or stops neither at one of the signs `ends` nor at the end
    /// of the tokens, skips to the next such position and returns an opaque node.
    pub(super) fn or_opaque(&mut self, ends: &[&str], parse: impl FnOnce(&mut Self) -> Option<Node>) -> Node {
        let start = self.at;
        if let Some(node) = parse(self)
            && (self.is_at_end() || ends.contains(&self.peek()))
        {
            return node;
        }
        self.at = start;
        self.skip_to(ends);
        self.node(NodeKind::Opaque, start, Vec::new())
    }
}

/// Returns the names of the types that `using` and `typedef` declarations define.
fn type_names<'s>(tokens: &[ParsedToken<'s>]) -> HashSet<&'s str> {
    let mut names = HashSet::new();
    let mut is_typedef = false;
    for two in tokens.windows(2) {
        match (two[0].text, two[1].text) {
            ("using", name) => _ = names.insert(name),
            ("typedef", _) => is_typedef = true,
            (name, ";") if is_typedef => {
                names.insert(name);
                is_typedef = false;
            }
            _ => {}
        }
    }
    names
}
