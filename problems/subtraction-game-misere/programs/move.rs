//! The checker of subtraction-game-misere: a move is right if the rules allow it and the other player has lost after it.

use nimatron_kit::*;

fn main() -> std::process::ExitCode {
    checker(|case| {
        let n: usize = case.input.int(1..=200_000)?;
        let r: u64 = case.input.int(1..=1_000_000_000_000_000_000)?;
        let mut heaps: Vec<u64> = case.input.ints(n, 0..=1_000_000_000_000_000_000)?;
        let there_is_one = case.answer.int(0..=n)? > 0;
        let heap: usize = case.output.int(0..=n)?;
        let amount: u64 = case.output.int(0..=r)?;
        case.output.end()?;
        if heap == 0 && amount == 0 {
            return if there_is_one { wrong("there is a winning move") } else { accept("no move wins") };
        }
        if heap == 0 || amount == 0 {
            return malformed(format!("`{} {}` is no move, and not `0 0` either", heap, amount));
        }
        let size = heaps[heap - 1];
        if amount > size {
            return wrong(format!("heap {} has only {} stones, and {} are taken", heap, size, amount));
        }
        heaps[heap - 1] -= amount;
        if !is_lost(&heaps, r) {
            return wrong(format!("after taking {} from heap {} the other player wins", amount, heap));
        }
        if !there_is_one {
            return Err("the move wins, and the answer says that there is none".to_owned().into());
        }
        accept("a winning move")
    })
}

/// Whether the player to move loses: by the nim-sum of the residues modulo r + 1, turned round if none is above 1.
fn is_lost(heaps: &[u64], r: u64) -> bool {
    let residues = || heaps.iter().map(|heap| heap % (r + 1));
    let sum = residues().fold(0, |sum, residue| sum ^ residue);
    if residues().any(|residue| residue > 1) { sum == 0 } else { sum == 1 }
}
