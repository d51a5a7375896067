// The value of a heap of a is the a-th odious number, one with an odd number of binary ones: of 2 (a - 1) and the number after it
// just one is odious.
use std::io;

fn main() -> io::Result<()> {
    let input = io::read_to_string(io::stdin())?;
    let heaps = input.split_whitespace().skip(1).filter_map(|word| word.parse::<u64>().ok());
    let sum = heaps.filter(|&heap| heap > 0).fold(0, |sum, heap| {
        let before = heap - 1;
        sum ^ (2 * before + u64::from(before.count_ones() % 2 == 0))
    });
    println!("{}", if sum == 0 { "No" } else { "Yes" });
    Ok(())
}
