// Crashes: drops the empty heaps and asks for the largest of the rest, of which there may be none.
use std::io;

fn main() {
    let input = io::read_to_string(io::stdin()).unwrap();
    let mut words = input.split_whitespace().map(|w| w.parse::<usize>().unwrap());
    for _ in 0..words.next().unwrap() {
        let n = words.next().unwrap();
        let heaps: Vec<usize> = words.by_ref().take(n).filter(|&a| a > 0).collect();
        let x = heaps.iter().fold(0, |x, a| x ^ a);
        let largest = *heaps.iter().max().unwrap();
        println!("{}", if (x == 0) == (largest == 1) { "John" } else { "Brother" });
    }
}
