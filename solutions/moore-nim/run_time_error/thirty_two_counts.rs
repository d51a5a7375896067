// Crashes: a table for 32 binary digits, but sizes have up to 60.
use std::io;

fn main() {
    let input = io::read_to_string(io::stdin()).unwrap();
    let all: Vec<u64> = input.split_whitespace().map(|w| w.parse().unwrap()).collect();
    let k = all[1];
    let mut counts = [0u64; 32];
    for &heap in &all[2..] {
        let mut rest = heap;
        let mut bit = 0;
        while rest > 0 {
            counts[bit] += rest & 1;
            rest >>= 1;
            bit += 1;
        }
    }
    println!("{}", if counts.iter().all(|c| c % (k + 1) == 0) { "No" } else { "Yes" });
}
