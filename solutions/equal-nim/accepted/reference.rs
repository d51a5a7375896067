// Two heaps are Wythoff's game, in exact arithmetic. With an odd number of heaps taking t from each of them changes the nim-sum at the
// lowest binary one of t, so it never leads from zero to zero and the game is Nim.
use std::io;

fn main() -> io::Result<()> {
    let input = io::read_to_string(io::stdin())?;
    let heaps: Vec<u64> = input.split_whitespace().skip(1).filter_map(|word| word.parse().ok()).collect();
    let lost = match heaps[..] {
        [a, b] => {
            let difference = u128::from(a.abs_diff(b));
            u128::from(a.min(b)) == (difference + root(5 * difference * difference)) / 2
        }
        _ => heaps.iter().fold(0, |sum, heap| sum ^ heap) == 0,
    };
    println!("{}", if lost { "No" } else { "Yes" });
    Ok(())
}

/// The integer part of the square root.
fn root(square: u128) -> u128 {
    let mut root = 0;
    for bit in (0..64).rev() {
        let larger: u128 = root | 1 << bit;
        if larger * larger <= square {
            root = larger;
        }
    }
    root
}
