// Moore, 1910: the player to move loses if and only if every binary digit stands in a number of heaps that is divisible
// by k + 1.
use std::io;

fn main() -> io::Result<()> {
    let input = io::read_to_string(io::stdin())?;
    let mut numbers = input.split_whitespace().filter_map(|word| word.parse::<u64>().ok());
    let k = numbers.by_ref().nth(1).unwrap_or(1);
    let mut counts = [0; 60];
    for heap in numbers {
        for (bit, count) in counts.iter_mut().enumerate() {
            *count += heap >> bit & 1;
        }
    }
    let lost = counts.iter().all(|count| count % (k + 1) == 0);
    println!("{}", if lost { "No" } else { "Yes" });
    Ok(())
}
