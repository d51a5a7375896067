//! The strength of the machine, and the moves that it chooses.

use std::ops::ControlFlow;

use crate::games::{BoundRules, Move, MoveAdvice, PerfectPlayer, Position};
use crate::input::Rng;

/// Strength of the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlayLevel {
    /// Perfect play, or cautious play if the position cannot be evaluated.
    Perfect,
    /// A move that wins immediately if there is one, otherwise a random move.
    Beginner,
}

/// Maximum number of positions that a search during a match stores. A search of this size takes one to two seconds.
pub const BUDGET: usize = 300_000;

/// Maximum total size of the moves that a search during a match enumerates, in 64-bit words.
pub const WORK: u64 = BUDGET as u64 * 64;

/// Maximum number of moves that the beginner examines and chooses from.
const LOOKED: usize = 2000;

impl PlayLevel {
    /// Returns the machine's move, or `None` if there is no legal move.
    pub(super) fn choose(self, perfect: &mut PerfectPlayer, position: &Position, rng: &mut Rng) -> Option<Move> {
        match self {
            PlayLevel::Perfect => best(perfect, position).map(|advice| advice.step),
            PlayLevel::Beginner => beginner(perfect.rules(), position, rng),
        }
    }
}

/// Returns the move of the perfect player, or a cautious move if the position cannot be evaluated. Returns `None` if
/// there is no legal move.
pub(super) fn best(perfect: &mut PerfectPlayer, position: &Position) -> Option<MoveAdvice> {
    match perfect.choose(position) {
        Ok(advice) => advice,
        Err(_) => perfect.cautious(position),
    }
}

fn beginner(rules: &BoundRules, position: &Position, rng: &mut Rng) -> Option<Move> {
    let moves = rules.moves(position, LOOKED);
    let ends = |after: &Position| rules.each_move(after, &mut |_, _| ControlFlow::Break(())).is_continue();
    let wins = rules.last_mover == crate::games::LastMover::Wins;
    let last = moves.iter().find(|(_, after)| wins && ends(after));
    if let Some((step, _)) = last {
        return Some(step.clone());
    }
    // If the list of moves was truncated, all its moves may take from one heap, so a heap and an amount are chosen at
    // random instead.
    if moves.len() == LOOKED
        && let Position::Heaps(sizes) = position
    {
        for _ in 0..20 {
            let heap = rng.place(sizes.len());
            let amount = rng.below(sizes[heap]) + 1;
            let step = Move::Take { heap, amount };
            if rules.apply_move(position, &step).is_some() {
                return Some(step);
            }
        }
    }
    rng.choose(&moves).map(|(step, _)| step.clone())
}
