//! Heaps for nim-move: lost, or won by a heap that comes late.
//!
//! Arguments, each `key=value`:
//! * `n`: how many heaps; `bits`: no size needs more binary digits;
//! * `want`: `zero` (nim-sum 0); `late` (nim-sum 0 but for one of the last heaps, which has some digits more); `any`;
//! * `seed`: what all chance is drawn from.

use std::collections::HashMap;

fn main() {
    let args = Args::from_command_line();
    let (n, bits) = (args.number("n") as usize, args.number("bits") as u32);
    let mut rng = Rng(args.number("seed"));
    let most = u64::MAX >> (64 - bits);
    let mut heaps: Vec<u64> = (0..n).map(|_| rng.between(0, most)).collect();
    if args.text("want") != "any" {
        heaps[0] = heaps[1..].iter().fold(0, |sum, heap| sum ^ heap);
        rng.shuffle(&mut heaps);
    }
    if args.text("want") == "late" {
        // A digit that one of the last heaps has and the others may have too; then only later heaps win.
        let heap = n - 1 - rng.below(n.min(3));
        let bit = 1 << rng.below(bits as usize);
        for other in &mut heaps[..heap] {
            *other &= !bit;
        }
        let sum = heaps.iter().fold(0, |sum, heap| sum ^ heap);
        heaps[heap] ^= sum & (bit - 1);
        heaps[heap] |= bit;
    }
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
