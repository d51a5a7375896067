//! Wrong answer: tries the numbers one by one, which takes more than ten guesses.

use std::io::{BufRead, Write};

fn main() {
    let mut replies = std::io::stdin().lock().lines();
    let (mut low, mut high) = (1, 1000);
    while low <= high {
        let guess = low;
        println!("{guess}");
        std::io::stdout().flush().unwrap(); // without this, the line may stay in the buffer
        match replies.next().unwrap().unwrap().as_str() {
            "less" => high = guess - 1,
            "more" => low = guess + 1,
            _ => break,
        }
    }
}
