// Crashes: looks for the mex among 0..=size only, as if a Grundy value could not exceed the size of its heap.
use std::collections::HashSet;
use std::io;

fn main() {
    let input = io::read_to_string(io::stdin()).unwrap();
    let heaps: Vec<usize> = input.split_whitespace().skip(1).map(|w| w.parse().unwrap()).collect();
    let largest = *heaps.iter().max().unwrap();
    let mut g = vec![0usize];
    for size in 1..=largest {
        let mut seen = HashSet::new();
        for b in 0..size {
            for c in 0..=b {
                seen.insert(g[b] ^ g[c]);
            }
        }
        g.push((0..=size).find(|v| !seen.contains(v)).unwrap());
    }
    let x = heaps.iter().fold(0, |x, &a| x ^ g[a]);
    println!("{}", if x != 0 { "Yes" } else { "No" });
}
