//! Many mutants in one program. Its first argument selects a mutant by id; 0 selects the original.

use std::collections::BTreeSet;
use std::ops::Range;

/// A program that contains many mutants, with a map from lines to mutants for compiler errors.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CombinedProgram {
    /// Source text of the program.
    pub text: String,
    /// Line ranges, from 1, and the mutants that they belong to. Inner ranges come after the ranges around them.
    pub(super) lines: Vec<(Range<usize>, Vec<u32>)>,
}

impl CombinedProgram {
    /// The number of the last line, from 1.
    pub(super) fn line(&self) -> usize {
        self.text.bytes().filter(|byte| *byte == b'\n').count() + 1
    }

    /// The mutants that compiler errors refer to, by the lines in `--> file:LINE:COLUMN`.
    pub fn mutants_at_errors(&self, words: &str) -> BTreeSet<u32> {
        let places = words.lines().filter_map(|line| line.trim_start().strip_prefix("--> "));
        let numbers = places.filter_map(|place| place.rsplit(':').nth(1)?.parse::<usize>().ok());
        numbers.flat_map(|line| self.owners(line).iter().copied()).collect()
    }

    /// The mutants that this line belongs to, by the narrowest range.
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
        let lines = vec![(1..10, vec![1, 2]), (3..4, vec![2])];
        let combined = CombinedProgram { text: String::new(), lines };
        let ids_at = |words: &str| combined.mutants_at_errors(words).into_iter().collect::<Vec<_>>();
        assert_eq!(ids_at("error[E0308]: mismatched types\n --> main.rs:3:7\n  |"), [2]);
        assert_eq!(ids_at("error: x\n  --> main.rs:4:7\n note\n --> a:b.rs:12:1"), [1, 2]);
        assert_eq!(ids_at("error: linking failed"), [0_u32; 0]);
    }
}
