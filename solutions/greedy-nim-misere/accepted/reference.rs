// A position is lost if the number of largest heaps is even, as in ordinary play; but if no heap is above 1, if the number of ones
// is odd. With several largest heaps all moves lead to one fewer of them. A single largest heap can be made
// equal to the second size or smaller; left above it, it would have to be the last stone.
use std::io;

fn main() -> io::Result<()> {
    let input = io::read_to_string(io::stdin())?;
    let mut heaps: Vec<u64> = input.split_whitespace().skip(1).filter_map(|word| word.parse().ok()).collect();
    heaps.retain(|&heap| heap > 0);
    heaps.sort_unstable_by(|a, b| b.cmp(a));
    let (size, count) = largest(&heaps);
    let moves = match count {
        0 => 0,
        1 => {
            let (second, equal) = largest(&heaps[1..]);
            // What is left of the heap: a single stone and nothing else, one more of the second size, or less than that.
            let above = u64::from(second == 0 && size > 1);
            let same = u64::from(second > 0 && lost(second, equal + 1));
            let below = if lost(second, equal) { second } else { 0 };
            above + same + below
        }
        _ if lost(size, count - 1) => size * count,
        _ => 0,
    };
    let winner = if lost(size, count) { "No" } else { "Yes" };
    println!("{winner} {moves}");
    Ok(())
}

/// The largest size of sorted heaps, and how many have it.
fn largest(heaps: &[u64]) -> (u64, u64) {
    let size = heaps.first().copied().unwrap_or(0);
    (size, heaps.iter().take_while(|&&heap| heap == size).count() as u64)
}

/// Whether the player to move loses, for this number of largest heaps of this size.
fn lost(size: u64, count: u64) -> bool {
    match size {
        0 => false,
        1 => count % 2 == 1,
        _ => count % 2 == 0,
    }
}
