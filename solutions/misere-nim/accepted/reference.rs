// While some heap holds two stones or more, misere Nim is won exactly when Nim is. Where all heaps are empty or single
// stones, there is no choice: the player to move wins if and only if their number is even.
use std::io;

fn main() -> io::Result<()> {
    let input = io::read_to_string(io::stdin())?;
    let mut numbers = input.split_whitespace().filter_map(|word| word.parse::<usize>().ok());
    let games = numbers.next().unwrap_or(0);
    for _ in 0..games {
        let n = numbers.next().unwrap_or(0);
        let heaps: Vec<usize> = numbers.by_ref().take(n).collect();
        let nim_sum = heaps.iter().fold(0, |sum, heap| sum ^ heap);
        let won = if heaps.iter().any(|&heap| heap > 1) { nim_sum != 0 } else { nim_sum == 0 };
        println!("{}", if won { "John" } else { "Brother" });
    }
    Ok(())
}
