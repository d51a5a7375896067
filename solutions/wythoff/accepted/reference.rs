// Wythoff, 1907: with d the difference, the player to move loses if and only if the smaller heap holds floor(d * phi) stones,
// phi = (1 + sqrt 5) / 2. In integers that is (d + floor(sqrt(5 d^2))) / 2: the root is never whole unless d is zero.
use std::io;

fn main() -> io::Result<()> {
    let input = io::read_to_string(io::stdin())?;
    let heaps: Vec<u128> = input.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let (small, large) = (heaps[0].min(heaps[1]), heaps[0].max(heaps[1]));
    let d = large - small;
    println!("{}", u8::from(small != (d + root(5 * d * d)) / 2));
    Ok(())
}

/// The largest number whose square is at most `square`, by halving.
fn root(square: u128) -> u128 {
    let (mut low, mut high) = (0, 1 << 62);
    while low + 1 < high {
        let middle = (low + high) / 2;
        if middle * middle <= square {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}
