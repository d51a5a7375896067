// A position with tokens to place is won if some placing leads to a lost one; there are few up to the order of stacks, so they are
// remembered. The rest is Nim.
use std::collections::HashMap;
use std::io::{self, BufRead, Write};

type Known = HashMap<(usize, Vec<usize>), bool>;

fn main() -> io::Result<()> {
    let mut lines = io::stdin().lock().lines();
    let mut numbers = || -> io::Result<Vec<usize>> {
        let line = lines.next().transpose()?.unwrap_or_default();
        Ok(line.split_whitespace().filter_map(|word| word.parse().ok()).collect())
    };
    let mut known = Known::new();
    let mut tokens = numbers()?.first().copied().unwrap_or(0);
    let mut heights = numbers()?;
    let mut mine = won(tokens, &heights, &mut known);
    println!("{}", if mine { "first" } else { "second" });
    io::stdout().flush()?;
    while tokens > 0 || heights.iter().any(|height| *height > 0) {
        let step = if mine { best(tokens, &mut heights, &mut known) } else { numbers()? };
        if mine {
            println!("{}", step.iter().map(|number| number.to_string()).collect::<Vec<_>>().join(" "));
            io::stdout().flush()?;
        }
        match step[..] {
            [stack] => {
                heights[stack - 1] += 1;
                tokens -= 1;
            }
            [stack, amount] => heights[stack - 1] -= amount,
            _ => break,
        }
        mine = !mine;
    }
    Ok(())
}

/// Whether the player to move wins.
fn won(tokens: usize, heights: &[usize], known: &mut Known) -> bool {
    let mut sorted = heights.to_vec();
    sorted.sort_unstable();
    if tokens == 0 {
        return sorted.iter().fold(0, |sum, height| sum ^ height) != 0;
    }
    if let Some(won) = known.get(&(tokens, sorted.clone())) {
        return *won;
    }
    let found = placing(tokens, &mut sorted, known).is_some();
    sorted.sort_unstable();
    known.insert((tokens, sorted), found);
    found
}

/// The first stack on which a token wins.
fn placing(tokens: usize, heights: &mut [usize], known: &mut Known) -> Option<usize> {
    (0..heights.len()).find(|&stack| {
        heights[stack] += 1;
        let lost = !won(tokens - 1, heights, known);
        heights[stack] -= 1;
        lost
    })
}

/// A winning move as it is printed.
fn best(tokens: usize, heights: &mut [usize], known: &mut Known) -> Vec<usize> {
    if tokens > 0 {
        return placing(tokens, heights, known).map(|stack| vec![stack + 1]).unwrap_or_default();
    }
    let sum = heights.iter().fold(0, |sum, height| sum ^ height);
    let stack = heights.iter().position(|height| height ^ sum < *height);
    stack.map(|stack| vec![stack + 1, heights[stack] - (heights[stack] ^ sum)]).unwrap_or_default()
}
