//! Seeded random numbers that are identical on every machine and in every version.
//!
//! Only the raw words come from the ChaCha8 library. Every step from a word to a number is implemented here and pinned
//! by tests, because generated test data must stay byte-identical.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng as _, SeedableRng as _};

use crate::model::Digest;

/// A stream of random numbers that is determined by its seed.
#[derive(Debug)]
pub struct Rng {
    words: ChaCha8Rng,
}

impl Rng {
    /// Creates the stream that this seed determines.
    pub fn from_digest(seed: &Digest) -> Rng {
        Rng { words: ChaCha8Rng::from_seed(*seed.bytes()) }
    }

    /// Returns 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.words.next_u64()
    }

    /// Returns a uniformly distributed number in `0..n`, or 0 if `n` is 0.
    #[inline]
    pub fn below(&mut self, n: u64) -> u64 {
        // Lemire's method takes the high half of a product, and rejects the few low halves that would cause a bias.
        if let Ok(n) = u32::try_from(n) {
            return u64::from(self.below_32(n));
        }
        let mut product = u128::from(self.words.next_u64()) * u128::from(n);
        if (product as u64) < n {
            let unfair = n.wrapping_neg() % n;
            while (product as u64) < unfair {
                product = u128::from(self.words.next_u64()) * u128::from(n);
            }
        }
        (product >> 64) as u64
    }

    #[inline]
    fn below_32(&mut self, n: u32) -> u32 {
        let mut product = u64::from(self.words.next_u32()) * u64::from(n);
        if (product as u32) < n {
            let unfair = n.wrapping_neg().checked_rem(n).unwrap_or(0);
            while (product as u32) < unfair {
                product = u64::from(self.words.next_u32()) * u64::from(n);
            }
        }
        (product >> 32) as u32
    }

    /// Returns a uniformly distributed index into a list of this length.
    #[inline]
    pub fn place(&mut self, length: usize) -> usize {
        self.below(length as u64) as usize
    }

    /// Returns a uniformly distributed number in `lo..=hi`, or `lo` if `lo > hi`. The range may span all 64 bits.
    #[inline]
    pub fn between(&mut self, lo: i64, hi: i64) -> i64 {
        if lo >= hi {
            return lo;
        }
        let width = hi.wrapping_sub(lo) as u64;
        let offset = if width == u64::MAX { self.words.next_u64() } else { self.below(width + 1) };
        lo.wrapping_add(offset as i64)
    }

    /// Returns `count` numbers in `lo..=hi`: the same numbers as `count` calls of [`Rng::between`], but faster.
    pub fn many_between(&mut self, lo: i64, hi: i64, count: usize) -> Vec<i64> {
        let width = hi.wrapping_sub(lo) as u64;
        let Some(n) = u32::try_from(width).ok().and_then(|width| width.checked_add(1)).filter(|_| lo < hi) else {
            return (0..count).map(|_| self.between(lo, hi)).collect();
        };
        let unfair = n.wrapping_neg() % n;
        let mut one = || loop {
            let product = u64::from(self.words.next_u32()) * u64::from(n);
            if product as u32 >= unfair {
                return lo.wrapping_add((product >> 32) as i64);
            }
        };
        let mut all = Vec::with_capacity(count);
        all.extend((0..count).map(|_| one()));
        all
    }

    /// Returns true with probability `1/n`.
    pub fn once_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    /// Returns a uniformly chosen element, or `None` if the list is empty.
    pub fn choose<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        list.get(self.place(list.len()))
    }

    /// Shuffles the list; all orders are equally likely.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for at in (1..list.len()).rev() {
            list.swap(at, self.place(at + 1));
        }
    }

    /// Returns the numbers `0..n` in a uniformly random order.
    pub fn permutation(&mut self, n: usize) -> Vec<usize> {
        let mut all: Vec<usize> = (0..n).collect();
        self.shuffle(&mut all);
        all
    }

    /// Returns the parents of the vertices `1..n` of a random tree with root 0; each parent is a uniformly chosen
    /// earlier vertex.
    pub fn tree_parents(&mut self, n: usize) -> Vec<usize> {
        (1..n).map(|v| self.place(v)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rng() -> Rng {
        Rng::from_digest(&Digest::of(b"nimatron"))
    }

    #[test]
    fn small_range_is_uniform() {
        let mut rng = rng();
        let mut seen = [0; 7];
        for _ in 0..70_000 {
            seen[rng.below(7) as usize] += 1;
        }
        assert!(seen.iter().all(|count| (9_500..10_500).contains(count)), "{seen:?}");
    }

    #[test]
    fn ranges_at_the_64_bit_limits_are_respected() {
        let mut rng = rng();
        let mut signs = [false; 2];
        for _ in 0..100 {
            signs[usize::from(rng.between(i64::MIN, i64::MAX) < 0)] = true;
            assert!(rng.between(i64::MAX - 1, i64::MAX) >= i64::MAX - 1);
            assert!(rng.between(i64::MIN, i64::MIN + 1) <= i64::MIN + 1);
            assert!((-5..=1 << 40).contains(&rng.between(-5, 1 << 40)));
        }
        assert_eq!(signs, [true, true]);
        assert_eq!((rng.below(0), rng.below(1), rng.between(3, 3), rng.between(5, -5)), (0, 0, 3, 5));
    }

    #[test]
    fn many_between_equals_repeated_between() {
        let u32_max = i64::from(u32::MAX);
        let ends = [
            (0, 9),
            (-7, 3_000_000_000),
            (0, u32_max),
            (0, u32_max - 1),
            (5, 5),
            (i64::MIN, i64::MAX),
            (0, u32_max + 1),
        ];
        for (lo, hi) in ends {
            let one: Vec<i64> = {
                let mut rng = rng();
                (0..1000).map(|_| rng.between(lo, hi)).collect()
            };
            assert_eq!(rng().many_between(lo, hi, 1000), one, "{lo}..={hi}");
        }
    }

    #[test]
    fn stream_of_a_seed_is_pinned() {
        let mut rng = rng();
        let drawn: Vec<i64> = [(0, 9), (0, 9), (1, 1_000_000_000), (i64::MIN, i64::MAX), (-5, 1 << 40), (0, 9)]
            .iter()
            .map(|(lo, hi)| rng.between(*lo, *hi))
            .collect();
        assert_eq!(drawn, [0, 4, 556_850_538, -3_834_598_707_228_475_296, 628_359_035_570, 4]);
        assert_eq!(rng.permutation(8), [0, 2, 5, 7, 3, 6, 1, 4]);
        assert_eq!(rng.tree_parents(8), [0, 1, 0, 0, 3, 0, 2]);
        assert_eq!(rng.bits(), 4_432_584_184_150_055_579);
    }

    #[test]
    fn permutations_are_complete_and_parents_precede_children() {
        let mut rng = rng();
        let mut all = rng.permutation(1000);
        assert!(all.windows(2).any(|pair| pair[0] > pair[1]));
        all.sort_unstable();
        assert_eq!(all, (0..1000).collect::<Vec<_>>());
        let parents = rng.tree_parents(1000);
        assert!(parents.iter().enumerate().all(|(child, parent)| *parent <= child));
    }
}
