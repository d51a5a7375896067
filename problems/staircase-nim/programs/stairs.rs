//! Staircases for staircase-nim whose nim-sum over the odd steps is chosen, because by chance it is almost never zero.
//!
//! Arguments, each `key=value`:
//! * `n`, `max`: how many steps, and the most stones on one;
//! * `odd`: the steps that count: `random`; `equal`; `powers` (of two); `triples` (x, y, x xor y: nim-sum zero with no
//!   two equal, what is left over in equal pairs);
//! * `even`: the steps that don't: `random`; `ones`; `equal` (as many as on step 1); `huge` (near `max`); `cancel` (the
//!   nim-sum of all steps is zero, so that who counts all of them is misled);
//! * `xor`: over the odd steps `any`; `zero`; `one-bit` (zero, then one bit of one step flipped);
//! * `seed`: what all chance is drawn from.

use std::collections::HashMap;

fn main() {
    let args = Args::from_command_line();
    let (n, max) = (args.number("n") as usize, args.number("max"));
    let mut rng = Rng(args.number("seed"));
    let mut odd = odd_steps(args.text("odd"), n.div_ceil(2), max, &mut rng);
    if args.text("xor") != "any" {
        set_nim_sum(&mut odd, 0, max, &mut rng);
    }
    if args.text("xor") == "one-bit" {
        flip_one_bit(&mut odd, max, &mut rng);
    }
    rng.shuffle(&mut odd);
    let even = even_steps(args.text("even"), n / 2, max, &odd, &mut rng);
    let steps: Vec<String> = (0..n).map(|i| if i % 2 == 0 { odd[i / 2] } else { even[i / 2] }.to_string()).collect();
    println!("{n}\n{}", steps.join(" "));
}

/// Stones for the steps 1, 3, 5 and so on.
fn odd_steps(shape: &str, count: usize, max: u64, rng: &mut Rng) -> Vec<u64> {
    match shape {
        "random" => (0..count).map(|_| rng.between(1, max)).collect(),
        "equal" => vec![rng.between(1, max); count],
        "powers" => (0..count).map(|_| 1 << rng.between(0, u64::from(max.ilog2()))).collect(),
        "triples" => triples(count, max, rng),
        other => panic!("odd={other} is not one of random, equal, powers, triples"),
    }
}

/// Stones for the steps 2, 4, 6 and so on, which decide nothing.
fn even_steps(shape: &str, count: usize, max: u64, odd: &[u64], rng: &mut Rng) -> Vec<u64> {
    let mut even: Vec<u64> = match shape {
        "random" | "cancel" => (0..count).map(|_| rng.between(1, max)).collect(),
        "ones" => vec![1; count],
        "equal" => vec![odd[0]; count],
        "huge" => (0..count).map(|_| rng.between(max - max / 1000, max)).collect(),
        other => panic!("even={other} is not one of random, ones, equal, huge, cancel"),
    };
    if shape == "cancel" {
        set_nim_sum(&mut even, nim_sum(odd), max, rng);
    }
    even
}

/// Threes with nim-sum zero, and equal pairs or a single one where three don't fit.
fn triples(count: usize, max: u64, rng: &mut Rng) -> Vec<u64> {
    let half = 1 << max.ilog2();
    let mut stones = Vec::with_capacity(count);
    while stones.len() + 3 <= count {
        // Below the top bit no xor exceeds `max`; two different numbers leave a third that is not zero.
        let (x, y) = (rng.between(1, half - 1), rng.between(1, half - 1));
        if x != y {
            stones.extend([x, y, x ^ y]);
        }
    }
    let pair = rng.between(1, max);
    stones.resize(count, pair);
    stones
}

fn nim_sum(stones: &[u64]) -> u64 {
    stones.iter().fold(0, |sum, x| sum ^ x)
}

/// Changes one step, or two where one won't do, so that the nim-sum becomes `wanted`.
fn set_nim_sum(stones: &mut [u64], wanted: u64, max: u64, rng: &mut Rng) {
    assert!(stones.len() >= 2, "a nim-sum can't be chosen for fewer than two steps");
    let change = nim_sum(stones) ^ wanted;
    let start = rng.below(stones.len());
    let mut order = (0..stones.len()).map(|i| (start + i) % stones.len());
    if let Some(i) = order.find(|&i| (1..=max).contains(&(stones[i] ^ change))) {
        stones[i] ^= change;
        return;
    }
    let (i, j) = (start, (start + 1) % stones.len());
    let both = change ^ stones[i] ^ stones[j];
    loop {
        let x = rng.between(1, max);
        if (1..=max).contains(&(x ^ both)) {
            (stones[i], stones[j]) = (x, x ^ both);
            return;
        }
    }
}

/// Flips one bit of one step. At least one stone stays, and no step gets more than `max`.
fn flip_one_bit(stones: &mut [u64], max: u64, rng: &mut Rng) {
    loop {
        let i = rng.below(stones.len());
        let flipped = stones[i] ^ 1 << rng.between(0, u64::from(max.ilog2()));
        if (1..=max).contains(&flipped) {
            stones[i] = flipped;
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
