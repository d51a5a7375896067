// The player to move loses if and only if the number of largest heaps is even. From an odd number above one he takes a whole
// heap; a single largest heap he can reduce to the second size or to nothing, whichever leaves an even number. Empty heaps don't count.
use std::io;

fn main() -> io::Result<()> {
    let input = io::read_to_string(io::stdin())?;
    let heaps: Vec<u64> = input.split_whitespace().skip(1).filter_map(|word| word.parse().ok()).collect();
    let largest = heaps.iter().copied().max().unwrap_or(0);
    let count = heaps.iter().filter(|&&heap| heap > 0 && heap == largest).count();
    println!("{}", if count % 2 == 0 { "No" } else { "Yes" });
    Ok(())
}
