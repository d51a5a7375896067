//! The reference solution: looks up the other number of each pair.

use std::collections::HashMap;
use std::io::Read;

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let all: Vec<i64> = text.split_ascii_whitespace().map(|word| word.parse().unwrap()).collect();
    let (t, a) = (all[1], &all[2..]);
    let mut places = HashMap::new();
    for (j, x) in a.iter().enumerate() {
        if let Some(i) = places.get(&(t - x)) {
            println!("{} {}", i + 1, j + 1);
            return;
        }
        places.insert(x, j);
    }
    println!("0 0");
}
