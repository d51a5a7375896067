// The first player wins if and only if the nim-sum (xor) of the sizes is not zero (Bouton, 1901).
use std::io;

fn main() -> io::Result<()> {
    let input = io::read_to_string(io::stdin())?;
    let heaps = input.split_whitespace().skip(1).filter_map(|word| word.parse::<u32>().ok());
    let nim_sum = heaps.fold(0, |sum, heap| sum ^ heap);
    println!("{}", if nim_sum == 0 { "No" } else { "Yes" });
    Ok(())
}
