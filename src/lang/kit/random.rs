//! A random number generator that returns the same numbers on every machine.

/// A random number generator that depends only on its seed: SplitMix64 (Steele, Lea, Flood: Fast Splittable
/// Pseudorandom Number Generators, 2014).
#[derive(Debug, Clone)]
pub struct Random(u64);

/// An integer type of which [`Random::between`] can draw values.
pub trait Int: Copy {
    /// Converts to `i128`.
    fn wide(self) -> i128;
    /// Converts from `i128`. The value must be in the range of the type.
    fn narrow(wide: i128) -> Self;
}

macro_rules! ints {
    ($($int:ty),*) => { $(impl Int for $int {
        fn wide(self) -> i128 {
            self as i128
        }

        fn narrow(wide: i128) -> $int {
            wide as $int
        }
    })* };
}

ints!(i32, i64, u8, u32, u64, usize);

impl Random {
    /// Creates a generator with this seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// Draws 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    /// Draws a number below `bound`. Returns 0 if `bound` is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.bits()) * bound as u128) >> 64) as usize
    }

    /// Draws a number from `low` to `high`, both included. Returns `low` if the range is empty.
    pub fn between<T: Int>(&mut self, low: T, high: T) -> T {
        let (low, high) = (low.wide(), high.wide());
        let count = (high - low + 1).max(1) as u128;
        T::narrow(low + ((u128::from(self.bits()) * count) >> 64) as i128)
    }

    /// Returns true with probability `part / whole`.
    pub fn chance(&mut self, part: u32, whole: u32) -> bool {
        self.between(1, whole) <= part
    }

    /// Draws one of the items. Returns `None` if there are none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }

    /// Shuffles the items. Every order is equally likely.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_of_a_seed_never_change() {
        let mut random = Random::new(1234567);
        let first = [random.bits(), random.bits(), random.bits()];
        // These are the first numbers of the reference implementation for this seed.
        assert_eq!(first, [6457827717110365317, 3203168211198807973, 9817491932198370423]);
        let mut random = Random::new(42);
        let drawn: Vec<i64> = (0..8).map(|_| random.between(-5, 5)).collect();
        assert_eq!(drawn, GOLDEN);
        let mut order: Vec<u32> = (0..10).collect();
        Random::new(7).shuffle(&mut order);
        assert_eq!(order, SHUFFLED);
    }

    const GOLDEN: [i64; 8] = [3, -4, -2, -2, -5, 4, -3, 3];
    const SHUFFLED: [u32; 10] = [9, 5, 8, 6, 1, 2, 4, 7, 0, 3];

    #[test]
    fn all_numbers_of_a_range_are_drawn() {
        let mut random = Random::new(1);
        let mut seen = [0; 7];
        for _ in 0..7_000 {
            seen[random.between(0_usize, 6)] += 1;
        }
        assert!(seen.iter().all(|&count| (850..1150).contains(&count)), "{:?}", seen);
        assert_eq!(random.between(i64::MAX, i64::MAX), i64::MAX);
        assert_eq!(random.between(5, 4), 5);
        random.between(i64::MIN, i64::MAX);
        random.between(0, u64::MAX);
        assert_eq!(random.pick::<u8>(&[]), None);
        assert_eq!((0..1_000).filter(|_| random.chance(0, 3)).count(), 0);
        assert_eq!((0..1_000).filter(|_| random.chance(3, 3)).count(), 1_000);
    }
}
