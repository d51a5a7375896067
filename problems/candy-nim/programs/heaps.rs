//! Three heaps for candy-nim with nim-sum zero or another.
//!
//! Arguments, each `key=value`: `max` (15, 30 or 31; no size is above 30); `xor` (`zero` or `other`); `seed`: what all chance is drawn
//! from.

use std::collections::HashMap;

fn main() {
    let args = Args::from_command_line();
    let max = args.number("max").min(30);
    let mut rng = Rng(args.number("seed"));
    loop {
        let (a, b) = (rng.between(1, max), rng.between(1, max));
        let c = if args.text("xor") == "zero" { a ^ b } else { rng.between(1, max) };
        if c <= 30 {
            println!("3\n{a} {b} {c}");
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

    /// A number from `low` to `high`, both included.
    fn between(&mut self, low: u64, high: u64) -> u64 {
        low + (u128::from(self.next()) * (u128::from(high - low) + 1) >> 64) as u64
    }
}
