//! Wrong answer: ignores that a move takes at most k stones.

use std::io::Read;

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let all: Vec<usize> = text.split_ascii_whitespace().map(|word| word.parse().unwrap()).collect();
    let a = &all[2..];
    let nim_sum = a.iter().fold(0, |sum, x| sum ^ x);
    println!("{}", if nim_sum == 0 { "Second" } else { "First" });
}
