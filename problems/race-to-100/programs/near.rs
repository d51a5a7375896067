//! Numbers for race-to-100 at the borders between places.
//!
//! Arguments, each `key=value`: `t`, `k`, `p`; `left`: what is left to t is a multiple of (p - 1) k + 1 (`last`), one more
//! (`first`), or `any`; `seed`: what all chance is drawn from.

use std::collections::HashMap;

fn main() {
    let args = Args::from_command_line();
    let (t, k, p) = (args.number("t"), args.number("k"), args.number("p"));
    let mut rng = Rng(args.number("seed"));
    let round = (p - 1) * k + 1;
    let whole = rng.between(0, (t - 1) / round) * round;
    let left = match args.text("left") {
        "last" => whole,
        "first" => whole + 1,
        "any" => rng.between(1, t),
        other => panic!("left={other} is not one of last, first, any"),
    };
    println!("{t} {k} {p} {}", t - left.clamp(1, t));
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
