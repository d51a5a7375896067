// Count for every binary digit, modulo three, the heaps that have it. C is first if and only if all counts are zero.
// A is first if and only if he can make them so: some heap a must shrink to the only y that does it.
// Otherwise B is first.
use std::io;

fn main() -> io::Result<()> {
    let input = io::read_to_string(io::stdin())?;
    let heaps: Vec<u64> = input.split_ascii_whitespace().skip(1).filter_map(|word| word.parse().ok()).collect();
    let mut counts = [0; 64];
    for heap in &heaps {
        for (bit, count) in counts.iter_mut().enumerate() {
            *count += heap >> bit & 1;
        }
    }
    let winner = if counts.iter().all(|count| count % 3 == 0) {
        'C'
    } else if heaps.iter().any(|&heap| balancing(heap, &counts).is_some_and(|y| y < heap)) {
        'A'
    } else {
        'B'
    };
    println!("{winner}");
    Ok(())
}

/// The size that makes every count divisible by three if it takes the place of this heap, if there is one.
fn balancing(heap: u64, counts: &[u64; 64]) -> Option<u64> {
    let mut y = 0;
    for (bit, count) in counts.iter().enumerate() {
        match (count - (heap >> bit & 1)) % 3 {
            0 => {}
            1 => return None,
            _ => y |= 1 << bit,
        }
    }
    Some(y)
}
