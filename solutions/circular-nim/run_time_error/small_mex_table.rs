// Crashes: a table for sixteen values is too small for long runs.
use std::io;

fn main() {
    let input = io::read_to_string(io::stdin()).unwrap();
    let (k, places) = input.trim().split_once('\n').unwrap();
    let (k, n): (usize, usize) = (k.parse().unwrap(), places.len());
    let mut values: Vec<usize> = vec![0];
    for size in 1..=n {
        let mut seen = [false; 16];
        for taken in 1..=k.min(size) {
            for left in 0..=size - taken {
                seen[values[left] ^ values[size - taken - left]] = true;
            }
        }
        values.push(seen.iter().position(|seen| !seen).unwrap());
    }
    let won = match places.find('.') {
        None => (1..=k.min(n)).any(|taken| values[n - taken] == 0),
        Some(gap) => {
            let turned = format!("{}{}", &places[gap..], &places[..gap]);
            turned.split('.').fold(0, |sum, run| sum ^ values[run.len()]) != 0
        }
    };
    println!("{}", if won { "Yes" } else { "No" });
}
