//! How well the machine plays.

use std::ops::ControlFlow;

use crate::games::{BoundRules, Move, MoveAdvice, PerfectPlayer, Position};
use crate::input::Rng;

/// How well the machine plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// It never loses what is won.
    Perfect,
    /// It moves by chance, but sees a move that wins at once.
    Beginner,
}

/// More moves than this are not looked through; a move of chance comes from these.
const LOOKED: usize = 2000;

impl Level {
    /// The machine's move; `None` if there is none.
    pub(super) fn choose(self, perfect: &mut PerfectPlayer, position: &Position, rng: &mut Rng) -> Option<Move> {
        match self {
            Level::Perfect => best(perfect, position).map(|advice| advice.step),
            Level::Beginner => beginner(perfect.rules(), position, rng),
        }
    }
}

/// What the perfect player would do, or where neither theory nor search reaches, a careful move.
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
    // Of very many moves the first ones all touch one heap: a heap and an amount of chance are fairer.
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
