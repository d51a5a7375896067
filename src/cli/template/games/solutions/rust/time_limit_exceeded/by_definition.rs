//! Too slow: computes the Grundy value of every heap size by the definition.

use std::io::Read;

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let all: Vec<usize> = text.split_ascii_whitespace().map(|word| word.parse().unwrap()).collect();
    let (k, a) = (all[1], &all[2..]);
    let largest = a.iter().copied().max().unwrap_or(0);
    let mut grundy: Vec<usize> = vec![];
    let mut seen = vec![usize::MAX; k + 2];
    for size in 0..=largest {
        for reached in &grundy[size - k.min(size)..] {
            seen[*reached] = size;
        }
        grundy.push((0..).find(|value| seen[*value] != size).unwrap());
    }
    let nim_sum = a.iter().fold(0, |sum, x| sum ^ grundy[*x]);
    println!("{}", if nim_sum == 0 { "Second" } else { "First" });
}
