// The Grundy value of a heap is the least number that no split of it reaches, a split being worth the xor of its parts. A move
// wins if it makes the xor of all heaps zero.
use std::io;

fn main() -> io::Result<()> {
    let input = io::read_to_string(io::stdin())?;
    let heaps: Vec<usize> = input.split_whitespace().skip(1).filter_map(|word| word.parse().ok()).collect();
    let value = values(heaps.iter().copied().max().unwrap_or(0));
    let sum = heaps.iter().fold(0, |sum, &heap| sum ^ value[heap]);
    let part = |heap: usize| {
        let wanted = sum ^ value[heap];
        (1..heap.div_ceil(2)).find(|&part| value[part] ^ value[heap - part] == wanted)
    };
    let found = heaps.iter().enumerate().find_map(|(index, &heap)| Some((index + 1, part(heap)?)));
    let (heap, part) = found.unwrap_or((0, 0));
    println!("{heap} {part}");
    Ok(())
}

fn values(max: usize) -> Vec<usize> {
    let mut value = vec![0; max + 1];
    // The last size that reached each value.
    let mut reached = vec![0; 2 * max + 2];
    for size in 3..=max {
        for part in 1..size.div_ceil(2) {
            reached[value[part] ^ value[size - part]] = size;
        }
        value[size] = reached.iter().take_while(|&&last| last == size).count();
    }
    value
}
