//! A program that contains one or more mutants. If there are several, the program's first argument selects a mutant
//! by its id.

use std::collections::BTreeSet;
use std::ops::Range;

use super::language::MutantLanguage;

/// A program that contains one or more mutants. The lines of each mutant are recorded, so that compiler errors can be
/// assigned to mutants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CombinedProgram {
    /// Source text of the program.
    pub text: String,
    /// Ranges of line numbers, which start at 1, with the ids of the mutants whose code these lines contain.
    lines: Vec<(Range<usize>, Vec<u32>)>,
    language: MutantLanguage,
    /// Length in bytes of the part of the text whose line breaks are already counted, and the number of these line
    /// breaks.
    counted: (usize, usize),
}

impl CombinedProgram {
    /// Creates an empty program.
    pub(super) fn new(language: MutantLanguage) -> CombinedProgram {
        CombinedProgram { text: String::new(), lines: Vec::new(), language, counted: (0, 0) }
    }

    /// Creates a program that consists of one mutant.
    pub(super) fn of_one(language: MutantLanguage, id: u32, text: &str) -> CombinedProgram {
        CombinedProgram { text: text.to_owned(), lines: vec![(1..usize::MAX, vec![id])], language, counted: (0, 0) }
    }

    /// Returns the number of the line at the end of the text, counted from 1.
    pub(super) fn line(&mut self) -> usize {
        let (from, breaks) = self.counted;
        let fresh = self.text.bytes().skip(from).filter(|byte| *byte == b'\n').count();
        self.counted = (self.text.len(), breaks + fresh);
        breaks + fresh + 1
    }

    /// Assigns the lines from `first` to the end of the text to the mutants `ids`. If ranges overlap, the narrowest
    /// range takes precedence.
    pub(super) fn own_lines(&mut self, first: usize, ids: Vec<u32>) {
        let end = self.line() + usize::from(!self.text.ends_with('\n'));
        self.lines.push((first..end, ids));
    }

    /// Returns the ids of the mutants whose lines contain errors according to the compiler output `words`.
    pub fn mutants_at_errors(&self, words: &str) -> BTreeSet<u32> {
        let numbers = words.lines().filter_map(|line| self.line_of_error(line));
        numbers.flat_map(|line| self.owners(line).iter().copied()).collect()
    }

    /// Returns the line number in a line of compiler output such as `--> main.rs:7:3`, `main.cpp:7:3: error:` or
    /// `./main.go:7:3: `, or `None` for other lines.
    fn line_of_error(&self, line: &str) -> Option<usize> {
        let place = match self.language {
            MutantLanguage::Rust => line.trim_start().strip_prefix("--> ")?,
            MutantLanguage::Go => line,
            _ => line.split_once(" error: ")?.0,
        };
        let extension = format!(".{}:", self.language.extension());
        let digits = place.split_once(&extension)?.1;
        digits.split(':').next()?.parse().ok()
    }

    /// Returns the ids of the mutants of the narrowest range that contains the line `line`, or an empty slice if no
    /// range contains it.
    fn owners(&self, line: usize) -> &[u32] {
        let around = self.lines.iter().filter(|(lines, _)| lines.contains(&line));
        around.min_by_key(|(lines, _)| lines.len()).map_or(&[], |(_, ids)| ids)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_belongs_to_the_narrowest_range() {
        let ids_at = |language: MutantLanguage, words: &str| {
            let lines = vec![(1..10, vec![1, 2]), (3..4, vec![2])];
            let combined = CombinedProgram { text: String::new(), lines, language, counted: (0, 0) };
            combined.mutants_at_errors(words).into_iter().collect::<Vec<_>>()
        };
        let rust = MutantLanguage::Rust;
        assert_eq!(ids_at(rust, "error[E0308]: mismatched types\n --> main.rs:3:7\n  |"), [2]);
        assert_eq!(ids_at(rust, "error: x\n  --> main.rs:4:7\n note\n --> a:b.rs:12:1"), [1, 2]);
        assert_eq!(ids_at(rust, "error: linking failed"), [0_u32; 0]);
        let cpp = "main.cpp: In function 'int main()':\nmain.cpp:3:5: error: no match\nmain.cpp:1:1: note: here";
        assert_eq!(ids_at(MutantLanguage::Cpp, cpp), [2]);
        assert_eq!(ids_at(MutantLanguage::Java, "Main.java:3: error: incompatible types"), [2]);
        assert_eq!(ids_at(MutantLanguage::Go, "./main.go:4:2: x declared but not used"), [1, 2]);
    }
}
