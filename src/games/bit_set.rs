//! A set of numbers below a fixed size, stored as bits.

/// A set of numbers below a fixed size, stored as bits.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BitSet {
    words: Box<[u64]>,
}

impl BitSet {
    /// Returns the empty set of numbers below `size`.
    pub fn empty(size: usize) -> BitSet {
        BitSet { words: vec![0; size.div_ceil(64)].into_boxed_slice() }
    }

    /// Returns the set of all numbers below `size`.
    pub fn full(size: usize) -> BitSet {
        (0..size).fold(BitSet::empty(size), BitSet::with)
    }

    /// Returns true if the number is in the set.
    pub fn has(&self, number: usize) -> bool {
        self.words.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    /// Returns the set with `number` added. Numbers beyond the last 64-bit word of the set are ignored.
    #[must_use]
    pub fn with(mut self, number: usize) -> BitSet {
        if let Some(word) = self.words.get_mut(number / 64) {
            *word |= 1 << (number % 64);
        }
        self
    }

    /// Returns the set with `number` removed.
    #[must_use]
    pub fn without(mut self, number: usize) -> BitSet {
        if let Some(word) = self.words.get_mut(number / 64) {
            *word &= !(1 << (number % 64));
        }
        self
    }

    /// Returns the number of elements.
    pub fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Returns the number of 64-bit words that the set occupies.
    pub(super) fn width(&self) -> usize {
        self.words.len()
    }

    /// Returns true if the set is empty.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// Returns the elements in increasing order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(index, word)| {
            let mut rest = *word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
                rest &= rest - 1;
                Some(index * 64 + bit)
            })
        })
    }
}
