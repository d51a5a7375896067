//! Explains why a position is won or lost: by the numbers that decide it, and by a game between perfect players.

use crate::games::{Game, Justification, Move, PerfectPlayer, Position};

use super::hint::{Hint, hint};
use super::level::best;

/// Maximum number of moves in [`PositionReason::line`].
const SHOWN: usize = 12;

/// The reason why a position is won or lost.
#[derive(Debug)]
pub struct PositionReason {
    /// Whether the player to move wins or, with more than two players, comes first.
    pub wins: bool,
    /// The best move, the numbers that decide the position, and the explanation.
    pub hint: Hint,
    /// The first moves of a game between perfect players, each with the position after it.
    pub line: Vec<(Move, Position)>,
    /// Whether the game is over after the last move of `line`.
    pub ended: bool,
}

/// Explains which player wins from the start position of a game. Returns `None` if no closed form or table decides the
/// position and a search exceeds `budget`, which limits the stored positions and the moves of one position.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{BoundRules, LastMover};

    #[test]
    fn a_perfect_game_confirms_who_wins() {
        for last_mover in [LastMover::Wins, LastMover::Loses] {
            for sizes in [[1, 2, 3], [0, 0, 4], [2, 2, 2], [1, 1, 1], [0, 0, 0]] {
                let rules = BoundRules { last_mover, ..BoundRules::nim() };
                let game = Game { rules, start: Position::Heaps(sizes.to_vec()) };
                let reason = explain_position(&game, 10_000).unwrap();
                assert!(reason.ended, "{sizes:?}");
                let first_moves_last = reason.line.len() % 2 == 1;
                assert_eq!(
                    reason.wins,
                    first_moves_last == (last_mover == LastMover::Wins),
                    "{sizes:?} {last_mover:?}"
                );
                let last = reason.line.last().map_or(&game.start, |(_, after)| after);
                assert!(game.rules.moves(last, 1).is_empty(), "{last}");
            }
        }
    }

    #[test]
    fn a_long_game_is_cut() {
        let rules = BoundRules { last_mover: LastMover::Wins, ..BoundRules::nim() };
        let game = Game { rules, start: Position::Heaps(vec![9, 9]) };
        let reason = explain_position(&game, 10_000).unwrap();
        assert!(!reason.wins);
        assert_eq!((reason.line.len(), reason.ended), (SHOWN, false));
    }
}
