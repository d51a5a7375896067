// Searches all positions below the given one, with the sorted heaps as the key.
use std::collections::HashMap;
use std::io;

fn main() -> io::Result<()> {
    let input = io::read_to_string(io::stdin())?;
    let numbers: Vec<u8> = input.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    if let [_, k, r, ref heaps @ ..] = numbers[..] {
        let mut game = Game { k, r, known: HashMap::new() };
        println!("{}", if game.wins(heaps.to_vec()) { "Yes" } else { "No" });
    }
    Ok(())
}

struct Game {
    k: u8,
    r: u8,
    known: HashMap<Vec<u8>, bool>,
}

impl Game {
    fn wins(&mut self, mut heaps: Vec<u8>) -> bool {
        heaps.sort_unstable();
        if let Some(&known) = self.known.get(&heaps) {
            return known;
        }
        let found = self.reduces(heaps.clone(), 0, self.k, false);
        self.known.insert(heaps, found);
        found
    }

    /// Whether some way of taking from heaps `from` on, at most `left` of them, leads to a lost position.
    fn reduces(&mut self, heaps: Vec<u8>, from: usize, left: u8, moved: bool) -> bool {
        if from == heaps.len() || left == 0 {
            return moved && !self.wins(heaps);
        }
        for taken in 0..=self.r.min(heaps[from]) {
            let mut after = heaps.clone();
            after[from] -= taken;
            if self.reduces(after, from + 1, left - u8::from(taken > 0), moved || taken > 0) {
                return true;
            }
        }
        false
    }
}
