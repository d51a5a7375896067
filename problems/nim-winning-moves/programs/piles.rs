//! Heaps for nim-winning-moves with a nim-sum that is chosen: zero, or one whose highest digit stands in a chosen number of heaps.
//!
//! Arguments, each `key=value`:
//! * `n`: how many heaps; `bits`: no size needs more binary digits (at most 63);
//! * `top`: about how many heaps have the highest digit of the nim-sum, all of them if there are fewer; `0` for nim-sum zero;
//! * `seed`: what all chance is drawn from.

use std::collections::HashMap;

fn main() {
    let args = Args::from_command_line();
    let (n, bits) = (args.number("n") as usize, args.number("bits"));
    let mut rng = Rng(args.number("seed"));
    let mut heaps: Vec<u64> = (0..n).map(|_| rng.between(1, (1 << bits) - 1)).collect();
    let sum = heaps.iter().fold(0, |sum, heap| sum ^ heap);
    heaps[0] ^= sum;
    let top = args.number("top") as usize;
    if top > 0 {
        spoil(&mut heaps, top, bits, &mut rng);
    }
    rng.shuffle(&mut heaps);
    let words: Vec<String> = heaps.iter().map(u64::to_string).collect();
    println!("{n}\n{}", words.join(" "));
}

/// Gives one digit, not the lowest, to an odd number of heaps near `top` and to no other, and draws the digits below
/// anew in one heap: the digits above still cancel.
fn spoil(heaps: &mut [u64], top: usize, bits: u64, rng: &mut Rng) {
    let bit = 1 << rng.between(bits / 2, bits - 1);
    let most = top.min(heaps.len());
    let odd = if most % 2 == 0 { most - 1 } else { most };
    for (i, heap) in heaps.iter_mut().enumerate() {
        *heap = if i < odd { *heap | bit } else { *heap & !bit };
    }
    heaps[0] ^= rng.next() & (bit - 1);
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
