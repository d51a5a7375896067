//! Heaps for split-nim whose Grundy values have a chosen nim-sum, because by chance it is rarely zero.
//!
//! Arguments, each `key=value`:
//! * `n`, `max`: how many heaps, and the largest size;
//! * `shape`: `random`; `equal`; `great` (the largest tenth of sizes); `distinct` (no two equal as far as sizes last);
//! * `xor`: `any`; `zero` (`n` must be even: an odd number of heaps is always won); `near` (zero, then one heap
//!   made one larger or smaller); `less-one` (the sizes less one have nim-sum zero, which for odd `n` is not enough to lose);
//! * `seed`: what all chance is drawn from.

use std::collections::HashMap;

fn main() {
    let args = Args::from_command_line();
    let (n, max) = (args.number("n") as usize, args.number("max"));
    let mut rng = Rng(args.number("seed"));
    let mut heaps = draw(args.text("shape"), n, max, &mut rng);
    match args.text("xor") {
        "any" => {}
        "less-one" => cancel(&mut heaps, |a| a - 1, max, &mut rng),
        _ if n % 2 == 0 => cancel(&mut heaps, grundy, max, &mut rng),
        xor => panic!("xor={xor} can't be had: an odd number of heaps is always won"),
    }
    if args.text("xor") == "near" {
        let i = rng.below(n);
        let up = heaps[i] == 1 || (heaps[i] < max && rng.below(2) == 0);
        heaps[i] = if up { heaps[i] + 1 } else { heaps[i] - 1 };
    }
    let words: Vec<String> = heaps.iter().map(u64::to_string).collect();
    println!("{n}\n{}", words.join(" "));
}

fn draw(shape: &str, n: usize, max: u64, rng: &mut Rng) -> Vec<u64> {
    match shape {
        "random" => (0..n).map(|_| rng.between(1, max)).collect(),
        "equal" => vec![rng.between(1, max); n],
        "great" => (0..n).map(|_| rng.between(max - max / 10, max)).collect(),
        "distinct" => {
            let mut sizes: Vec<u64> = (0..n as u64).map(|i| i % max + 1).collect();
            rng.shuffle(&mut sizes);
            sizes
        }
        other => panic!("shape={other} is not one of random, equal, great, distinct"),
    }
}

/// Redraws one heap, again and again, until another can be chosen that makes the nim-sum of the values zero.
fn cancel(heaps: &mut [u64], value: impl Fn(u64) -> u64, max: u64, rng: &mut Rng) {
    let n = heaps.len();
    loop {
        let (i, j) = (rng.below(n), rng.below(n));
        let rest = (0..n).filter(|&k| k != j).fold(0, |sum, k| sum ^ value(heaps[k]));
        if let Some(size) = (1..=max).find(|&size| value(size) == rest) {
            heaps[j] = size;
            return;
        }
        heaps[i] = rng.between(1, max);
    }
}

/// The a-th odious number: the one of 2a - 2 and 2a - 1 whose binary digits sum to an odd number.
fn grundy(a: u64) -> u64 {
    2 * (a - 1) + u64::from((a - 1).count_ones() % 2 == 0)
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
