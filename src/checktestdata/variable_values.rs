//! Values of one variable at all its indices.

use std::collections::BTreeMap;

use super::integer::Integer;
use super::value::{CtdValue, UNIT_BITS};

/// The values of a variable, each stored under its list of indices. A variable without indices stores its value under
/// the empty list.
#[derive(Debug, Default)]
pub(super) struct VariableValues {
    at: BTreeMap<Vec<Integer>, CtdValue>,
    /// Number of occurrences of each value. Built at the first lookup, since most variables are never searched.
    counts: Option<BTreeMap<CtdValue, usize>>,
    /// Memory use of all values and indices, in multiples of the memory use of a small value.
    weight: u64,
    /// Upper bound of the size of any value, in bits. It does not decrease when values are replaced.
    most_bits: u64,
}

impl VariableValues {
    pub(super) fn get(&self, indices: &[Integer]) -> Option<&CtdValue> {
        self.at.get(indices)
    }

    pub(super) fn len(&self) -> usize {
        self.at.len()
    }

    /// Returns the memory use of all values and indices, in multiples of the memory use of a small value.
    pub(super) fn weight(&self) -> u64 {
        self.weight
    }

    /// Returns an upper bound of the size of any value, in bits.
    pub(super) fn most_bits(&self) -> u64 {
        self.most_bits
    }

    pub(super) fn indices(&self) -> impl Iterator<Item = &Vec<Integer>> {
        self.at.keys()
    }

    /// Sets the value at these indices.
    pub(super) fn set(&mut self, indices: Vec<Integer>, value: CtdValue) {
        self.most_bits = self.most_bits.max(value.bits());
        self.weight += value.weight();
        let of_indices: u64 = indices.iter().map(|index| index.bits() / UNIT_BITS).sum();
        if let Some(counts) = &mut self.counts {
            *counts.entry(value.clone()).or_default() += 1;
        }
        let old = self.at.insert(indices, value);
        if let (Some(old), Some(counts)) = (&old, &mut self.counts)
            && let Some(count) = counts.get_mut(old)
        {
            *count -= 1;
            if *count == 0 {
                counts.remove(old);
            }
        }
        match old {
            Some(old) => self.weight -= old.weight(),
            None => self.weight += of_indices,
        }
    }

    /// Returns whether the value occurs at any index.
    pub(super) fn contains(&mut self, value: &CtdValue) -> bool {
        let all = &self.at;
        let counts = self.counts.get_or_insert_with(|| {
            let mut counts = BTreeMap::new();
            all.values().for_each(|value| *counts.entry(value.clone()).or_default() += 1);
            counts
        });
        counts.contains_key(value)
    }
}
