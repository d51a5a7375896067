// Crashes: numbers do not fit 32 bits.
use std::io;

fn main() {
    let input = io::read_to_string(io::stdin()).unwrap();
    let all: Vec<i32> = input.split_whitespace().map(|w| w.parse().unwrap()).collect();
    let (t, k, p, x) = (all[0], all[1], all[2], all[3]);
    let rest = (t - x) % ((p - 1) * k + 1);
    println!("{}", if rest == 0 { p } else { (rest - 1) / k + 1 });
}
