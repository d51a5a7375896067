// Only the odd steps count: stones brought down to one from an even step are moved on at once.
// What is left is Nim on the steps 1, 3, 5 and so on.
use std::io;

fn main() -> io::Result<()> {
    let input = io::read_to_string(io::stdin())?;
    let steps = input.split_whitespace().skip(1).filter_map(|word| word.parse::<u32>().ok());
    let nim_sum = steps.step_by(2).fold(0, |sum, stones| sum ^ stones);
    println!("{}", if nim_sum == 0 { "No" } else { "Yes" });
    Ok(())
}
