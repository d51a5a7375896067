// The Grundy value of a heap is the mex of the nim-sums of all pairs of smaller heaps. Going upwards, each size
// adds to the reachable nim-sums only the pairs in which the size just below it takes part.
use std::io;

const MAX: usize = 100;
// No value exceeds twice the size, so no nim-sum of two reaches 256.
const SUMS: usize = 256;

fn main() -> io::Result<()> {
    let input = io::read_to_string(io::stdin())?;
    let values = grundy();
    let heaps = input.split_whitespace().skip(1).filter_map(|word| word.parse::<usize>().ok());
    let nim_sum = heaps.fold(0, |sum, heap| sum ^ values[heap]);
    println!("{}", if nim_sum == 0 { "No" } else { "Yes" });
    Ok(())
}

fn grundy() -> [usize; MAX + 1] {
    let mut values = [0; MAX + 1];
    let mut reachable = [false; SUMS];
    for size in 1..=MAX {
        for other in 0..size {
            reachable[values[size - 1] ^ values[other]] = true;
        }
        values[size] = reachable.iter().take_while(|&&seen| seen).count();
    }
    values
}
