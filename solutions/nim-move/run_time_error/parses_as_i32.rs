// Crashes: sizes do not fit 32 bits.
use std::io;

fn main() {
    let input = io::read_to_string(io::stdin()).unwrap();
    let all: Vec<i32> = input.split_whitespace().map(|w| w.parse().unwrap()).collect();
    let x = all[1..].iter().fold(0, |x, a| x ^ a);
    match all[1..].iter().position(|a| a ^ x < *a) {
        Some(at) => println!("{} {}", at + 1, all[at + 1] - (all[at + 1] ^ x)),
        None => println!("0 0"),
    }
}
