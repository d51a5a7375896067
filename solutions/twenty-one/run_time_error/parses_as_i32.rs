// Crashes: numbers do not fit 32 bits.
use std::io;

fn main() {
    let input = io::read_to_string(io::stdin()).unwrap();
    let all: Vec<i32> = input.split_whitespace().map(|w| w.parse().unwrap()).collect();
    println!("{}", (all[0] - 1 - all[2]) % (all[1] + 1));
}
