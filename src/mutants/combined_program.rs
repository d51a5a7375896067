//! Many mutants in one program text. Its first argument says which of them it is: an id, or 0 for none.

use std::collections::BTreeSet;
use std::ops::Range;

/// Many mutants in one text, and which lines are whose, so that a compiler's complaint finds its mutant.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CombinedProgram {
    /// The program.
    pub text: String,
    /// Lines, from 1, and the mutants they were written for; inner ranges come after those around them.
    pub(super) lines: Vec<(Range<usize>, Vec<u32>)>,
}

impl CombinedProgram {
    /// The line at which the text ends now, from 1.
    pub(super) fn line(&self) -> usize {
        self.text.bytes().filter(|byte| *byte == b'\n').count() + 1
    }

    /// The mutants that a compiler's words complain of, by the lines they name (`--> file:LINE:COLUMN`).
    pub fn mutants_at_errors(&self, words: &str) -> BTreeSet<u32> {
        let places = words.lines().filter_map(|line| line.trim_start().strip_prefix("--> "));
        let numbers = places.filter_map(|place| place.rsplit(':').nth(1)?.parse::<usize>().ok());
        numbers.flat_map(|line| self.owners(line).iter().copied()).collect()
    }

    /// The mutants that this line was written for, as narrowly as is known.
    fn owners(&self, line: usize) -> &[u32] {
        let around = self.lines.iter().filter(|(lines, _)| lines.contains(&line));
        around.min_by_key(|(lines, _)| lines.len()).map_or(&[], |(_, ids)| ids)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_complaint_is_laid_at_the_narrowest_door() {
        let lines = vec![(1..10, vec![1, 2]), (3..4, vec![2])];
        let combined = CombinedProgram { text: String::new(), lines };
        let ids_at = |words: &str| combined.mutants_at_errors(words).into_iter().collect::<Vec<_>>();
        assert_eq!(ids_at("error[E0308]: mismatched types\n --> main.rs:3:7\n  |"), [2]);
        assert_eq!(ids_at("error: x\n  --> main.rs:4:7\n note\n --> a:b.rs:12:1"), [1, 2]);
        assert_eq!(ids_at("error: linking failed"), [0_u32; 0]);
    }
}
