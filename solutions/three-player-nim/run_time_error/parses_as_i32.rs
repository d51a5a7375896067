// Crashes: parses sizes as i32, which panics from 2^31 on.
use std::io;

fn main() {
    let input = io::read_to_string(io::stdin()).unwrap();
    let heaps: Vec<i32> = input.split_whitespace().skip(1).map(|w| w.parse().unwrap()).collect();
    let (mut ones, mut twos) = (0, 0);
    for &a in &heaps {
        ones = (ones ^ a) & !twos;
        twos = (twos ^ a) & !ones;
    }
    let fits = |&a: &i32| a & (ones | twos) == ones;
    let winner = match ones | twos {
        0 => "C",
        _ if twos < ones && heaps.iter().any(fits) => "A",
        _ => "B",
    };
    println!("{winner}");
}
