//! The minimal excludant (mex): the smallest natural number that is not in a set.

/// Returns the smallest natural number (from 0) that is not among `values`.
///
/// The mex of n values is at most n, so larger values are ignored and n bits are enough.
pub fn mex(values: impl IntoIterator<Item = u32>) -> u32 {
    let values: Vec<u32> = values.into_iter().collect();
    let mut words = vec![0_u64; values.len() / 64 + 1];
    for value in &values {
        if let Some(word) = words.get_mut(*value as usize / 64) {
            *word |= 1 << (value % 64);
        }
    }
    first_gap(&words)
}

/// Returns the index of the lowest bit that is not set.
fn first_gap(words: &[u64]) -> u32 {
    let full = words.iter().take_while(|word| **word == u64::MAX).count();
    full as u32 * 64 + words.get(full).map_or(0, |word| word.trailing_ones())
}

/// A set that is cleared in amortized constant time. A number is in the set if its stamp equals the current generation.
#[derive(Debug, Clone)]
pub struct StampedSet {
    stamps: Vec<u32>,
    generation: u32,
}

impl Default for StampedSet {
    fn default() -> StampedSet {
        StampedSet::new()
    }
}

impl StampedSet {
    /// Returns the empty set.
    pub fn new() -> StampedSet {
        StampedSet { stamps: vec![0; 64], generation: 1 }
    }

    /// Removes all numbers.
    pub fn clear(&mut self) {
        self.generation = self.generation.checked_add(1).unwrap_or_else(|| {
            self.stamps.fill(0);
            1
        });
    }

    /// Inserts a number.
    pub fn mark(&mut self, value: u32) {
        let value = value as usize;
        if value >= self.stamps.len() {
            self.stamps.resize((value + 1).next_power_of_two(), 0);
        }
        self.stamps[value] = self.generation;
    }

    /// Inserts the nim-sum of each pair of `left[i]` and `right[right.len() - 1 - i]`.
    ///
    /// This is the inner loop of splitting games. `bound` must be a power of two above all nim-sums.
    pub(super) fn mark_sums(&mut self, left: &[u32], right: &[u32], bound: usize) {
        if self.stamps.len() < bound {
            self.stamps.resize(bound, 0);
        }
        let generation = self.generation;
        let mask = bound - 1;
        let stamps = &mut self.stamps[..bound];
        for (a, b) in left.iter().zip(right.iter().rev()) {
            stamps[(a ^ b) as usize & mask] = generation;
        }
    }

    /// Calls `visit` for each number in the set, in increasing order.
    pub(super) fn each(&self, visit: &mut dyn FnMut(u32)) {
        let stamped = self.stamps.iter().enumerate().filter(|(_, stamp)| **stamp == self.generation);
        stamped.for_each(|(value, _)| visit(value as u32));
    }

    /// Returns true if the number is in the set.
    pub fn has(&self, value: u32) -> bool {
        self.stamps.get(value as usize) == Some(&self.generation)
    }

    /// Returns the smallest natural number that is not in the set.
    pub fn mex(&self) -> u32 {
        let gap = self.stamps.iter().position(|stamp| *stamp != self.generation);
        gap.unwrap_or(self.stamps.len()) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    #[test]
    fn mex_of_a_full_word_is_in_the_next_word() {
        assert_eq!(mex(0..64), 64);
        assert_eq!(mex(0..127), 127);
        assert_eq!(mex([]), 0);
        assert_eq!(mex([1, 2, 3]), 0);
        assert_eq!(mex([0, 1, 3, u32::MAX]), 2);
    }

    #[test]
    fn generation_overflow_clears_the_set() {
        let mut stamps = StampedSet { stamps: vec![1; 8], generation: u32::MAX };
        stamps.clear();
        assert_eq!(stamps.mex(), 0, "stamps of an earlier generation 1 must be cleared");
    }

    proptest! {
        #[test]
        fn both_implementations_agree_with_the_definition(values in prop::collection::vec(0_u32..200, 0..300)) {
            let set: BTreeSet<u32> = values.iter().copied().collect();
            let expected = (0..).find(|number| !set.contains(number)).unwrap();
            prop_assert_eq!(mex(values.iter().copied()), expected);
            let mut stamps = StampedSet::new();
            stamps.mark(0);
            stamps.clear();
            values.iter().for_each(|value| stamps.mark(*value));
            prop_assert_eq!(stamps.mex(), expected);
        }
    }
}
