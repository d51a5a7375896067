//! Sets of moves and heaps for set-nim, where the nim-sum of the heaps' Grundy values is chosen.
//!
//! Arguments, each `key=value`:
//! * `k`, `smin`, `smax`: how many moves, the smallest that may be, the largest that may be;
//! * `shape`: `random`; `run` (smin, smin + 1 and so on); `multiples` (of smin); `powers` (smin times powers of two);
//! * `n`, `hmax`: how many heaps, and the largest size;
//! * `xor`: `zero`, the player to move loses; `other`, he wins;
//! * `seed`: what all chance is drawn from.

use std::collections::HashMap;

fn main() {
    let args = Args::from_command_line();
    let (n, hmax) = (args.number("n") as usize, args.number("hmax"));
    let mut rng = Rng(args.number("seed"));
    let mut moves = draw(&args, &mut rng);
    let values = grundy(hmax as usize, &moves);
    let heaps = place(args.text("xor") == "zero", n, hmax, &values, &mut rng);
    rng.shuffle(&mut moves);
    println!("{}\n{}\n{n}\n{}", moves.len(), words(&moves), words(&heaps));
}

/// Different moves of the shape asked for, as many as there are up to `smax`.
fn draw(args: &Args, rng: &mut Rng) -> Vec<u64> {
    let (k, smin, smax) = (args.number("k"), args.number("smin"), args.number("smax"));
    let moves: Vec<u64> = match args.text("shape") {
        "run" => (smin..smin + k).collect(),
        "multiples" => (1..=k).map(|i| i * smin).collect(),
        "powers" => (0..k).map(|i| smin << i).collect(),
        "random" => {
            let mut all: Vec<u64> = (smin + 1..=smax).collect();
            rng.shuffle(&mut all);
            // The smallest is among them, so that heaps are worth something.
            std::iter::once(smin).chain(all).take(k as usize).collect()
        }
        other => panic!("shape={other} is not one of random, run, multiples, powers"),
    };
    moves.into_iter().filter(|&s| s <= smax).collect()
}

fn grundy(hmax: usize, moves: &[u64]) -> Vec<usize> {
    let mut values = vec![0; hmax + 1];
    for h in 0..=hmax {
        let mut seen = vec![false; moves.len() + 1];
        let left = moves.iter().filter_map(|&s| h.checked_sub(s as usize));
        left.for_each(|rest| seen[values[rest]] = true);
        values[h] = seen.iter().take_while(|&&seen| seen).count();
    }
    values
}

/// Heaps whose values have nim-sum zero, or not, as wanted: the last is chosen to fit the others.
fn place(zero: bool, n: usize, hmax: u64, values: &[usize], rng: &mut Rng) -> Vec<u64> {
    for _ in 0..10_000 {
        let mut heaps: Vec<u64> = (1..n).map(|_| rng.between(1, hmax)).collect();
        let sum = heaps.iter().fold(0, |sum, &h| sum ^ values[h as usize]);
        let last: Vec<u64> = (1..=hmax).filter(|&h| (values[h as usize] == sum) == zero).collect();
        if !last.is_empty() {
            heaps.push(last[rng.below(last.len())]);
            return heaps;
        }
    }
    panic!("no heaps were found with the nim-sum asked for")
}

fn words(numbers: &[u64]) -> String {
    numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(" ")
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
