//! A mutant: one place of a text, and what stands there instead.

use std::ops::Range;

use similar::TextDiff;

/// What kind of change a mutant is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MutationOperator {
    /// `+` `-` `*` `/` `%` for each other, and a sign taken away.
    Arithmetic,
    /// `^` `&` `|` `<<` `>>` for each other and for `+`.
    Bitwise,
    /// `<` `<=` `==` `!=` `>=` `>` for each other.
    Comparison,
    /// `&&` and `||` for each other, one side alone, `!` taken away.
    Logic,
    /// Another literal: a number one off, the other truth, another text.
    Constant,
    /// A condition negated, or always the same.
    Condition,
    /// An end of a range or an index that is one off.
    OffByOne,
    /// A statement that is left out.
    Dropped,
    /// Another value is returned.
    Returned,
    /// A method that is mistaken for another: `min` for `max`, `any` for `all`.
    Method,
}

impl MutationOperator {
    /// The name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            MutationOperator::Arithmetic => "arithmetic",
            MutationOperator::Bitwise => "bitwise",
            MutationOperator::Comparison => "comparison",
            MutationOperator::Logic => "logic",
            MutationOperator::Constant => "constant",
            MutationOperator::Condition => "condition",
            MutationOperator::OffByOne => "off-by-one",
            MutationOperator::Dropped => "dropped",
            MutationOperator::Returned => "returned",
            MutationOperator::Method => "method",
        }
    }
}

/// The code around a mutation that can be switched while the program runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwitchSite {
    /// Its bytes in the text.
    pub span: Range<usize>,
    /// What the mutant has there.
    pub text: String,
    /// Whether it is a statement; an expression otherwise.
    pub statement: bool,
}

/// A program that differs from another in one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mutant {
    /// Its number among the mutants of its program, from 1, in the order of their places.
    pub id: u32,
    /// What kind of change it is.
    pub operator: MutationOperator,
    /// The line where it begins, from 1.
    pub line: usize,
    /// The column where it begins, in characters, from 1.
    pub column: usize,
    /// The bytes that are replaced.
    pub span: Range<usize>,
    /// What replaces them.
    pub text: String,
    /// Where it can be switched while the program runs; nowhere in constants and patterns.
    pub site: Option<SwitchSite>,
}

impl Mutant {
    /// The mutated text of its program.
    pub fn apply(&self, source: &str) -> String {
        splice(source, 0, &self.span, &self.text)
    }

    /// What was there, and what is there instead, in one line.
    pub fn change(&self, source: &str) -> String {
        let was = one_line(source.get(self.span.clone()).unwrap_or_default());
        if self.text.trim().is_empty() || self.text == "{}" {
            return format!("`{was}` left out");
        }
        format!("`{was}` → `{}`", one_line(&self.text))
    }

    /// The lines that differ, with a line around them, as a unified diff without file names.
    pub fn diff(&self, source: &str) -> String {
        let mutated = self.apply(source);
        TextDiff::from_lines(source, mutated.as_str()).unified_diff().context_radius(1).to_string()
    }
}

/// A part of a text that begins at `start`, with `span` (counted in the whole text) replaced.
pub(super) fn splice(part: &str, start: usize, span: &Range<usize>, text: &str) -> String {
    let (from, to) = (span.start.saturating_sub(start), span.end.saturating_sub(start));
    let (before, after) = (part.get(..from).unwrap_or_default(), part.get(to..).unwrap_or_default());
    [before, text, after].concat()
}

/// Words with single blanks between them, cut where they are many.
fn one_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(60) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_told_in_a_line_and_shown_as_a_diff() {
        let source = "fn main() {\n    let a = 1;\n    f(a);\n}\n";
        let mutant = |span: Range<usize>, text: &str| Mutant {
            id: 1,
            operator: MutationOperator::Dropped,
            line: 3,
            column: 5,
            span,
            text: text.to_owned(),
            site: None,
        };
        let dropped = mutant(31..36, "");
        assert_eq!(dropped.change(source), "`f(a);` left out");
        assert_eq!(dropped.apply(source), "fn main() {\n    let a = 1;\n    \n}\n");
        insta::assert_snapshot!(mutant(33..34, "a + 1").diff(source), @r"
        @@ -2,3 +2,3 @@
             let a = 1;
        -    f(a);
        +    f(a + 1);
         }
        ");
    }
}
