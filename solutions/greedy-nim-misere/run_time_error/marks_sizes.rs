// Crashes: counts sizes in a table that is too short.
use std::io;

fn main() {
    let input = io::read_to_string(io::stdin()).unwrap();
    let heaps: Vec<usize> = input.split_whitespace().skip(1).map(|w| w.parse().unwrap()).collect();
    let mut count = vec![0; 100_001];
    for heap in heaps {
        count[heap] += 1;
    }
    let top = (1..count.len()).rev().find(|&size| count[size] > 0).unwrap_or(0);
    let second = (1..top).rev().find(|&size| count[size] > 0).unwrap_or(0);
    let lost = |size: usize, count: usize| size > 0 && (count % 2 == 1) == (size == 1);
    let moves = match if top == 0 { 0 } else { count[top] } {
        0 => 0,
        1 if second < 2 => usize::from(top > 1),
        1 => if count[second] % 2 == 1 { 1 } else { second },
        n => if lost(top, n - 1) { top * n } else { 0 },
    };
    println!("{} {}", if lost(top, count[top]) { "No" } else { "Yes" }, moves);
}
