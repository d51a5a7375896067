// A player who says L - 1 wins, and so does a player who says a number less than that by a multiple of k + 1.
use std::io;

fn main() -> io::Result<()> {
    let input = io::read_to_string(io::stdin())?;
    let numbers: Vec<u64> = input.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    if let [l, k, x] = numbers[..] {
        println!("{}", (l - 1 - x) % (k + 1));
    }
    Ok(())
}
