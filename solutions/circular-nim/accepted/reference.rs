// Runs that do not touch are independent games, and a full circle becomes one run by the first move.
use std::io;

fn main() -> io::Result<()> {
    let input = io::read_to_string(io::stdin())?;
    let mut words = input.split_whitespace();
    let k: usize = words.next().and_then(|word| word.parse().ok()).unwrap_or(1);
    let places = words.next().unwrap_or("").as_bytes();
    let n = places.len();
    let values = row_values(n, k);
    let won = match places.iter().position(|&place| place == b'.') {
        // The first move wins if it leaves a row of value 0.
        None => (1..=k.min(n)).any(|taken| values[n - taken] == 0),
        Some(gap) => {
            let turned = places[gap..].iter().chain(&places[..gap]);
            let turned: Vec<u8> = turned.copied().collect();
            turned.split(|&place| place == b'.').fold(0, |sum, run| sum ^ values[run.len()]) != 0
        }
    };
    println!("{}", if won { "Yes" } else { "No" });
    Ok(())
}

/// The Grundy values of rows of 0 to n pieces.
fn row_values(n: usize, k: usize) -> Vec<usize> {
    let mut values: Vec<usize> = vec![0];
    for size in 1..=n {
        let mut seen = vec![false; 2 * n + 2];
        for taken in 1..=k.min(size) {
            let rest = size - taken;
            for left in 0..=rest / 2 {
                let value = values[left] ^ values[rest - left];
                if value < seen.len() {
                    seen[value] = true;
                }
            }
        }
        values.push(seen.iter().position(|seen| !seen).unwrap_or(0));
    }
    values
}
