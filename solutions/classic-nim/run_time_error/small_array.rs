// Crashes: an array for a thousand heaps, indexed from one.
use std::io;

fn main() {
    let input = io::read_to_string(io::stdin()).unwrap();
    let mut words = input.split_whitespace().map(|w| w.parse::<usize>().unwrap());
    let n = words.next().unwrap();
    let mut a = [0; 1000];
    let mut x = 0;
    for i in 1..=n {
        a[i] = words.next().unwrap();
        x ^= a[i];
    }
    println!("{}", if x != 0 { "Yes" } else { "No" });
}
