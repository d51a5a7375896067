//! Sizes for grundys-game, near those that are lost, since beyond 1222 none is known to be.
//!
//! Arguments, each `key=value`:
//! * `t`: how many; `max`: no size is larger;
//! * `kind`: `all` (1, 2, 3, ... and again); `near` (a lost heap, or one beside it); `random`;
//! * `seed`: what all chance is drawn from.

use std::collections::HashMap;

fn main() {
    let args = Args::from_command_line();
    let (t, max) = (args.number("t"), args.number("max"));
    let mut rng = Rng(args.number("seed"));
    let lost = lost_heaps(1300);
    println!("{t}");
    for i in 0..t {
        let n = match args.text("kind") {
            "all" => i % max + 1,
            "near" => (lost[rng.below(lost.len())] + rng.between(0, 1) * rng.between(0, 2)).min(max),
            "random" => rng.between(1, max),
            other => panic!("kind={other} is not one of all, near, random"),
        };
        println!("{n}");
    }
}

/// The heaps whose Grundy value is zero.
fn lost_heaps(to: usize) -> Vec<u64> {
    let mut values = vec![0_usize; to + 1];
    for n in 3..=to {
        let mut seen = vec![false; 2 * to];
        for part in 1..n.div_ceil(2) {
            seen[values[part] ^ values[n - part]] = true;
        }
        values[n] = seen.iter().position(|seen| !seen).unwrap();
    }
    (1..=to).filter(|&n| values[n] == 0).map(|n| n as u64).collect()
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
