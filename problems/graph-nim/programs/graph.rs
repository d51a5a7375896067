//! Graphs for graph-nim from families with known values.
//!
//! Arguments, each `key=value`: `n`, how many vertices; `shape`: `path`, `cycle`, `star`, `complete`, `tree` (by chance), `bipartite`
//! (complete, with sides by chance), `twice` (a tree and its copy); `seed`: the random seed. Vertices get their numbers by
//! chance.

use std::process::ExitCode;

use nimatron_kit::*;

fn main() -> ExitCode {
    generator(make)
}

fn make(args: &Args) -> Result<String, Complaint> {
    let n = args.get::<u64>("n")?;
    let mut random = args.random()?;
    let pairs = || (0..n).flat_map(|v| (0..v).map(move |u| (u, v)));
    let edges: Vec<(u64, u64)> = match args.text("shape")? {
        "path" => (1..n).map(|v| (v - 1, v)).collect(),
        "cycle" => (0..n).map(|v| (v, (v + 1) % n)).collect(),
        "star" => (1..n).map(|v| (0, v)).collect(),
        "complete" => pairs().collect(),
        "tree" => (1..n).map(|v| (random.between(0, v - 1), v)).collect(),
        "bipartite" => {
            let side = random.between(1, n - 1);
            pairs().filter(|&(u, v)| u < side && v >= side).collect()
        }
        "twice" => {
            let half = n / 2;
            let tree: Vec<(u64, u64)> = (1..half).map(|v| (random.between(0, v - 1), v)).collect();
            tree.iter().flat_map(|&(u, v)| [(u, v), (u + half, v + half)]).collect()
        }
        other => {
            let known = "path, cycle, star, complete, tree, bipartite, twice";
            return Err(format!("shape={other} is not one of {known}").into());
        }
    };
    let mut names: Vec<u64> = (1..=n).collect();
    random.shuffle(&mut names);
    let mut text = format!("{n} {}\n", edges.len());
    for (u, v) in edges {
        text += &format!("{} {}\n", names[u as usize], names[v as usize]);
    }
    Ok(text)
}
