// Crashes: expects Grundy values below 16. With a hundred moves they reach 100.
use std::io;

fn main() {
    let input = io::read_to_string(io::stdin()).unwrap();
    let all: Vec<usize> = input.split_whitespace().map(|w| w.parse().unwrap()).collect();
    let moves = &all[1..=all[0]];
    let heaps = &all[all[0] + 2..];
    let mut g = vec![0usize; 10001];
    for h in 1..=10000 {
        let mut seen = [false; 16];
        for &s in moves {
            if s <= h {
                seen[g[h - s]] = true;
            }
        }
        g[h] = seen.iter().position(|&s| !s).unwrap();
    }
    let x = heaps.iter().fold(0, |x, &h| x ^ g[h]);
    println!("{}", if x != 0 { "Yes" } else { "No" });
}
