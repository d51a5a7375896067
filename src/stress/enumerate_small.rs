//! Enumerates the smallest inputs of a description, level by level.

use std::collections::HashSet;

use crate::input::{Description, Instance, Role};
use crate::model::Digest;

/// Maximum number of inputs of one level.
const LEVEL: usize = 2_000;
/// Maximum total number of inputs of all levels.
const ALL: usize = 8_000;
/// Maximum number of inputs of a description that is enumerated completely.
const FEW: usize = 5_000;
/// Maximum number of enumeration steps, divided by the maximum number of inputs. An input may take several steps, since
/// constraints may leave few valid inputs.
const STEPS_EACH: u64 = 10;
/// Maximum number of successive levels without a new input. If there are more, the sequence of levels ends.
const IDLE: usize = 12;

/// Returns at most [`ALL`] of the smallest inputs, level by level, and whether they are all the inputs of the
/// description.
///
/// A level has two bounds: for the amount by which counts exceed their minimum, and for the distance of values from 0.
/// Levels with small bounds for both come first, followed by levels with few large values and levels with many small
/// values.
pub(super) fn smallest(description: &Description) -> (Vec<Vec<u8>>, bool) {
    let all = description.all_within(FEW, FEW as u64 * STEPS_EACH);
    let mut found = SmallInput { inputs: Vec::new(), seen: HashSet::new(), most: ALL };
    if let Some(all) = &all {
        found.most = all.len();
    }
    found.grow(description, distances().map(|distance| (distance, distance)));
    match &all {
        Some(all) => found.add(description, all),
        None => {
            for count in [0, 1, 2] {
                found.grow(description, distances().skip(1).map(|value| (count, value)));
            }
            for value in [1, 2] {
                found.grow(description, distances().skip(1).map(|count| (count, value)));
            }
        }
    }
    (found.inputs, all.is_some())
}

/// Returns the bounds of the levels: 0, 1, 2, 3, 4, 6, 8, 12, …
fn distances() -> impl Iterator<Item = u64> {
    let doubled = (1..30).flat_map(|bits| [1_u64 << bits, 3 << (bits - 1)]);
    [0, 1].into_iter().chain(doubled)
}

struct SmallInput {
    inputs: Vec<Vec<u8>>,
    seen: HashSet<Digest>,
    most: usize,
}

impl SmallInput {
    /// Adds the inputs of successive levels until there are enough inputs, until more than [`IDLE`] successive levels
    /// have no new input, or until a level has more than [`LEVEL`] inputs or takes too many steps to enumerate.
    fn grow(&mut self, description: &Description, levels: impl Iterator<Item = (u64, u64)>) {
        let mut idle = 0;
        for (counts, values) in levels {
            let level = description.scaled(&mut |role, (lo, hi)| match role {
                Role::Count => (lo, lo.saturating_add_unsigned(counts)),
                Role::Value => {
                    let nought = 0.clamp(lo, hi);
                    (nought.saturating_sub_unsigned(values), nought.saturating_add_unsigned(values))
                }
            });
            if self.inputs.len() >= self.most || idle > IDLE {
                return;
            }
            let Some(all) = level.all_within(LEVEL, LEVEL as u64 * STEPS_EACH) else { return };
            let before = self.inputs.len();
            self.add(&level, &all);
            idle = if self.inputs.len() == before { idle + 1 } else { 0 };
        }
    }

    fn add(&mut self, level: &Description, all: &[Instance]) {
        for instance in all {
            let bytes = instance.to_bytes(level);
            if self.inputs.len() < self.most && self.seen.insert(Digest::of(&bytes)) {
                self.inputs.push(bytes);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{RawItem, RawValue};

    fn description(line: &[(&str, &str)], clauses: &[&str]) -> Description {
        let items = line.iter().map(|(name, bounds)| {
            RawItem::Line([((*name).to_owned(), RawValue::Text((*bounds).to_owned()))].into_iter().collect())
        });
        let clauses: Vec<String> = clauses.iter().map(|clause| (*clause).to_owned()).collect();
        Description::parse(&items.collect::<Vec<_>>(), &clauses).unwrap()
    }

    #[test]
    fn the_smallest_come_first_and_each_comes_once() {
        let nim = description(&[("n", "1..=100000"), ("a[n]", "0..=10^9")], &["sum(a) > 0"]);
        let (found, complete) = smallest(&nim);
        let texts: Vec<&str> = found.iter().map(|bytes| std::str::from_utf8(bytes).unwrap()).collect();
        assert_eq!(texts[..5], ["1\n1\n", "2\n0 1\n", "2\n1 0\n", "2\n1 1\n", "1\n2\n"]);
        assert!(!complete && (1000..=ALL).contains(&found.len()), "{}", found.len());
        assert_eq!(found.iter().collect::<HashSet<_>>().len(), found.len());
        assert!(texts.contains(&"1\n1024\n") && texts.contains(&"8\n1 0 0 1 0 0 1 1\n"));
    }

    #[test]
    fn few_inputs_are_all_found() {
        let (found, complete) = smallest(&description(&[("n", "1..=3"), ("a[n]", "5..=9")], &[]));
        assert!(complete);
        assert_eq!(found.len(), 5 + 25 + 125);
    }

    #[test]
    fn where_nothing_can_be_listed_nothing_is() {
        let (found, complete) = smallest(&description(&[("n", "1000..=2000"), ("a[n]", "0..=10^9")], &["sum(a) > 5"]));
        assert!(!complete && found.len() <= ALL);
    }
}
