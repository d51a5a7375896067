//! Random permutations, sets of distinct numbers, and numbers with a given sum.

use std::collections::BTreeSet;

use super::random::Random;

/// Returns the numbers from 1 to `n` in random order.
pub fn permutation(random: &mut Random, n: usize) -> Vec<usize> {
    let mut all: Vec<usize> = (1..=n).collect();
    random.shuffle(&mut all);
    all
}

/// Returns a random set of `count` distinct numbers from `least` to `most`, in increasing order. Every set is equally
/// likely. If the range contains fewer than `count` numbers, all numbers of the range are returned.
pub fn distinct(random: &mut Random, count: usize, least: u64, most: u64) -> Vec<u64> {
    let there = most.saturating_sub(least).saturating_add(u64::from(most >= least));
    let count = u64::try_from(count).unwrap_or(u64::MAX).min(there);
    // This is Floyd's algorithm. For each of the last `count` numbers of the range, it inserts a random number up to
    // that number, or that number itself if the random number is already in the set.
    let mut drawn = BTreeSet::new();
    for place in there - count..there {
        let offset = random.between(0, place);
        if !drawn.insert(least + offset) {
            drawn.insert(least + place);
        }
    }
    drawn.into_iter().collect()
}

/// Returns a random sequence of `count` numbers of at least `least` whose sum is `sum`; `None` if no such sequence
/// exists. Every sequence is equally likely.
pub fn composition(random: &mut Random, sum: u64, count: usize, least: u64) -> Option<Vec<u64>> {
    let parts = u64::try_from(count).ok()?;
    let free = sum.checked_sub(parts.checked_mul(least)?)?;
    if count == 0 {
        return if sum == 0 { Some(Vec::new()) } else { None };
    }
    // This is the method of stars and bars: the gaps between the bars are the amounts above `least`.
    let bars = distinct(random, count - 1, 1, free + parts - 1);
    let mut before = 0;
    let mut numbers = Vec::with_capacity(count);
    for bar in bars.into_iter().chain(Some(free + parts)) {
        numbers.push(bar - before - 1 + least);
        before = bar;
    }
    Some(numbers)
}

/// Returns the numbers of a random [`composition`] in descending order. Partitions are not equally likely: partitions
/// with more orderings occur more often. Returns `None` if no such sequence exists.
pub fn partition(random: &mut Random, sum: u64, count: usize, least: u64) -> Option<Vec<u64>> {
    let mut numbers = composition(random, sum, count, least)?;
    numbers.sort_unstable_by(|a, b| b.cmp(a));
    Some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_permutation_has_every_number_once() {
        let mut random = Random::new(1);
        for n in 0..20 {
            let mut order = permutation(&mut random, n);
            order.sort_unstable();
            assert_eq!(order, (1..=n).collect::<Vec<_>>());
        }
    }

    #[test]
    fn distinct_numbers_are_distinct_and_uniform() {
        let mut random = Random::new(2);
        let mut seen = std::collections::BTreeMap::new();
        for _ in 0..6_000 {
            let set = distinct(&mut random, 2, 5, 8);
            assert!(set[0] < set[1] && (5..=8).contains(&set[0]) && set[1] <= 8);
            *seen.entry(set).or_insert(0) += 1;
        }
        assert_eq!(seen.len(), 6);
        assert!(seen.values().all(|count| (850..1150).contains(count)), "{:?}", seen);
        assert_eq!(distinct(&mut random, 9, 5, 7), [5, 6, 7]);
        assert_eq!(distinct(&mut random, 3, 7, 5), [0; 0]);
        assert_eq!(distinct(&mut random, 1_000, 0, u64::MAX).len(), 1_000);
    }

    #[test]
    fn a_composition_has_its_sum_and_all_compositions_occur() {
        let mut random = Random::new(3);
        let mut seen = BTreeSet::new();
        for _ in 0..500 {
            let numbers = composition(&mut random, 7, 3, 1).unwrap();
            assert_eq!(numbers.iter().sum::<u64>(), 7);
            assert!(numbers.iter().all(|number| *number >= 1));
            seen.insert(numbers);
        }
        assert_eq!(seen.len(), 15);
        assert_eq!(composition(&mut random, 2, 3, 1), None);
        assert_eq!(composition(&mut random, 0, 3, 0), Some(vec![0, 0, 0]));
        assert_eq!(composition(&mut random, 0, 0, 0), Some(vec![]));
        assert_eq!(composition(&mut random, 1, 0, 0), None);
        assert_eq!(partition(&mut random, 5, 1, 0), Some(vec![5]));
    }
}
