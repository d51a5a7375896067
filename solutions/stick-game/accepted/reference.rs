// From few sticks to many: a number is won if and only if some move leads to a lost one. Every lost number makes those won
// from which it can be reached.
use std::io;

fn main() -> io::Result<()> {
    let input = io::read_to_string(io::stdin())?;
    let numbers: Vec<usize> = input.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let (n, moves) = (numbers[0], &numbers[2..]);
    let mut won = vec![false; n + 1];
    for sticks in 0..=n {
        if !won[sticks] {
            moves.iter().map(|p| sticks + p).filter(|&more| more <= n).for_each(|more| won[more] = true);
        }
    }
    println!("{}", won[1..].iter().map(|&w| if w { 'W' } else { 'L' }).collect::<String>());
    Ok(())
}
