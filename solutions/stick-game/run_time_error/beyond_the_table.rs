// Crashes: marks won numbers beyond the end of its table.
use std::io;

fn main() {
    let input = io::read_to_string(io::stdin()).unwrap();
    let all: Vec<usize> = input.split_whitespace().map(|w| w.parse().unwrap()).collect();
    let n = all[0];
    let mut won = vec![false; n + 1];
    for i in 0..n {
        if !won[i] {
            for &p in &all[2..] {
                won[i + p] = true;
            }
        }
    }
    println!("{}", won[1..].iter().map(|&w| if w { 'W' } else { 'L' }).collect::<String>());
}
