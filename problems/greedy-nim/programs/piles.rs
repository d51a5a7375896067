//! Heaps for greedy-nim with a chosen number of largest ones.
//!
//! Arguments, each `key=value`:
//! * `n`: how many heaps; `max`: the size of the largest; `top`: how many are of that size, all if there are fewer;
//! * `below`: the sizes of the others: `any`; `close`, one less than the largest, which 32-bit integers and floating-point
//!   numbers may not tell from it;
//! * `seed`: what all chance is drawn from.

use std::collections::HashMap;

fn main() {
    let args = Args::from_command_line();
    let (n, max) = (args.number("n") as usize, args.number("max"));
    let mut rng = Rng(args.number("seed"));
    let top = args.number("top") as usize;
    let mut heaps: Vec<u64> = (0..n)
        .map(|i| match args.text("below") {
            _ if i < top => max,
            "any" => rng.between(0, max - 1),
            "close" => max - 1,
            other => panic!("below={other} is not one of any, close"),
        })
        .collect();
    rng.shuffle(&mut heaps);
    let words: Vec<String> = heaps.iter().map(u64::to_string).collect();
    println!("{n}\n{}", words.join(" "));
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
