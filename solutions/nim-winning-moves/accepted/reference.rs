// A move wins if it leaves nim-sum zero. From a heap a there is one at most: to a ^ x, where x is the nim-sum of all,
// and only if that is less than a.
use std::io;

fn main() -> io::Result<()> {
    let input = io::read_to_string(io::stdin())?;
    let heaps: Vec<u64> = input.split_whitespace().skip(1).filter_map(|word| word.parse().ok()).collect();
    let nim_sum = heaps.iter().fold(0, |sum, heap| sum ^ heap);
    println!("{}", heaps.iter().filter(|&&heap| heap ^ nim_sum < heap).count());
    Ok(())
}
