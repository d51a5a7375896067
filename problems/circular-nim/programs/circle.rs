//! Circles for circular-nim: full, or with runs that cancel, which by chance they seldom do.
//!
//! Arguments, each `key=value`:
//! * `n`: how many places; `k`: how many pieces a move removes;
//! * `shape`: `full`; `dense` (one place in ten is empty); `twice` (an arrangement and its copy, which is lost; one place more
//!   is left empty if `n` is odd); `shifted` (the same with one run a piece longer, and turned, so that a run goes over the end);
//! * `seed`: what all chance is drawn from.

use std::collections::HashMap;

fn main() {
    let args = Args::from_command_line();
    let (n, k) = (args.number("n") as usize, args.number("k"));
    let mut rng = Rng(args.number("seed"));
    let mut places = match args.text("shape") {
        "full" => vec![true; n],
        "dense" => (0..n).map(|_| rng.below(10) > 0).collect(),
        "twice" => twice(n, &mut rng),
        "shifted" => {
            let mut places = twice(n, &mut rng);
            if let Some(gap) = places.iter().position(|piece| !piece) {
                places[gap] = true;
            }
            places
        }
        other => panic!("shape={other} is not one of full, dense, twice, shifted"),
    };
    let turn = rng.below(n);
    places.rotate_left(turn);
    let word: String = places.iter().map(|&piece| if piece { '#' } else { '.' }).collect();
    println!("{k}\n{word}");
}

/// Runs of some places with gaps between them, and the same again.
fn twice(n: usize, rng: &mut Rng) -> Vec<bool> {
    let half = n / 2;
    let mut places: Vec<bool> = (0..half).map(|_| rng.below(8) > 0).collect();
    if let Some(last) = places.last_mut() {
        *last = false;
    }
    places.extend_from_within(..);
    places.resize(n, false);
    places
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
