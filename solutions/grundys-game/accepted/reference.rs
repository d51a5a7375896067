// Grundy values by their definition up to 1300. No heap from 1223 to a million has value zero (found with the sparse-space
// method of "Winning Ways", chapter 4), so larger heaps are won.
use std::io;

const TO: usize = 1300;

fn main() -> io::Result<()> {
    let mut values = [0_usize; TO + 1];
    for n in 3..=TO {
        let mut seen = [false; 256];
        for part in 1..n.div_ceil(2) {
            seen[values[part] ^ values[n - part]] = true;
        }
        values[n] = seen.iter().position(|seen| !seen).unwrap_or(0);
    }
    let input = io::read_to_string(io::stdin())?;
    let mut output = String::new();
    for n in input.split_whitespace().skip(1).filter_map(|word| word.parse::<usize>().ok()) {
        output += if n > TO || values[n] > 0 { "first\n" } else { "second\n" };
    }
    print!("{output}");
    Ok(())
}
