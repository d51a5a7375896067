//! Acyclic graphs with tokens for dag-sg, where the nim-sum of the tokens' Grundy values is chosen.
//!
//! Arguments, each `key=value`:
//! * `n`, `k`: how many vertices and tokens; `m`: how many edges at most (a `chain` has n - 1);
//! * `shape`: `chain` (one path through all vertices); `wide` (most vertices are sources or sinks); `layers` (forty of
//!   them, edges from each to the next); `islands` (components of five vertices, some vertices left alone); `parallel`
//!   (random, every third edge repeated); `dense` (edges between every two vertices of as many as `m` allows);
//!   `ladder` (each vertex leads to the next three, so there are exponentially many ways down);
//! * `labels`: `forward` (edges lead from smaller numbers to greater); `backward`; `shuffled`;
//! * `tokens`: `any`; `pairs` (two on a vertex wherever two are left to place);
//! * `xor`: `zero`, the player to move loses; `other`, he wins;
//! * `seed`: what all chance is drawn from.

use std::collections::HashMap;

fn main() {
    let args = Args::from_command_line();
    let (n, m, k) = (args.count("n"), args.count("m"), args.count("k"));
    let mut rng = Rng(args.number("seed"));
    let mut edges = draw(args.text("shape"), n, m, &mut rng);
    let values = grundy(n, &edges);
    let mut tokens = place(args.text("tokens"), args.text("xor") == "zero", k, &values, &mut rng);
    rng.shuffle(&mut edges);
    rng.shuffle(&mut tokens);
    let label = labels(args.text("labels"), n, &mut rng);
    println!("{n} {} {k}", edges.len());
    for (x, y) in edges {
        println!("{} {}", label[x], label[y]);
    }
    let words: Vec<String> = tokens.iter().map(|&v| label[v].to_string()).collect();
    println!("{}", words.join(" "));
}

/// Edges of the shape asked for, each from a smaller vertex to a greater, vertices counted from zero.
fn draw(shape: &str, n: usize, m: usize, rng: &mut Rng) -> Vec<(usize, usize)> {
    match shape {
        "chain" => (1..n).map(|v| (v - 1, v)).collect(),
        "ladder" => (0..n).flat_map(|v| (v + 1..=v + 3).map(move |w| (v, w))).filter(|e| e.1 < n).take(m).collect(),
        "dense" => dense(n, m),
        "wide" => (0..m).map(|_| wide(n, rng)).collect(),
        "layers" => (0..m).map(|_| between_layers(n, rng)).collect(),
        "islands" => (0..m).map(|_| within_island(n, rng)).collect(),
        "parallel" => parallel(n, m, rng),
        other => panic!("shape={other} is not one of chain, wide, layers, islands, parallel, dense, ladder"),
    }
}

/// Every edge there can be between the last vertices, as many of them as `m` edges allow.
fn dense(n: usize, m: usize) -> Vec<(usize, usize)> {
    let size = (1..=n).take_while(|s| s * (s - 1) / 2 <= m).last().unwrap_or(1);
    let first = n - size;
    (first..n).flat_map(|v| (v + 1..n).map(move |w| (v, w))).collect()
}

/// An edge between the first third, a few vertices in the middle, and the last third.
fn wide(n: usize, rng: &mut Rng) -> (usize, usize) {
    let (source, sink) = (rng.below(n / 3), n - 1 - rng.below(n / 3));
    let middle = n / 3 + rng.below(n / 50 + 1);
    match rng.below(3) {
        0 => (source, sink),
        1 => (source, middle),
        _ => (middle, sink),
    }
}

fn between_layers(n: usize, rng: &mut Rng) -> (usize, usize) {
    let width = n / 40;
    let layer = rng.below(39);
    (layer * width + rng.below(width), (layer + 1) * width + rng.below(width))
}

/// An edge between two of five neighbouring vertices; three groups in four are used.
fn within_island(n: usize, rng: &mut Rng) -> (usize, usize) {
    let first = 5 * rng.below(n / 5);
    if first % 20 == 0 {
        return within_island(n, rng);
    }
    ordered_pair(first, 5, rng)
}

fn parallel(n: usize, m: usize, rng: &mut Rng) -> Vec<(usize, usize)> {
    let mut edges = vec![ordered_pair(0, n, rng)];
    while edges.len() < m {
        let again = edges[rng.below(edges.len())];
        edges.push(if edges.len() % 3 == 0 { again } else { ordered_pair(0, n, rng) });
    }
    edges
}

/// Two different vertices out of `count`, the smaller first.
fn ordered_pair(first: usize, count: usize, rng: &mut Rng) -> (usize, usize) {
    let (x, y) = (rng.below(count), rng.below(count - 1));
    let y = if y >= x { y + 1 } else { y };
    (first + x.min(y), first + x.max(y))
}

/// The Grundy value of every vertex, greatest vertex first, as edges lead to greater ones.
fn grundy(n: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let mut successors = vec![Vec::new(); n];
    edges.iter().for_each(|&(x, y)| successors[x].push(y));
    let mut values = vec![0; n];
    for v in (0..n).rev() {
        let mut seen: Vec<usize> = successors[v].iter().map(|&w| values[w]).collect();
        seen.sort_unstable();
        seen.dedup();
        values[v] = (0..).zip(seen.iter()).take_while(|(i, value)| i == *value).count();
    }
    values
}

/// Puts down `k` tokens, the last one where it makes the nim-sum zero or not, as wanted.
fn place(how: &str, zero: bool, k: usize, values: &[usize], rng: &mut Rng) -> Vec<usize> {
    for _ in 0..10_000 {
        let mut tokens = Vec::with_capacity(k);
        while tokens.len() + 1 < k {
            let v = rng.below(values.len());
            tokens.push(v);
            if how == "pairs" && tokens.len() + 2 < k {
                tokens.push(v);
            }
        }
        let sum = tokens.iter().fold(0, |sum, &v| sum ^ values[v]);
        let last: Vec<usize> = (0..values.len()).filter(|&v| (values[v] == sum) == zero).collect();
        if !last.is_empty() {
            tokens.push(last[rng.below(last.len())]);
            return tokens;
        }
    }
    panic!("no way was found to place {k} tokens with the nim-sum asked for")
}

/// The number each vertex bears in the file.
fn labels(how: &str, n: usize, rng: &mut Rng) -> Vec<usize> {
    let mut labels: Vec<usize> = (1..=n).collect();
    match how {
        "forward" => {}
        "backward" => labels.reverse(),
        "shuffled" => rng.shuffle(&mut labels),
        other => panic!("labels={other} is not one of forward, backward, shuffled"),
    }
    labels
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

    fn count(&self, key: &str) -> usize {
        self.number(key) as usize
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

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}
