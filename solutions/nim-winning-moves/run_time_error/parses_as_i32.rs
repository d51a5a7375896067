// Crashes: parses sizes as i32, which panics from 2^31 on.
use std::io;

fn main() {
    let input = io::read_to_string(io::stdin()).unwrap();
    let heaps: Vec<i32> = input.split_whitespace().skip(1).map(|w| w.parse().unwrap()).collect();
    let x = heaps.iter().fold(0, |x, a| x ^ a);
    println!("{}", heaps.iter().filter(|&&a| a ^ x < a).count());
}
