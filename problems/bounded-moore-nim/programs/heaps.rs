//! Four heaps for bounded-moore-nim, which the textbook's rule calls lost, or any.
//!
//! Arguments, each `key=value`: `k`, `r`, `max`, the largest size; `shape`: `textbook` (in each binary digit of the sizes modulo r + 1
//! the number of heaps is divisible by k + 1) or `random`; `seed`: what all chance is drawn from.

use std::collections::HashMap;

fn main() {
    let args = Args::from_command_line();
    let (k, r, max) = (args.number("k"), args.number("r"), args.number("max"));
    let mut rng = Rng(args.number("seed"));
    loop {
        let heaps: Vec<u64> = (0..4).map(|_| rng.between(1, max)).collect();
        let count = |bit: u32| heaps.iter().filter(|&heap| heap % (r + 1) >> bit & 1 == 1).count() as u64;
        let lost = (0..3).all(|bit| count(bit) % (k + 1) == 0);
        // Equal remainders are lost by every rule; others tell rules apart.
        let equal = heaps.iter().all(|heap| heap % (r + 1) == heaps[0] % (r + 1));
        if args.text("shape") == "random" || lost && (!equal || rng.below(20) == 0) {
            let words: Vec<String> = heaps.iter().map(u64::to_string).collect();
            println!("4 {k} {r}\n{}", words.join(" "));
            return;
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
}
