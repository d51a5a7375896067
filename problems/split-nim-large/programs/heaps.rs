//! Heaps for split-nim-large whose values have nim-sum zero, or nearly so.
//!
//! The value of a heap of a is the a-th odious number: 2 (a - 1), and 1 more if a - 1 has an even number of binary ones. The nim-sum
//! of an odd number of odious numbers is odious, so any even number of heaps can be completed by its last one.
//!
//! Arguments, each `key=value`:
//! * `n`: how many heaps; `bits`: the sizes are drawn below 2^bits (the last one may be 2^bits);
//! * `xor`: `zero` (n heaps, or one fewer and an empty one if n is odd); `near` (the same with one digit of a heap flipped); `any`;
//! * `seed`: what all chance is drawn from.

use std::collections::HashMap;

fn main() {
    let args = Args::from_command_line();
    let (n, bits) = (args.number("n") as usize, args.number("bits"));
    let mut rng = Rng(args.number("seed"));
    let mut heaps: Vec<u64> = (0..n).map(|_| rng.between(1, 1 << bits)).collect();
    if args.text("xor") != "any" {
        let even = n - n % 2;
        heaps[even..].fill(0);
        let sum = heaps[1..even].iter().fold(0, |sum, &heap| sum ^ value(heap));
        heaps[0] = (sum >> 1) + 1;
    }
    if args.text("xor") == "near" {
        let heap = rng.below(n - n % 2);
        heaps[heap] = ((heaps[heap] - 1) ^ 1 << rng.below(bits as usize)) + 1;
    }
    rng.shuffle(&mut heaps);
    let words: Vec<String> = heaps.iter().map(u64::to_string).collect();
    println!("{n}\n{}", words.join(" "));
}

fn value(heap: u64) -> u64 {
    2 * (heap - 1) + u64::from((heap - 1).count_ones() % 2 == 0)
}

/// The arguments, by key.
struct Args(HashMap<String, String>);

impl Args {
    fn from_command_line() -> Args {
        let pair = |arg: String| match arg.split_once('=') {
            Some((key, value)) => (key.to_owned(), value.to_owned()),
            None => panic!("`{arg}` is not key=value"),
        };
        Args(std::env::args().skip(1).map(pair).collect())
    }

    fn text(&self, key: &str) -> &str {
        self.0.get(key).unwrap_or_else(|| panic!("`{key}=` is missing"))
    }

    fn number(&self, key: &str) -> u64 {
        let text = self.text(key);
        text.parse().unwrap_or_else(|_| panic!("{key}={text} is not a number"))
    }
}

/// SplitMix64: small, quick, and the same everywhere.
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    /// A number below `bound`.
    fn below(&mut self, bound: usize) -> usize {
        (u128::from(self.next()) * bound as u128 >> 64) as usize
    }

    /// A number from `low` to `high`, both included.
    fn between(&mut self, low: u64, high: u64) -> u64 {
        low + (u128::from(self.next()) * (u128::from(high - low) + 1) >> 64) as u64
    }

    fn shuffle(&mut self, items: &mut [u64]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}
