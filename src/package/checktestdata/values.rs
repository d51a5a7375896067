//! The values of one variable at all its indices.

use std::collections::BTreeMap;

use super::int::Int;
use super::value::Value;

/// Values by indices; a variable without indices has its value at none.
#[derive(Debug, Default)]
pub(super) struct Values {
    at: BTreeMap<Vec<Int>, Value>,
    /// How often each value is there: kept from the first question on, as most variables are never asked.
    counts: Option<BTreeMap<Value, usize>>,
}

impl Values {
    pub(super) fn get(&self, indices: &[Int]) -> Option<&Value> {
        self.at.get(indices)
    }

    pub(super) fn len(&self) -> usize {
        self.at.len()
    }

    pub(super) fn indices(&self) -> impl Iterator<Item = &Vec<Int>> {
        self.at.keys()
    }

    /// Sets a value, and says whether there was none.
    pub(super) fn set(&mut self, indices: Vec<Int>, value: Value) -> bool {
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
        old.is_none()
    }

    /// Whether a value is at any indices.
    pub(super) fn contain(&mut self, value: &Value) -> bool {
        let all = &self.at;
        let counts = self.counts.get_or_insert_with(|| {
            let mut counts = BTreeMap::new();
            all.values().for_each(|value| *counts.entry(value.clone()).or_default() += 1);
            counts
        });
        counts.contains_key(value)
    }
}
