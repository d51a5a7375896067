// Crashes: believes that a hundred values are enough.
use std::io;

fn main() {
    let input = io::read_to_string(io::stdin()).unwrap();
    let numbers: Vec<usize> = input.split_whitespace().skip(1).map(|w| w.parse().unwrap()).collect();
    let (&heap, set) = numbers.split_last().unwrap();
    let window = *set.iter().max().unwrap();
    let mut values = Vec::new();
    for size in 0..100 {
        let reached: Vec<usize> = set.iter().filter(|&&s| s <= size).map(|s| values[size - s]).collect();
        values.push((0..).find(|v| !reached.contains(v)).unwrap());
    }
    for j in 1.. {
        if let Some(i) = (0..j).find(|&i| values[i..i + window] == values[j..j + window]) {
            let place = if heap < i { heap } else { i + (heap - i) % (j - i) };
            return println!("{i} {} {}", j - i, values[place]);
        }
    }
}
