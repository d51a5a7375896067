// With two even sides or more the second player answers every move by its reflection in the centre, and no line goes through the
// centre in two halves that touch. Otherwise the first player takes the central line or cell, and then does the same.
use std::io;

fn main() -> io::Result<()> {
    let input = io::read_to_string(io::stdin())?;
    let sides = input.split_whitespace().skip(1).filter_map(|word| word.parse::<u64>().ok());
    println!("{}", if sides.filter(|side| side % 2 == 0).count() >= 2 { "No" } else { "Yes" });
    Ok(())
}
