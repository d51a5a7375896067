// Sprague and Grundy: each token is a game of its own; its value is the mex of the values its vertex leads to,
// and the first player wins if and only if the xor of all tokens' values is not zero.
// Vertices are processed in reverse topological order: sinks first, then vertices whose successors are done.
use std::io;

fn main() -> io::Result<()> {
    let input = io::read_to_string(io::stdin())?;
    let mut numbers = input.split_whitespace().filter_map(|word| word.parse::<usize>().ok());
    let mut next = || numbers.next().unwrap_or(0);
    let (n, m, k) = (next(), next(), next());
    let mut successors = vec![Vec::new(); n + 1];
    let mut predecessors = vec![Vec::new(); n + 1];
    for _ in 0..m {
        let (x, y) = (next(), next());
        successors[x].push(y);
        predecessors[y].push(x);
    }
    let values = grundy(&successors, &predecessors);
    let nim_sum = (0..k).fold(0, |sum, _| sum ^ values[next()]);
    println!("{}", if nim_sum == 0 { "lose" } else { "win" });
    Ok(())
}

fn grundy(successors: &[Vec<usize>], predecessors: &[Vec<usize>]) -> Vec<usize> {
    let mut values = vec![0; successors.len()];
    let mut unmet: Vec<usize> = successors.iter().map(Vec::len).collect();
    let mut ready: Vec<usize> = (0..unmet.len()).filter(|&v| unmet[v] == 0).collect();
    while let Some(v) = ready.pop() {
        values[v] = mex(successors[v].iter().map(|&w| values[w]), successors[v].len());
        for &u in &predecessors[v] {
            unmet[u] -= 1;
            if unmet[u] == 0 {
                ready.push(u);
            }
        }
    }
    values
}

/// The mex of these `count` values.
fn mex(values: impl Iterator<Item = usize>, count: usize) -> usize {
    let mut seen = vec![false; count + 1];
    // A value above the count cannot be the mex.
    values.filter(|&value| value <= count).for_each(|value| seen[value] = true);
    seen.iter().take_while(|&&seen| seen).count()
}
