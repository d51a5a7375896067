// Crashes: uses a table that ends at 2000 for larger heaps.
use std::io;

fn main() {
    let mut values = vec![0_usize; 2001];
    for n in 3..values.len() {
        let mut seen = [false; 512];
        for part in 1..n.div_ceil(2) {
            seen[values[part] ^ values[n - part]] = true;
        }
        values[n] = seen.iter().position(|seen| !seen).unwrap();
    }
    let input = io::read_to_string(io::stdin()).unwrap();
    for word in input.split_whitespace().skip(1) {
        let n: usize = word.parse().unwrap();
        println!("{}", if values[n] > 0 { "first" } else { "second" });
    }
}
