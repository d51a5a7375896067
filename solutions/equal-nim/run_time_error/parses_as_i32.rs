// Crashes: sizes do not fit 32 bits.
use std::io;

fn main() {
    let input = io::read_to_string(io::stdin()).unwrap();
    let all: Vec<i32> = input.split_whitespace().map(|w| w.parse().unwrap()).collect();
    let won = match all[1..] {
        [a, b] => a.min(b) != (f64::from((a - b).abs()) * 1.618033988749895) as i32,
        _ => all[1..].iter().fold(0, |x, a| x ^ a) != 0,
    };
    println!("{}", if won { "Yes" } else { "No" });
}
