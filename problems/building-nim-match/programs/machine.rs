//! The interactor of building-nim-match: lets the program choose who begins, and plays against it without ever losing a
//! won position.

use std::collections::HashMap;

use nimatron_kit::*;

/// The game as it stands.
struct Position {
    tokens: u64,
    heights: Vec<u64>,
}

fn main() -> std::process::ExitCode {
    interactor(|talk| {
        let tokens: u64 = talk.input.int(0..=14)?;
        let stacks: usize = talk.input.int(1..=5)?;
        let heights: Vec<u64> = talk.input.ints(stacks, 0..=9)?;
        let mut random = Random::new(heights.iter().fold(tokens, |seed, height| seed.wrapping_mul(31).wrapping_add(*height)));
        let mut position = Position { tokens, heights };
        let mut known = HashMap::new();
        talk.say(format!("{} {}", tokens, stacks))?;
        talk.say(joined(&position.heights))?;
        let mut its_turn = talk.heard.choice(&["first", "second"])? == 0;
        let mut mistake = String::new();
        if position.is_won(&mut known) != its_turn {
            mistake = "it chose the wrong side".to_owned();
        }
        for number in 1.. {
            if position.is_over() {
                break;
            }
            if its_turn {
                let said = hear(talk, &mut position, number)?;
                if let Err(refused) = said {
                    return wrong(refused);
                }
                if mistake.is_empty() && position.is_won(&mut known) {
                    mistake = format!("move {} gave the win away", number);
                }
            } else {
                let said = position.answer(&mut known, &mut random);
                talk.say(said)?;
            }
            its_turn = !its_turn;
        }
        if its_turn { wrong(format!("the machine moves last; {}", mistake)) } else { accept("won") }
    })
}

/// Hears a move and makes it; the inner error is that the rules do not allow it.
fn hear(talk: &mut Talk, position: &mut Position, number: usize) -> Result<Result<(), String>, Complaint> {
    let stack = talk.heard.int(1..=position.heights.len())? - 1;
    if position.tokens > 0 {
        position.place(stack);
        return Ok(Ok(()));
    }
    let amount: u64 = talk.heard.int(1..=1000)?;
    let height = position.heights[stack];
    if amount > height {
        let refused = format!("move {}: stack {} is {} high, and {} are taken", number, stack + 1, height, amount);
        return Ok(Err(refused));
    }
    position.heights[stack] -= amount;
    Ok(Ok(()))
}

impl Position {
    fn is_over(&self) -> bool {
        self.tokens == 0 && self.heights.iter().all(|height| *height == 0)
    }

    fn place(&mut self, stack: usize) {
        self.heights[stack] += 1;
        self.tokens -= 1;
    }

    fn after_placing(&self, stack: usize) -> Position {
        let mut after = Position { tokens: self.tokens, heights: self.heights.clone() };
        after.place(stack);
        after
    }

    /// Whether the player to move wins; the order of stacks does not matter.
    fn is_won(&self, known: &mut HashMap<(u64, Vec<u64>), bool>) -> bool {
        if self.tokens == 0 {
            return nim_sum(&self.heights) != 0;
        }
        let mut key = (self.tokens, self.heights.clone());
        key.1.sort_unstable();
        if let Some(won) = known.get(&key) {
            return *won;
        }
        let won = (0..self.heights.len()).any(|stack| !self.after_placing(stack).is_won(known));
        known.insert(key, won);
        won
    }

    /// Makes the machine's move: a winning one if there is one, otherwise any; and says it.
    fn answer(&mut self, known: &mut HashMap<(u64, Vec<u64>), bool>, random: &mut Random) -> String {
        if self.tokens > 0 {
            let winning = (0..self.heights.len()).find(|&stack| !self.after_placing(stack).is_won(known));
            let stack = winning.unwrap_or_else(|| random.below(self.heights.len()));
            self.place(stack);
            return (stack + 1).to_string();
        }
        let sum = nim_sum(&self.heights);
        let winning = (0..self.heights.len()).find(|&stack| self.heights[stack] ^ sum < self.heights[stack]);
        let (stack, amount) = match winning {
            Some(stack) => (stack, self.heights[stack] - (self.heights[stack] ^ sum)),
            None => {
                let full: Vec<usize> = (0..self.heights.len()).filter(|&stack| self.heights[stack] > 0).collect();
                let stack = full[random.below(full.len())];
                (stack, random.between(1, self.heights[stack]))
            }
        };
        self.heights[stack] -= amount;
        format!("{} {}", stack + 1, amount)
    }
}
