// Searches the placing phase, storing positions as sorted stacks. The result of the Nim phase is known.
use std::collections::HashMap;
use std::io;

fn main() -> io::Result<()> {
    let input = io::read_to_string(io::stdin())?;
    let numbers: Vec<u8> = input.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    if let [tokens, _, ref stacks @ ..] = numbers[..] {
        println!("{}", if wins(stacks.to_vec(), tokens, &mut HashMap::new()) { "Yes" } else { "No" });
    }
    Ok(())
}

/// Whether the player to move wins. The number of tokens left follows from the stacks, so the stacks alone are the key.
fn wins(mut stacks: Vec<u8>, tokens: u8, known: &mut HashMap<Vec<u8>, bool>) -> bool {
    if tokens == 0 {
        return stacks.iter().fold(0, |sum, stack| sum ^ stack) != 0;
    }
    stacks.sort_unstable();
    if let Some(&known) = known.get(&stacks) {
        return known;
    }
    let found = (0..stacks.len()).any(|i| {
        let mut after = stacks.clone();
        after[i] += 1;
        !wins(after, tokens - 1, known)
    });
    known.insert(stacks, found);
    found
}
