//! Heaps for classic-nim whose nim-sum is chosen, because by chance it is almost never zero.
//!
//! Arguments, each `key=value`:
//! * `n`, `max`: how many heaps, and the largest size;
//! * `shape`: `random`; `equal` (all the same); `ones`; `powers` (of two); `huge` (tiny heaps beside one or two
//!   very large ones); `triples` (x, y, x xor y: nim-sum zero with no two heaps equal);
//! * `xor`: `any`; `zero`; `one-bit` (zero, then one bit of one heap flipped);
//! * `seed`: what all chance is drawn from.

use std::collections::HashMap;

fn main() {
    let args = Args::from_command_line();
    let (n, max) = (args.number("n") as usize, args.number("max"));
    let mut rng = Rng(args.number("seed"));
    let xor = args.text("xor");
    let mut heaps = draw(args.text("shape"), xor, n, max, &mut rng);
    if xor != "any" {
        cancel(&mut heaps, max, &mut rng);
    }
    if xor == "one-bit" {
        flip_one_bit(&mut heaps, max, &mut rng);
    }
    rng.shuffle(&mut heaps);
    let words: Vec<String> = heaps.iter().map(u64::to_string).collect();
    println!("{n}\n{}", words.join(" "));
}

/// Heaps of the shape asked for, whatever their nim-sum.
fn draw(shape: &str, xor: &str, n: usize, max: u64, rng: &mut Rng) -> Vec<u64> {
    match shape {
        "random" => (0..n).map(|_| rng.between(1, max)).collect(),
        "equal" => vec![rng.between(1, max); n],
        "ones" => vec![1; n],
        "powers" => (0..n).map(|_| 1 << rng.between(0, u64::from(max.ilog2()))).collect(),
        "huge" => huge(if xor == "any" { 1 } else { 2 }, n, max, rng),
        "triples" => triples(n, max, rng),
        other => panic!("shape={other} is not one of random, equal, ones, powers, huge, triples"),
    }
}

/// `giants` equal heaps of more than half of `max` among heaps of at most three.
fn huge(giants: usize, n: usize, max: u64, rng: &mut Rng) -> Vec<u64> {
    // A multiple of four, so that what cancels the small heaps changes its last two bits only.
    let giant = rng.between(max / 8 + 1, max / 4 - 1) * 4;
    (0..n).map(|i| if i < giants { giant } else { rng.between(0, 3) }).collect()
}

/// Heaps in threes whose nim-sum is zero; what does not fill a three is left empty.
fn triples(n: usize, max: u64, rng: &mut Rng) -> Vec<u64> {
    let half = 1 << max.ilog2();
    let mut heaps = Vec::with_capacity(n);
    while heaps.len() + 3 <= n {
        // Below the top bit, no xor exceeds the largest size.
        let (x, y) = (rng.between(1, half - 1), rng.between(1, half - 1));
        heaps.extend([x, y, x ^ y]);
    }
    heaps.resize(n, 0);
    heaps
}

/// Changes one heap, or two where one won't do, so that the nim-sum is zero.
fn cancel(heaps: &mut [u64], max: u64, rng: &mut Rng) {
    let sum = heaps.iter().fold(0, |sum, heap| sum ^ heap);
    let start = rng.below(heaps.len());
    let mut order = (0..heaps.len()).map(|i| (start + i) % heaps.len());
    if let Some(i) = order.find(|&i| (1..=max).contains(&(heaps[i] ^ sum))) {
        heaps[i] ^= sum;
        return;
    }
    let (i, j) = (start, (start + 1) % heaps.len());
    let rest = sum ^ heaps[i] ^ heaps[j];
    loop {
        let x = rng.between(1, max);
        if x ^ rest <= max {
            (heaps[i], heaps[j]) = (x, x ^ rest);
            return;
        }
    }
}

/// Flips one bit of one heap. At least one stone stays, and no heap outgrows `max`.
fn flip_one_bit(heaps: &mut [u64], max: u64, rng: &mut Rng) {
    loop {
        let i = rng.below(heaps.len());
        let flipped = heaps[i] ^ 1 << rng.between(0, u64::from(max.ilog2()));
        if (1..=max).contains(&flipped) {
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
