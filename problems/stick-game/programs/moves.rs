//! Sets of moves for stick-game; a move of one stick is always among them, and they come in no order.
//!
//! Arguments, each `key=value`: `n`, how many sticks; `k`, how many moves, fewer if there are not so many; `seed`;
//! * `shape`: `run` (1, 2, 3 and so on); `odd`; `spread` (anything up to n); `great` (one, and the greatest there are).

use std::collections::HashMap;

fn main() {
    let args = Args::from_command_line();
    let (n, k) = (args.number("n"), args.number("k") as usize);
    let mut rng = Rng(args.number("seed"));
    let mut others: Vec<u64> = (2..=n).collect();
    match args.text("shape") {
        "run" => {}
        "odd" => others.retain(|p| p % 2 == 1),
        "spread" => rng.shuffle(&mut others),
        "great" => others.reverse(),
        other => panic!("shape={other} is not one of run, odd, spread, great"),
    }
    let mut moves: Vec<u64> = std::iter::once(1).chain(others).take(k).collect();
    rng.shuffle(&mut moves);
    let words: Vec<String> = moves.iter().map(u64::to_string).collect();
    println!("{n} {}\n{}", moves.len(), words.join(" "));
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

    fn shuffle(&mut self, items: &mut [u64]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}
