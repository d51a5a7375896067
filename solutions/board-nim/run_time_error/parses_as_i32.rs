// Crashes: sides do not fit 32 bits.
use std::io;

fn main() {
    let input = io::read_to_string(io::stdin()).unwrap();
    let all: Vec<i32> = input.split_whitespace().map(|w| w.parse().unwrap()).collect();
    println!("{}", if all[1..].iter().filter(|&k| k % 2 == 0).count() > 1 { "No" } else { "Yes" });
}
