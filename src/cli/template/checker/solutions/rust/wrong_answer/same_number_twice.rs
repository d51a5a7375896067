//! Wrong answer: takes the same number twice.

use std::collections::HashMap;
use std::io::Read;

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let all: Vec<i64> = text.split_ascii_whitespace().map(|word| word.parse().unwrap()).collect();
    let (t, a) = (all[1], &all[2..]);
    let places: HashMap<i64, usize> = a.iter().enumerate().map(|(i, x)| (*x, i)).collect();
    for (j, x) in a.iter().enumerate() {
        if let Some(i) = places.get(&(t - x)) {
            println!("{} {}", j + 1, i + 1);
            return;
        }
    }
    println!("0 0");
}
