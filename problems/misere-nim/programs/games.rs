//! Games of misère Nim, many to a file, in turn of each kind that the rule tells apart.
//!
//! Arguments, each `key=value`: `t`, how many games; `n` and `max`, the most heaps and stones in one; `seed`.
//!
//! The kinds: nim-sum zero; nim-sum zero with one bit flipped; heaps of nothing and one; one heap of two or more among
//! such, which is always won, whatever its parity.

use std::collections::HashMap;

fn main() {
    let args = Args::from_command_line();
    let (t, n, max) = (args.number("t"), args.number("n"), args.number("max"));
    let mut rng = Rng(args.number("seed"));
    println!("{t}");
    for game in 0..t {
        let count = rng.between(2, n) as usize;
        let mut heaps: Vec<u64> = (0..count).map(|_| rng.between(0, 1)).collect();
        match game % 4 {
            0 => heaps = cancelling(count, max, &mut rng),
            1 => {
                heaps = cancelling(count, max, &mut rng);
                flip_one_bit(&mut heaps, max, &mut rng);
            }
            2 => {}
            _ => heaps[0] = rng.between(2, max),
        }
        rng.shuffle(&mut heaps);
        let words: Vec<String> = heaps.iter().map(u64::to_string).collect();
        println!("{count}\n{}", words.join(" "));
    }
}

/// Heaps with nim-sum zero.
fn cancelling(count: usize, max: u64, rng: &mut Rng) -> Vec<u64> {
    loop {
        let mut heaps: Vec<u64> = (1..count).map(|_| rng.between(0, max)).collect();
        let last = heaps.iter().fold(0, |sum, heap| sum ^ heap);
        if last <= max {
            heaps.push(last);
            return heaps;
        }
    }
}

fn flip_one_bit(heaps: &mut [u64], max: u64, rng: &mut Rng) {
    loop {
        let i = rng.below(heaps.len());
        let flipped = heaps[i] ^ 1 << rng.between(0, u64::from(max.ilog2()));
        if flipped <= max {
            heaps[i] = flipped;
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

    fn shuffle(&mut self, items: &mut [u64]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}
