// The Grundy value of a heap is its size modulo r + 1. A winning move turns the residue of some heap into its xor with
// the nim-sum x of all residues: by taking the difference if that is less, and otherwise by going round through
// zero, which needs a large enough heap.
use std::io;

fn main() -> io::Result<()> {
    let input = io::read_to_string(io::stdin())?;
    let mut numbers = input.split_whitespace().filter_map(|word| word.parse::<u64>().ok());
    let r = numbers.by_ref().nth(1).unwrap_or(1);
    let heaps: Vec<u64> = numbers.collect();
    let nim_sum = heaps.iter().fold(0, |sum, heap| sum ^ heap % (r + 1));
    let winning = |&&heap: &&u64| {
        let residue = heap % (r + 1);
        let target = residue ^ nim_sum;
        target < residue || (target <= r && target > residue && residue + r + 1 - target <= heap)
    };
    println!("{}", heaps.iter().filter(winning).count());
    Ok(())
}
