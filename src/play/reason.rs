//! Why a position is won or lost: the numbers that decide it, and a game of two perfect players.

use crate::games::{Game, Justification, Move, PerfectPlayer, Position};

use super::hint::{Hint, hint};
use super::level::best;

/// Maximum number of moves of the game that is shown.
const SHOWN: usize = 12;

/// Why a position is won or lost.
#[derive(Debug)]
pub struct PositionReason {
    /// Whether the player to move wins or, with more than two players, comes first.
    pub wins: bool,
    /// The best move, the numbers that decide the position, and the explanation.
    pub hint: Hint,
    /// The moves of perfect players from the position, each with the position after it. Players take turns.
    pub line: Vec<(Move, Position)>,
    /// Whether the game ends with the last move.
    pub ended: bool,
}

/// Explains who wins from the start position of a game. Returns `None` if no theory decides it and a search would visit
/// more than `budget` positions.
pub fn explain_position(game: &Game, budget: usize) -> Option<PositionReason> {
    let mut perfect = PerfectPlayer::new(game.rules.clone(), budget);
    let wins = perfect.wins(&game.start).ok()?;
    let hint = hint(&mut perfect, &game.start);
    let mut line = Vec::new();
    let mut position = game.start.clone();
    let mut ended = false;
    while line.len() < SHOWN {
        let Some(advice) = best(&mut perfect, &position) else {
            ended = true;
            break;
        };
        if matches!(advice.why, Justification::Caution) {
            break;
        }
        position = advice.after.clone();
        line.push((advice.step, advice.after));
    }
    ended |= game.rules.moves(&position, 1).is_empty();
    Some(PositionReason { wins, hint, line, ended })
}
