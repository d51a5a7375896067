//! Heaps for subtraction-game with a chosen nim-sum of their residues modulo r + 1.
//!
//! Arguments, each `key=value`: `n`, how many heaps; `r`, the most a move may take; `max`, the largest size; `seed`;
//! * `xor`: `any`; `zero`, no move wins.

use std::collections::HashMap;

fn main() {
    let args = Args::from_command_line();
    let (n, r, max) = (args.number("n") as usize, args.number("r"), args.number("max"));
    let mut rng = Rng(args.number("seed"));
    let mut heaps: Vec<u64> = (0..n).map(|_| rng.between(0, max)).collect();
    if args.text("xor") == "zero" {
        cancel(&mut heaps, r, max, &mut rng);
    }
    rng.shuffle(&mut heaps);
    let words: Vec<String> = heaps.iter().map(u64::to_string).collect();
    println!("{n} {r}\n{}", words.join(" "));
}

/// Draws heaps anew, one after another, until the last can be chosen so that the residues cancel.
fn cancel(heaps: &mut [u64], r: u64, max: u64, rng: &mut Rng) {
    let n = heaps.len();
    loop {
        let rest = heaps[..n - 1].iter().fold(0, |sum, heap| sum ^ heap % (r + 1));
        if rest <= r.min(max) {
            // Any size with this residue will do: some multiples of r + 1 go on top.
            heaps[n - 1] = rest + rng.between(0, (max - rest) / (r + 1)) * (r + 1);
            return;
        }
        heaps[rng.below(n - 1)] = rng.between(0, max);
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
