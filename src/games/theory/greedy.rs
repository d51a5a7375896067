//! Greedy Nim: a move takes from a heap of the largest size.

use crate::Move;

/// Returns the largest size, the number of heaps of that size, the second largest size, and the number of heaps of that
/// size. Empty heaps are not counted.
fn top(heaps: &[u64]) -> (u64, usize, u64, usize) {
    let largest = heaps.iter().copied().max().unwrap_or(0);
    let second = heaps.iter().copied().filter(|size| *size < largest).max().unwrap_or(0);
    let count = |wanted: u64| if wanted == 0 { 0 } else { heaps.iter().filter(|size| **size == wanted).count() };
    (largest, count(largest), second, count(second))
}

/// Returns whether the player to move wins Greedy Nim. This is the case iff the number of largest heaps is odd. Empty
/// heaps are not counted (Albert and Nowakowski 2004).
pub fn greedy_wins(heaps: &[u64]) -> bool {
    top(heaps).1 % 2 == 1
}

/// Returns whether the player to move wins Greedy Nim in misère play. The result is the same as in normal play while
/// some heap holds two or more objects. Otherwise the player to move wins iff the number of ones is even. (Proved by
/// induction; also tested against the solver.)
pub fn greedy_misere_wins(heaps: &[u64]) -> bool {
    match top(heaps) {
        (largest, count, _, _) if largest > 1 => count % 2 == 1,
        (_, ones, _, _) => ones % 2 == 0,
    }
}

/// The sizes to which a largest heap of Greedy Nim can be reduced in order to win.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GreedyTargets {
    /// There is no winning move.
    None,
    /// All sizes below this number.
    Below(u64),
    /// Only this size.
    Only(u64),
}

impl GreedyTargets {
    /// Returns the number of different positions after the winning moves.
    pub fn count(self) -> u64 {
        match self {
            GreedyTargets::None => 0,
            GreedyTargets::Below(size) => size,
            GreedyTargets::Only(_) => 1,
        }
    }
}

/// Returns the sizes to which a largest heap of Greedy Nim can be reduced in order to win (Albert and Nowakowski 2004).
pub fn greedy_targets(heaps: &[u64]) -> GreedyTargets {
    match top(heaps) {
        (_, count, _, _) if count % 2 == 0 => GreedyTargets::None,
        (largest, count, _, _) if count > 1 => GreedyTargets::Below(largest),
        (_, _, 0, _) => GreedyTargets::Only(0),
        (_, _, second, count) if count % 2 == 0 => GreedyTargets::Below(second),
        (_, _, second, _) => GreedyTargets::Only(second),
    }
}

/// Returns a winning move of Greedy Nim on the first largest heap, or `None` if there is none.
pub fn greedy_move(heaps: &[u64]) -> Option<Move> {
    let to = match greedy_targets(heaps) {
        GreedyTargets::None => return None,
        GreedyTargets::Below(_) => 0,
        GreedyTargets::Only(size) => size,
    };
    reduce(heaps, to)
}

/// Returns a winning move of Greedy Nim in misère play on the first largest heap, or `None` if there is none. Without
/// objects there is no move, although the player to move has won.
pub fn greedy_misere_move(heaps: &[u64]) -> Option<Move> {
    if !greedy_misere_wins(heaps) {
        return None;
    }
    match top(heaps) {
        (0, ..) => None,
        (1, ..) => reduce(heaps, 0),
        // All other heaps are ones. An odd number of ones must be left.
        (_, 1, 0 | 1, ones) => reduce(heaps, if ones % 2 == 0 { 1 } else { 0 }),
        // Other heaps of the largest size remain, so a reduction to any smaller size wins.
        (_, count, _, _) if count > 1 => reduce(heaps, 0),
        (_, _, second, count) => reduce(heaps, if count % 2 == 0 { 0 } else { second }),
    }
}

fn reduce(heaps: &[u64], to: u64) -> Option<Move> {
    let largest = top(heaps).0;
    let heap = heaps.iter().position(|size| *size == largest)?;
    Some(Move::Take { heap, amount: largest - to })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::closed_form_proof::{ClosedFormProof, multisets};
    use crate::{AllowedAmounts, BoundRules, HeapChoice, MoveRule, Position, Solver};
    use std::collections::BTreeSet;

    const RANGES: &[(usize, u64)] = &[(0, 0), (1, 60), (2, 60), (3, 30), (4, 13), (5, 8), (6, 5)];

    fn rules() -> BoundRules {
        BoundRules::nim().with(vec![MoveRule::Take {
            amount: AllowedAmounts::Any,
            from: HeapChoice::Largest,
            same: false,
        }])
    }

    #[test]
    fn both_conventions_are_proved() {
        ClosedFormProof::new(rules()).heaps(RANGES, greedy_wins, None);
        ClosedFormProof::new(rules().misere()).heaps(RANGES, greedy_misere_wins, None);
        assert!(!greedy_wins(&[0, 0, 0]), "empty heaps are not largest heaps");
    }

    #[test]
    fn the_number_of_winning_positions_is_proved() {
        let mut solver = Solver::new(rules(), 1_000_000);
        for heaps in [(1, 20), (2, 14), (3, 8), (4, 6)].iter().flat_map(|(n, max)| multisets(*n, *max)) {
            let position = Position::Heaps(heaps.clone());
            let results: BTreeSet<Position> = solver
                .winning_moves(&position)
                .unwrap()
                .into_iter()
                .map(|step| after(&heaps, &step))
                .map(|heaps| rules().canonical(Position::Heaps(heaps)))
                .collect();
            assert_eq!(results.len() as u64, greedy_targets(&heaps).count(), "{position}");
        }
    }

    fn after(heaps: &[u64], step: &Move) -> Vec<u64> {
        let Move::Take { heap, amount } = step else { panic!("expected a move on one heap, found {step}") };
        let mut after = heaps.to_vec();
        after[*heap] -= amount;
        after
    }

    #[test]
    fn the_moves_win() {
        type Form = (fn(&[u64]) -> bool, fn(&[u64]) -> Option<Move>);
        let forms: [Form; 2] = [(greedy_wins, greedy_move), (greedy_misere_wins, greedy_misere_move)];
        for (wins, find) in forms {
            for heaps in RANGES.iter().flat_map(|(n, max)| multisets(*n, *max)) {
                match find(&heaps) {
                    Some(step) => {
                        let Move::Take { heap, amount } = step else { panic!("expected a move on one heap") };
                        assert!(amount > 0 && heaps[heap] == *heaps.iter().max().unwrap());
                        assert!(!wins(&after(&heaps, &step)), "{heaps:?}: {step}");
                    }
                    None => assert!(!wins(&heaps) || heaps.iter().all(|size| *size == 0), "{heaps:?}"),
                }
            }
        }
    }
}
