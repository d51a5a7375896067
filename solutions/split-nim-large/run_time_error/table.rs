// Crashes: uses a table of a thousand values.
use std::io;

fn main() {
    let odious: Vec<u64> = (0..4000_u64).filter(|v| v.count_ones() % 2 == 1).collect();
    let input = io::read_to_string(io::stdin()).unwrap();
    let mut sum = 0;
    for word in input.split_whitespace().skip(1) {
        let heap: usize = word.parse().unwrap();
        if heap > 0 {
            sum ^= odious[heap - 1];
        }
    }
    println!("{}", if sum == 0 { "No" } else { "Yes" });
}
