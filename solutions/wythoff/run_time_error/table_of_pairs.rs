// Crashes: a table of partners for heaps up to a million.
use std::io;

fn main() {
    let input = io::read_to_string(io::stdin()).unwrap();
    let heaps: Vec<usize> = input.split_whitespace().map(|w| w.parse().unwrap()).collect();
    let mut partner = vec![usize::MAX; 1_000_001];
    let mut small = 0;
    for d in 0.. {
        while small < partner.len() && partner[small] != usize::MAX {
            small += 1;
        }
        if small >= partner.len() {
            break;
        }
        partner[small] = small + d;
        if small + d < partner.len() {
            partner[small + d] = small;
        }
    }
    println!("{}", if partner[heaps[0]] == heaps[1] { 0 } else { 1 });
}
