//! Heaps for equal-nim that are lost, or next to it.
//!
//! Arguments, each `key=value`:
//! * `n`: how many heaps; `max`: no size is larger, but for the last of `zero` and `near`;
//! * `shape`: `wythoff` (two heaps that are lost); `beside` (the same with one stone more or less in one heap); `zero` (nim-sum 0);
//!   `near` (the same with one binary digit flipped);
//! * `seed`: what all chance is drawn from.

use std::collections::HashMap;

fn main() {
    let args = Args::from_command_line();
    let (n, max) = (args.number("n") as usize, args.number("max"));
    let mut rng = Rng(args.number("seed"));
    let bits = 63 - max.leading_zeros();
    let mut heaps: Vec<u64> = match args.text("shape") {
        shape @ ("wythoff" | "beside") => {
            // The larger heap is 2.618... times the difference.
            let difference = rng.between(max / 20, (max as f64 / 2.7) as u64);
            let smaller = ((u128::from(difference) + root(5 * u128::from(difference).pow(2))) / 2) as u64;
            let mut heaps = vec![smaller, smaller + difference];
            if shape == "beside" {
                let heap = rng.below(2);
                heaps[heap] += 1;
            }
            heaps
        }
        shape @ ("zero" | "near") => {
            let mut heaps: Vec<u64> = (1..n).map(|_| rng.between(0, (1 << bits) - 1)).collect();
            heaps.push(heaps.iter().fold(0, |sum, heap| sum ^ heap));
            if shape == "near" {
                let heap = rng.below(n);
                heaps[heap] ^= 1 << rng.below(bits as usize);
            }
            heaps
        }
        other => panic!("shape={other} is not one of wythoff, beside, zero, near"),
    };
    rng.shuffle(&mut heaps);
    let words: Vec<String> = heaps.iter().map(u64::to_string).collect();
    println!("{n}\n{}", words.join(" "));
}

/// The whole part of the square root.
fn root(square: u128) -> u128 {
    let mut root = 0;
    for bit in (0..64).rev() {
        let larger = root | 1 << bit;
        if larger * larger <= square {
            root = larger;
        }
    }
    root
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
