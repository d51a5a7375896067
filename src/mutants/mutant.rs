//! A mutant: the position of a change in a program, and the replacement text.

use std::borrow::Cow;
use std::ops::Range;

use similar::TextDiff;

/// The kind of change that a mutant makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MutationOperator {
    /// Replaces an arithmetic operator or compound assignment with another operator, or removes a minus sign.
    Arithmetic,
    /// Replaces a bitwise operator or compound assignment with another operator.
    Bitwise,
    /// Replaces a comparison operator with another comparison operator.
    Comparison,
    /// Replaces `&&` with `||` or vice versa, replaces a logical operation with one of its operands, or removes `!`.
    Logic,
    /// Replaces a literal: for example, an integer with an adjacent value, a boolean with its negation, or a string
    /// with the empty string.
    Constant,
    /// Negates a condition, or makes it always true or always false.
    Condition,
    /// Increases or decreases an index or an end of a range by one.
    OffByOne,
    /// Drops a statement, or the body of a match arm or closure.
    Dropped,
    /// Replaces a returned value with another value.
    Returned,
    /// Replaces a method or function with a similar one, such as `min` with `max`, or removes `.rev()`.
    Method,
}

impl MutationOperator {
    /// Returns the name of the operator in reports.
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

/// The kind of code that a switch replaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SwitchForm {
    /// A statement, which has no value.
    Statement,
    /// An expression. The switch is an expression of the same type.
    Expression,
    /// A condition in C or C++. The original and the mutated conditions may have different types that convert to a
    /// truth value.
    Condition,
}

/// The code that a switch replaces, so that a change can be selected at run time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwitchSite {
    /// Byte range in the source.
    pub span: Range<usize>,
    /// Text that replaces the range; `None` if the range is replaced by its own code with the mutant's change applied.
    pub text: Option<String>,
    /// The kind of code in the range.
    pub form: SwitchForm,
}

/// A change at one position in a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mutant {
    /// Number of the mutant among the mutants of the program, from 1, in the order of their positions.
    pub id: u32,
    /// The kind of change.
    pub operator: MutationOperator,
    /// Line of the change, from 1.
    pub line: usize,
    /// Column of the change in characters, from 1.
    pub column: usize,
    /// Byte range of the source that is replaced.
    pub span: Range<usize>,
    /// Replacement text.
    pub text: String,
    /// The code that a switch replaces; `None` if the change can't be selected at run time, for example because it is
    /// in a constant or a pattern.
    pub site: Option<SwitchSite>,
}

impl Mutant {
    /// Returns the source text of the mutant.
    pub fn apply(&self, source: &str) -> String {
        splice(source, 0, &self.span, &self.text)
    }

    /// Returns the code that replaces the mutant's [`SwitchSite`].
    pub(super) fn switched<'a>(&'a self, source: &str, site: &'a SwitchSite) -> Cow<'a, str> {
        match &site.text {
            Some(text) => text.into(),
            None => {
                let part = source.get(site.span.clone()).unwrap_or_default();
                splice(part, site.span.start, &self.span, &self.text).into()
            }
        }
    }

    /// Returns a minimal description of the change: the lengths in bytes of the prefix and the suffix that the mutant
    /// shares with the original, and the bytes between them. Two mutants of one source produce the same program if and
    /// only if these values are equal.
    pub(super) fn essence(&self, source: &str) -> (usize, usize, Vec<u8>) {
        let tail = source.as_bytes().get(self.span.end..).unwrap_or_default();
        let (old, new) = (source.as_bytes().get(self.span.clone()).unwrap_or_default(), self.text.as_bytes());
        let alike = old.iter().chain(tail).zip(new.iter().chain(tail)).take_while(|(old, new)| old == new).count();
        let left = new.len() + tail.len() - alike;
        let most = left.min(old.len() + tail.len() - alike);
        let mut after = tail.len().min(most);
        if after == tail.len() {
            let pairs = old.iter().rev().zip(new.iter().rev()).take(most - after);
            after += pairs.take_while(|(old, new)| old == new).count();
        }
        let between = new.iter().chain(tail).skip(alike).take(left - after).copied().collect();
        (self.span.start + alike, after, between)
    }

    /// Returns a one-line description of the change: the original text and its replacement, or the original text and
    /// the word `removed`. Each text is truncated to 60 characters.
    pub fn change(&self, source: &str) -> String {
        let was = one_line(source.get(self.span.clone()).unwrap_or_default());
        if matches!(self.text.trim(), "" | "{}" | ";" | "pass") {
            return format!("`{was}` removed");
        }
        format!("`{was}` → `{}`", one_line(&self.text))
    }

    /// Returns the changed lines with one line of context before and after, as a unified diff without file names.
    pub fn diff(&self, source: &str) -> String {
        let mutated = self.apply(source);
        TextDiff::from_lines(source, mutated.as_str()).unified_diff().context_radius(1).to_string()
    }
}

/// Returns `part`, in which `text` replaces the range `span`. `span` is relative to the whole text, in which `part`
/// begins at `start`.
pub(super) fn splice(part: &str, start: usize, span: &Range<usize>, text: &str) -> String {
    let (from, to) = (span.start.saturating_sub(start), span.end.saturating_sub(start));
    let (before, after) = (part.get(..from).unwrap_or_default(), part.get(to..).unwrap_or_default());
    [before, text, after].concat()
}

/// Returns the text on one line with single spaces, truncated to 60 characters.
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
    fn mutants_with_equal_texts_have_equal_essences() {
        let source = "x = aab + aab;";
        let mutant = |span: Range<usize>, text: &str| Mutant {
            id: 0,
            operator: MutationOperator::Constant,
            line: 0,
            column: 0,
            span,
            text: text.to_owned(),
            site: None,
        };
        let mut seen = Vec::new();
        for start in 0..source.len() {
            for end in start + 1..=source.len() {
                for text in ["", "a", "b", "ab", "aab", "aab + aab", " "] {
                    let mutant = mutant(start..end, text);
                    seen.push((mutant.apply(source), mutant.essence(source)));
                }
            }
        }
        for (text, essence) in &seen {
            assert!(seen.iter().all(|(other, same)| (text == other) == (essence == same)), "{text}");
        }
        assert_eq!(mutant(0..1, "x").essence(source), (source.len(), 0, Vec::new()));
    }

    #[test]
    fn a_change_is_described_in_a_line_and_as_a_diff() {
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
        assert_eq!(dropped.change(source), "`f(a);` removed");
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
