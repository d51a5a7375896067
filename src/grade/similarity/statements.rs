//! Splits words into statements, and determines the depth of the block that contains each statement. Braces,
//! indentation and bodies without braces yield the same depths, so that a program is split in the same way in every
//! language.

use std::ops::Range;

use crate::lang::{Separator, Syntax};

use super::code_lexemes::CodeLexeme;

/// A statement, or the head of a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Statement {
    /// The words of the statement, without the separator after it and without the brace that opens its block.
    pub(super) words: Range<usize>,
    /// Number of blocks around the statement.
    pub(super) depth: usize,
    /// Whether the statement is the head of a block in braces, outside other brackets.
    pub(super) opens_block: bool,
}

/// Splits the words of a file into statements.
pub(super) fn statements(words: &[CodeLexeme<'_>], syntax: &Syntax) -> Vec<Statement> {
    if syntax.separator == Separator::LineBreak { by_indentation(words) } else { by_braces(words, syntax) }
}

/// Returns whether a word begins the head of a block.
fn is_head(word: &str) -> bool {
    matches!(
        word,
        "if" | "elif"
            | "elsif"
            | "elseif"
            | "else"
            | "unless"
            | "for"
            | "foreach"
            | "while"
            | "until"
            | "loop"
            | "do"
            | "switch"
            | "match"
            | "when"
            | "catch"
            | "try"
            | "finally"
            | "def"
            | "class"
            | "with"
            | "except"
            | "async"
    )
}

/// Groups words into statements, which end at a line break, at `;`, or at the `:` of a block head. Line breaks inside
/// brackets and after a backslash are ignored. The depth of a statement is the number of enclosing lines with a smaller
/// indentation, plus the number of block heads before it on its own line.
fn by_indentation(words: &[CodeLexeme<'_>]) -> Vec<Statement> {
    let mut found = Vec::new();
    let mut indents: Vec<usize> = Vec::new();
    let (mut start, mut brackets, mut inline) = (0, 0_usize, 0);
    let mut end = |start: usize, end: usize, depth: usize| {
        if start < end {
            found.push(Statement { words: start..end, depth, opens_block: false });
        }
    };
    for (at, word) in words.iter().enumerate() {
        let continued = at > 0 && words[at - 1].text == "\\";
        if let Some(indent) = word.indent.filter(|_| brackets == 0 && !continued) {
            end(start, at, indents.len().saturating_sub(1) + inline);
            (start, inline) = (at, 0);
            while indents.last().is_some_and(|last| *last >= indent) {
                indents.pop();
            }
            indents.push(indent);
        }
        match word.text {
            "(" | "[" | "{" => brackets += 1,
            ")" | "]" | "}" => brackets = brackets.saturating_sub(1),
            ";" | ":" if brackets == 0 && (word.text == ";" || is_head(words[start].text)) => {
                end(start, at, indents.len().saturating_sub(1) + inline);
                (start, inline) = (at + 1, inline + usize::from(word.text == ":"));
            }
            _ => {}
        }
    }
    end(start, words.len(), indents.len().saturating_sub(1) + inline);
    found
}

/// The state of splitting words into statements by braces.
struct Splitter<'w, 't> {
    words: &'w [CodeLexeme<'t>],
    found: Vec<Statement>,
    start: usize,
    /// Number of open parentheses and square brackets, and of braces that belong to a value.
    brackets: usize,
    /// The open blocks, each as the number of brackets open around it, the number of heads without braces before it,
    /// and its depth.
    blocks: Vec<(usize, usize, usize)>,
    /// Number of heads without braces whose body contains the current statement.
    heads: usize,
    /// For the file and each open block, the value of `heads` at the last `if`, which an `else` restores.
    ifs: Vec<usize>,
}

fn by_braces(words: &[CodeLexeme<'_>], syntax: &Syntax) -> Vec<Statement> {
    let mut splitter =
        Splitter { words, found: Vec::new(), start: 0, brackets: 0, blocks: Vec::new(), heads: 0, ifs: vec![0] };
    for at in 0..words.len() {
        splitter.word(at, syntax);
    }
    splitter.end(words.len(), false);
    splitter.found
}

impl Splitter<'_, '_> {
    fn word(&mut self, at: usize, syntax: &Syntax) {
        let word = self.words[at];
        let is_directive = |at: usize| self.words.get(at).is_some_and(|word| word.text.starts_with('#'));
        if word.indent.is_some() && (is_directive(at) || is_directive(self.start)) {
            self.end(at, false);
        }
        if word.indent.is_some() && syntax.separator == Separator::Optional && self.line_ends_before(at) {
            self.finish(at);
        }
        match word.text {
            "(" | "[" => self.brackets += 1,
            ")" | "]" => {
                self.brackets = self.brackets.saturating_sub(1).max(self.outside());
                if syntax.parenthesized_heads && self.brackets == self.outside() && self.is_head_with_parentheses() {
                    self.end_head(at + 1);
                }
            }
            "{" if self.begins_value(at) => self.brackets += 1,
            "}" if self.brackets > self.outside() => self.brackets -= 1,
            "{" => {
                self.end(at, self.brackets == self.outside());
                self.start = at + 1;
                let heads = std::mem::take(&mut self.heads);
                self.blocks.push((self.brackets, heads, self.inside() + heads + 1));
                self.ifs.push(0);
            }
            "}" => {
                self.end(at, false);
                self.start = at + 1;
                self.ifs.pop();
                (self.brackets, self.heads, _) = self.blocks.pop().unwrap_or_default();
                if self.brackets == self.outside() && !self.is_else(at + 1) {
                    self.heads = 0;
                }
            }
            ";" if self.brackets == self.outside() && !self.is_open_head(syntax) => {
                self.finish(at);
                self.start = at + 1;
            }
            ":" if self.words[self.start..at].first().is_some_and(|word| matches!(word.text, "case" | "default")) => {
                self.end(at, false);
                self.start = at + 1;
            }
            "else" | "do" if at == self.start && syntax.parenthesized_heads => {
                let next = self.words.get(at + 1).map_or("", |word| word.text);
                if word.text == "else" {
                    self.heads = self.ifs.last().copied().unwrap_or(0);
                }
                if !matches!(next, "if" | "{") {
                    self.end_head(at + 1);
                }
            }
            _ => {}
        }
    }

    /// Returns the number of brackets that were open where the current block began.
    fn outside(&self) -> usize {
        self.blocks.last().map_or(0, |(brackets, ..)| *brackets)
    }

    /// Returns the depth of the current block.
    fn inside(&self) -> usize {
        self.blocks.last().map_or(0, |(.., depth)| *depth)
    }

    fn is_else(&self, at: usize) -> bool {
        self.words.get(at).is_some_and(|word| word.text == "else")
    }

    /// Adds the statement that ends before the word at `end`.
    fn end(&mut self, end: usize, opens_block: bool) {
        if self.start < end {
            let depth = self.inside() + self.heads;
            self.found.push(Statement { words: self.start..end, depth, opens_block });
        }
        self.start = end;
    }

    /// Ends the current statement before the word at `end`. Unless an `else` follows, also ends the heads without
    /// braces whose body is the statement.
    fn finish(&mut self, end: usize) {
        let followed = self.is_else(end + 1) || self.is_else(end);
        self.end(end, false);
        if !followed {
            self.heads = 0;
        }
    }

    /// Ends the head before the word at `end`, so that the next statement is its body. If the body is a block, the head
    /// ends at the `{` of the block instead.
    fn end_head(&mut self, end: usize) {
        let first = self.words[self.start].text;
        let is_if = first == "if" || first == "else" && self.words.get(self.start + 1).is_some_and(|w| w.text == "if");
        if let Some(ifs) = self.ifs.last_mut().filter(|_| is_if) {
            *ifs = self.heads;
        }
        let before_block = self.words.get(end).is_some_and(|word| word.text == "{");
        if !before_block {
            self.end(end, false);
            self.heads += 1;
        }
    }

    /// Returns whether the current statement is a head whose condition is in parentheses.
    fn is_head_with_parentheses(&self) -> bool {
        let mut words = self.words[self.start..].iter().map(|word| word.text);
        let first = words.next().unwrap_or("");
        let second = words.next().unwrap_or("");
        let is_head = |word| matches!(word, "if" | "for" | "foreach" | "while" | "switch" | "catch");
        is_head(first) && matches!(second, "(" | "constexpr") || first == "else" && second == "if"
    }

    /// Returns whether the current statement is a head without parentheses, so that a semicolon does not end it.
    fn is_open_head(&self, syntax: &Syntax) -> bool {
        !syntax.parenthesized_heads
            && self.words.get(self.start).is_some_and(|word| matches!(word.text, "for" | "if" | "switch" | "else"))
    }

    /// Returns whether a brace begins a value (a list, a table, an object) and not a block.
    fn begins_value(&self, at: usize) -> bool {
        let before = at.checked_sub(1).filter(|before| *before >= self.start).map(|before| self.words[before].text);
        self.brackets > self.outside() && self.words[at - 1].text == "{"
            || matches!(before, Some("=" | "(" | "," | "[" | "return" | "<-" | "in"))
            || before == Some("]") && self.words[self.start..at].iter().any(|word| matches!(word.text, "new" | "="))
    }

    /// Returns whether the line break before the word at `at` ends a statement, in a language in which semicolons are
    /// optional.
    fn line_ends_before(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1).map(|before| self.words[before]) else { return false };
        let continues =
            matches!(self.words[at].text, "." | "?" | ":" | "&&" | "||" | "+" | "-" | "*" | "/" | ")" | "]" | "?.");
        let ends = before.is_word() || before.is_literal() || matches!(before.text, ")" | "]" | "}" | "++" | "--");
        self.brackets == self.outside() && ends && !continues
    }
}

#[cfg(test)]
mod tests {
    use super::super::code_lexemes::code_lexemes;
    use super::*;

    /// Returns the statements of a text, with their depths.
    fn split(text: &str, extension: &str) -> Vec<(usize, String)> {
        let syntax = Syntax::of_extension(extension);
        let words = code_lexemes(text, syntax);
        let text = |range: Range<usize>| words[range].iter().map(|word| word.text).collect::<Vec<_>>().join(" ");
        statements(&words, syntax).into_iter().map(|one| (one.depth, text(one.words))).collect()
    }

    fn depths(text: &str, extension: &str) -> Vec<usize> {
        split(text, extension).into_iter().map(|(depth, _)| depth).collect()
    }

    #[test]
    fn bodies_have_the_same_depth_with_and_without_braces_and_in_python() {
        let braces = "for (i = 0; i < n; i++) { if (a) { x(); } else { y(); } } z();";
        let none = "for (i = 0; i < n; i++) if (a) x(); else y(); z();";
        let python = "for i in r:\n    if a:\n        x()\n    else:\n        y()\nz()\n";
        let expected = [0, 1, 2, 1, 2, 0];
        assert_eq!(depths(braces, "c"), expected);
        assert_eq!(depths(none, "c"), expected);
        assert_eq!(depths(python, "py"), expected);
        assert_eq!(depths("for i := 0; i < n; i++ { if a { x() } else { y() } }\nz()", "go"), expected);
    }

    #[test]
    fn line_breaks_end_statements_where_semicolons_are_optional() {
        let found = split("let a = 1\nlet b = [1,\n 2]\nf(a)\n  .g()\nif (a) b()\n", "js");
        let texts: Vec<&str> = found.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(texts, ["let a = 1", "let b = [ 1 , 2 ]", "f ( a ) . g ( )", "if ( a )", "b ( )"]);
    }

    #[test]
    fn brackets_of_values_do_not_begin_blocks() {
        assert_eq!(split("int d[2] = {1, {2}};\nx();", "c").len(), 2);
        assert_eq!(split("q.push({a, b}); return {1, 2};", "cpp").len(), 2);
        assert_eq!(split("#include <a>\n#define B {\nint x;", "c").len(), 3);
    }
}
