//! Too slow for the last subtask: tries all parts.

use std::io::Read;

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let a: Vec<i64> = text.split_ascii_whitespace().skip(1).map(|word| word.parse().unwrap()).collect();
    let mut best = i64::MIN;
    for from in 0..a.len() {
        let mut sum = 0;
        for x in &a[from..] {
            sum += x;
            best = best.max(sum);
        }
    }
    println!("{best}");
}
