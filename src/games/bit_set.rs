//! A set of small numbers.

/// A set of numbers below a size given once, kept as bits.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BitSet {
    words: Box<[u64]>,
}

impl BitSet {
    /// The empty set of numbers below `size`.
    pub fn empty(size: usize) -> BitSet {
        BitSet { words: vec![0; size.div_ceil(64)].into_boxed_slice() }
    }

    /// All numbers below `size`.
    pub fn full(size: usize) -> BitSet {
        (0..size).fold(BitSet::empty(size), BitSet::with)
    }

    /// Whether the number is in the set; numbers beyond the size are not.
    pub fn has(&self, number: usize) -> bool {
        self.words.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    /// The set with this number; a number beyond the size is not put in.
    #[must_use]
    pub fn with(mut self, number: usize) -> BitSet {
        if let Some(word) = self.words.get_mut(number / 64) {
            *word |= 1 << (number % 64);
        }
        self
    }

    /// The set without this number.
    #[must_use]
    pub fn without(mut self, number: usize) -> BitSet {
        if let Some(word) = self.words.get_mut(number / 64) {
            *word &= !(1 << (number % 64));
        }
        self
    }

    /// How many numbers are in the set.
    pub fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// How many words of memory the set takes.
    pub(super) fn width(&self) -> usize {
        self.words.len()
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// The numbers, smallest first.
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
