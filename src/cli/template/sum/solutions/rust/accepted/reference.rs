//! The reference solution.

use std::io::Read;

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let total: i64 = text.split_ascii_whitespace().skip(1).map(|word| word.parse::<i64>().unwrap()).sum();
    println!("{total}");
}
