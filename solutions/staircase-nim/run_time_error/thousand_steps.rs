// Crashes: an array for a thousand steps, one short of what indices from one need, and far too short for the largest tests.
use std::io;

const MAX_STEPS: usize = 1000;

fn main() {
    let input = io::read_to_string(io::stdin()).unwrap();
    let mut words = input.split_whitespace();
    let n: usize = words.next().unwrap().parse().unwrap();
    let mut a = [0u32; MAX_STEPS];
    for i in 1..=n {
        a[i] = words.next().unwrap().parse().unwrap();
    }
    let x = (1..=n).step_by(2).fold(0, |x, i| x ^ a[i]);
    println!("{}", if x != 0 { "Yes" } else { "No" });
}
