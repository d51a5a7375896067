// A memoised search. Heaps of 1, 2 and 4 and pairs of 3 make no difference in any sum (checked on all sums
// of at most 30 coins), but it relies on the first two only, which cannot be split at all.
use std::collections::HashMap;
use std::io;

fn main() -> io::Result<()> {
    let input = io::read_to_string(io::stdin())?;
    let heaps = input.split_whitespace().skip(1).filter_map(|word| word.parse().ok()).collect();
    println!("{}", if wins(heaps, &mut HashMap::new()) { "Yes" } else { "No" });
    Ok(())
}

/// Whether the player to move wins.
fn wins(mut heaps: Vec<u8>, known: &mut HashMap<Vec<u8>, bool>) -> bool {
    heaps.retain(|&heap| heap > 2);
    heaps.sort_unstable();
    if heaps.is_empty() {
        return true;
    }
    if let Some(&known) = known.get(&heaps) {
        return known;
    }
    let mut found = false;
    'search: for i in 0..heaps.len() {
        for part in 1..heaps[i].div_ceil(2) {
            let mut after = heaps.clone();
            after[i] -= part;
            after.push(part);
            if !wins(after, known) {
                found = true;
                break 'search;
            }
        }
    }
    known.insert(heaps, found);
    found
}
