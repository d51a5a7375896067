//! Two heaps for wythoff that are lost, or nearly so, because by chance they almost never are.
//!
//! Arguments, each `key=value`: `max`, the most stones of the larger heap, the upper half of which is drawn from; `seed`;
//! * `kind`: `lost`; `near`, a lost pair with both heaps one larger or both one smaller; `equal`.

use std::collections::HashMap;

fn main() {
    let args = Args::from_command_line();
    let max = args.number("max");
    let mut rng = Rng(args.number("seed"));
    // The larger heap of a lost pair is about 2.618 times the difference.
    let difference = rng.between(max / 6, max / 3);
    let small = (u128::from(difference) + root(5 * u128::from(difference).pow(2))) as u64 / 2;
    let (small, large) = match args.text("kind") {
        "lost" => (small, small + difference),
        "near" if rng.below(2) == 0 => (small + 1, small + 1 + difference),
        "near" => (small - 1, small - 1 + difference),
        "equal" => (small, small),
        other => panic!("kind={other} is not one of lost, near, equal"),
    };
    let (a, b) = if rng.below(2) == 0 { (small, large) } else { (large, small) };
    println!("{a} {b}");
}

/// The greatest number whose square is not above `square`.
fn root(square: u128) -> u128 {
    let (mut low, mut high) = (0, 1 << 63);
    while low + 1 < high {
        let middle = (low + high) / 2;
        if middle * middle <= square { low = middle } else { high = middle }
    }
    low
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
