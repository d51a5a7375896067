//! Graphs for graph-nim of which something is known.
//!
//! Arguments, each `key=value`: `n`, how many vertices; `shape`: `path`, `cycle`, `star`, `complete`, `tree` (by chance), `bipartite`
//! (complete, with sides by chance), `twice` (a tree and its copy); `seed`: what all chance is drawn from. Vertices get their numbers by
//! chance.

use std::collections::HashMap;

fn main() {
    let args = Args::from_command_line();
    let n = args.number("n");
    let mut rng = Rng(args.number("seed"));
    let pairs = || (0..n).flat_map(|v| (0..v).map(move |u| (u, v)));
    let edges: Vec<(u64, u64)> = match args.text("shape") {
        "path" => (1..n).map(|v| (v - 1, v)).collect(),
        "cycle" => (0..n).map(|v| (v, (v + 1) % n)).collect(),
        "star" => (1..n).map(|v| (0, v)).collect(),
        "complete" => pairs().collect(),
        "tree" => (1..n).map(|v| (rng.between(0, v - 1), v)).collect(),
        "bipartite" => {
            let side = rng.between(1, n - 1);
            pairs().filter(|&(u, v)| u < side && v >= side).collect()
        }
        "twice" => {
            let half = n / 2;
            let tree: Vec<(u64, u64)> = (1..half).map(|v| (rng.between(0, v - 1), v)).collect();
            tree.iter().flat_map(|&(u, v)| [(u, v), (u + half, v + half)]).collect()
        }
        other => panic!("shape={other} is not known"),
    };
    let mut names: Vec<u64> = (1..=n).collect();
    rng.shuffle(&mut names);
    println!("{n} {}", edges.len());
    for (u, v) in edges {
        println!("{} {}", names[u as usize], names[v as usize]);
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
