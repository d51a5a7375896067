//! Wrong answer: allows an empty part, whose sum is 0.

use std::io::Read;

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let a: Vec<i64> = text.split_ascii_whitespace().skip(1).map(|word| word.parse().unwrap()).collect();
    let (mut best, mut ending_here) = (0, 0);
    for x in a {
        ending_here = x + ending_here.max(0);
        best = best.max(ending_here);
    }
    println!("{best}");
}
