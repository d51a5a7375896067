// Crashes: parses sizes as i32, which panics from 2^31 on.
use std::io;

fn main() {
    let input = io::read_to_string(io::stdin()).unwrap();
    let heaps: Vec<i32> = input.split_whitespace().skip(1).map(|w| w.parse().unwrap()).collect();
    let largest = *heaps.iter().max().unwrap();
    let count = heaps.iter().filter(|&&a| a > 0 && a == largest).count();
    println!("{}", if count % 2 == 1 { "Yes" } else { "No" });
}
