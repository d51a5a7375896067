//! The reference solution: halves the range with each guess.

use std::io::{BufRead, Write};

fn main() {
    let mut replies = std::io::stdin().lock().lines();
    let (mut low, mut high) = (1, 1000);
    while low <= high {
        let guess = (low + high) / 2;
        println!("{guess}");
        std::io::stdout().flush().unwrap(); // without this, the line may stay in the buffer
        match replies.next().unwrap().unwrap().as_str() {
            "less" => high = guess - 1,
            "more" => low = guess + 1,
            _ => break,
        }
    }
}
