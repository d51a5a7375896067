//! Heaps for moore-nim that are lost, or lost but for one bit, because by chance they almost never are.
//!
//! Arguments, each `key=value`:
//! * `n`, `k`: how many heaps, and how many a move may touch; `bits`: no size needs more binary digits;
//! * `shape`: `random`; `equal` (all the same); `powers` (of two);
//! * `want`: `any`; `zero`, each digit stands in a number of heaps divisible by k + 1 (no heap is left if k is not
//!   below n, so heaps are then as drawn); `one-bit`, such heaps with one of the upper digits of one heap flipped;
//! * `seed`: what all chance is drawn from.

use std::collections::HashMap;

fn main() {
    let args = Args::from_command_line();
    let (n, k, bits) = (args.number("n") as usize, args.number("k") as usize, args.number("bits"));
    let mut rng = Rng(args.number("seed"));
    let mut heaps: Vec<u64> = match args.text("shape") {
        "random" => (0..n).map(|_| rng.between(1, (1 << bits) - 1)).collect(),
        "equal" => vec![rng.between(1, (1 << bits) - 1); n],
        "powers" => (0..n).map(|_| 1 << rng.between(0, bits - 1)).collect(),
        other => panic!("shape={other} is not one of random, equal, powers"),
    };
    if args.text("want") != "any" && k < n {
        balance(&mut heaps, k, bits, &mut rng);
    }
    if args.text("want") == "one-bit" {
        heaps[rng.below(n)] ^= 1 << rng.between(bits / 2 + 1, bits - 1);
    }
    rng.shuffle(&mut heaps);
    let words: Vec<String> = heaps.iter().map(u64::to_string).collect();
    println!("{n} {k}\n{}", words.join(" "));
}

/// Chooses the digits of the first k heaps so that each digit stands in a number of heaps divisible by k + 1.
fn balance(heaps: &mut [u64], k: usize, bits: u64, rng: &mut Rng) {
    for bit in 0..bits {
        let count = heaps[k..].iter().filter(|&heap| heap >> bit & 1 == 1).count();
        let needed = (k + 1 - count % (k + 1)) % (k + 1);
        // Which of the k heaps get the digit: a run of `needed` of them, from anywhere, round the end.
        let start = rng.below(k);
        for i in 0..k {
            let heap = &mut heaps[(start + i) % k];
            *heap = if i < needed { *heap | 1 << bit } else { *heap & !(1 << bit) };
        }
    }
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
