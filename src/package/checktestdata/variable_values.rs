//! The values of one variable at all its indices.

use std::collections::BTreeMap;

use super::integer::Integer;
use super::value::{CtdValue, UNIT_BITS};

/// VariableValues by indices; a variable without indices has its value at none.
#[derive(Debug, Default)]
pub(super) struct VariableValues {
    at: BTreeMap<Vec<Integer>, CtdValue>,
    /// How often each value is there: kept from the first question on, as most variables are never asked.
    counts: Option<BTreeMap<CtdValue, usize>>,
    /// How many small values take as much memory as all of them.
    weight: u64,
    /// The most bits that a value has, or had.
    most_bits: u64,
}

impl VariableValues {
    pub(super) fn get(&self, indices: &[Integer]) -> Option<&CtdValue> {
        self.at.get(indices)
    }

    pub(super) fn len(&self) -> usize {
        self.at.len()
    }

    /// How many small values take as much memory.
    pub(super) fn weight(&self) -> u64 {
        self.weight
    }

    /// The most bits that a value has, or had.
    pub(super) fn most_bits(&self) -> u64 {
        self.most_bits
    }

    pub(super) fn indices(&self) -> impl Iterator<Item = &Vec<Integer>> {
        self.at.keys()
    }

    /// Sets a value.
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

    /// Whether a value is at any indices.
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
