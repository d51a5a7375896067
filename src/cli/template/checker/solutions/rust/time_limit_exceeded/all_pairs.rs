//! Too slow: tries all pairs.

use std::io::Read;

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let all: Vec<i64> = text.split_ascii_whitespace().map(|word| word.parse().unwrap()).collect();
    let (t, a) = (all[1], &all[2..]);
    for (j, y) in a.iter().enumerate() {
        for (i, x) in a[..j].iter().enumerate() {
            if x + y == t {
                println!("{} {}", i + 1, j + 1);
                return;
            }
        }
    }
    println!("0 0");
}
