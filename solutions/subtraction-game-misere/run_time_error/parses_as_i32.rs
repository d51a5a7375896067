// Crashes: parses sizes as i32, which panics from 2^31 on.
use std::io;

fn main() {
    let input = io::read_to_string(io::stdin()).unwrap();
    let numbers: Vec<i32> = input.split_whitespace().map(|w| w.parse().unwrap()).collect();
    let m = numbers[1] + 1;
    let heaps = &numbers[2..];
    let x = heaps.iter().fold(0, |x, a| x ^ a % m);
    let big = heaps.iter().filter(|&&a| a % m > 1).count();
    for (i, &a) in heaps.iter().enumerate() {
        let g = a % m;
        let target = if big == usize::from(g > 1) { x ^ g ^ 1 } else { x ^ g };
        let taken = (g - target).rem_euclid(m);
        if target < m && taken > 0 && taken <= a {
            return println!("{} {}", i + 1, taken);
        }
    }
    println!("0 0");
}
