// Bouton, 1901: lower a heap that has the highest binary one of the nim-sum so that the sum becomes zero.
use std::io;

fn main() -> io::Result<()> {
    let input = io::read_to_string(io::stdin())?;
    let heaps: Vec<u64> = input.split_whitespace().skip(1).filter_map(|word| word.parse().ok()).collect();
    let sum = heaps.iter().fold(0, |sum, heap| sum ^ heap);
    match heaps.iter().position(|heap| heap ^ sum < *heap) {
        Some(at) => println!("{} {}", at + 1, heaps[at] - (heaps[at] ^ sum)),
        None => println!("0 0"),
    }
    Ok(())
}
