// Crashes: a table for 32 binary digits, but sizes have up to 63.
use std::io;

fn main() {
    let input = io::read_to_string(io::stdin()).unwrap();
    let heaps: Vec<u64> = input.split_whitespace().skip(1).map(|w| w.parse().unwrap()).collect();
    let mut counts = [0u64; 32];
    for &heap in &heaps {
        let mut rest = heap;
        let mut bit = 0;
        while rest > 0 {
            counts[bit] += rest & 1;
            rest >>= 1;
            bit += 1;
        }
    }
    if counts.iter().all(|c| c % 3 == 0) {
        println!("C");
        return;
    }
    let can = |a: u64| {
        let mut y = 0;
        for bit in 0..32 {
            match (counts[bit] - (a >> bit & 1)) % 3 {
                1 => return false,
                2 => y |= 1u64 << bit,
                _ => {}
            }
        }
        y < a
    };
    println!("{}", if heaps.iter().any(|&a| can(a)) { "A" } else { "B" });
}
