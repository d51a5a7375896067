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
//! * `seed`: the random seed.

use std::process::ExitCode;

use nimatron_kit::*;

fn main() -> ExitCode {
    generator(make)
}

fn make(args: &Args) -> Result<String, Complaint> {
    let (n, m, k) = (args.get::<usize>("n")?, args.get::<usize>("m")?, args.get::<usize>("k")?);
    let mut random = args.random()?;
    let mut edges = draw(args.text("shape")?, n, m, &mut random)?;
    let values = grundy(n, &edges);
    let mut tokens = place(args.text("tokens")?, args.text("xor")? == "zero", k, &values, &mut random)?;
    random.shuffle(&mut edges);
    random.shuffle(&mut tokens);
    let label = labels(args.text("labels")?, n, &mut random)?;
    let mut text = format!("{n} {} {k}\n", edges.len());
    for (x, y) in edges {
        text += &format!("{} {}\n", label[x], label[y]);
    }
    let places: Vec<usize> = tokens.iter().map(|&v| label[v]).collect();
    Ok(text + &joined(&places) + "\n")
}

/// Edges of the requested shape, each from a smaller vertex to a greater, vertices counted from zero.
fn draw(shape: &str, n: usize, m: usize, random: &mut Random) -> Result<Vec<(usize, usize)>, Complaint> {
    Ok(match shape {
        "chain" => (1..n).map(|v| (v - 1, v)).collect(),
        "ladder" => (0..n).flat_map(|v| (v + 1..=v + 3).map(move |w| (v, w))).filter(|e| e.1 < n).take(m).collect(),
        "dense" => dense(n, m),
        "wide" => (0..m).map(|_| wide(n, random)).collect(),
        "layers" => (0..m).map(|_| between_layers(n, random)).collect(),
        "islands" => (0..m).map(|_| within_island(n, random)).collect(),
        "parallel" => parallel(n, m, random),
        other => {
            let known = "chain, wide, layers, islands, parallel, dense, ladder";
            return Err(format!("shape={other} is not one of {known}").into());
        }
    })
}

/// Every edge there can be between the last vertices, as many vertices as `m` edges allow.
fn dense(n: usize, m: usize) -> Vec<(usize, usize)> {
    let size = (1..=n).take_while(|s| s * (s - 1) / 2 <= m).last().unwrap_or(1);
    let first = n - size;
    (first..n).flat_map(|v| (v + 1..n).map(move |w| (v, w))).collect()
}

/// An edge between the first third, a few vertices in the middle, and the last third.
fn wide(n: usize, random: &mut Random) -> (usize, usize) {
    let (source, sink) = (random.below(n / 3), n - 1 - random.below(n / 3));
    let middle = n / 3 + random.below(n / 50 + 1);
    match random.below(3) {
        0 => (source, sink),
        1 => (source, middle),
        _ => (middle, sink),
    }
}

fn between_layers(n: usize, random: &mut Random) -> (usize, usize) {
    let width = n / 40;
    let layer = random.below(39);
    (layer * width + random.below(width), (layer + 1) * width + random.below(width))
}

/// An edge between two of five neighbouring vertices; three groups in four are used.
fn within_island(n: usize, random: &mut Random) -> (usize, usize) {
    let first = 5 * random.below(n / 5);
    if first % 20 == 0 {
        return within_island(n, random);
    }
    ordered_pair(first, 5, random)
}

fn parallel(n: usize, m: usize, random: &mut Random) -> Vec<(usize, usize)> {
    let mut edges = vec![ordered_pair(0, n, random)];
    while edges.len() < m {
        let again = edges[random.below(edges.len())];
        edges.push(if edges.len() % 3 == 0 { again } else { ordered_pair(0, n, random) });
    }
    edges
}

/// Two different vertices out of `count`, the smaller first.
fn ordered_pair(first: usize, count: usize, random: &mut Random) -> (usize, usize) {
    let (x, y) = (random.below(count), random.below(count - 1));
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

/// Places `k` tokens. The last one makes the nim-sum zero or non-zero, as requested.
fn place(how: &str, zero: bool, k: usize, values: &[usize], random: &mut Random) -> Result<Vec<usize>, Complaint> {
    for _ in 0..10_000 {
        let mut tokens = Vec::with_capacity(k);
        while tokens.len() + 1 < k {
            let v = random.below(values.len());
            tokens.push(v);
            if how == "pairs" && tokens.len() + 2 < k {
                tokens.push(v);
            }
        }
        let sum = tokens.iter().fold(0, |sum, &v| sum ^ values[v]);
        let last: Vec<usize> = (0..values.len()).filter(|&v| (values[v] == sum) == zero).collect();
        if !last.is_empty() {
            tokens.push(last[random.below(last.len())]);
            return Ok(tokens);
        }
    }
    Err(format!("no way was found to place {k} tokens with the nim-sum asked for").into())
}

/// The number of each vertex in the file.
fn labels(how: &str, n: usize, random: &mut Random) -> Result<Vec<usize>, Complaint> {
    let mut labels: Vec<usize> = (1..=n).collect();
    match how {
        "forward" => {}
        "backward" => labels.reverse(),
        "shuffled" => random.shuffle(&mut labels),
        other => return Err(format!("labels={other} is not one of forward, backward, shuffled").into()),
    }
    Ok(labels)
}
