//! Greedy Nim: only a heap of the largest size may be touched.

use crate::games::Move;

/// The largest size, how many heaps have it, the second size, and how many have that; empty heaps are none.
fn top(heaps: &[u64]) -> (u64, usize, u64, usize) {
    let largest = heaps.iter().copied().max().unwrap_or(0);
    let second = heaps.iter().copied().filter(|size| *size < largest).max().unwrap_or(0);
    let count = |wanted: u64| if wanted == 0 { 0 } else { heaps.iter().filter(|size| **size == wanted).count() };
    (largest, count(largest), second, count(second))
}

/// Greedy Nim: wins iff the number of largest heaps is odd; empty heaps do not count (Albert and Nowakowski 2004).
pub fn greedy_wins(heaps: &[u64]) -> bool {
    top(heaps).1 % 2 == 1
}

/// Greedy Nim in misère play: as in normal play while some heap holds two or more; otherwise wins iff the number of ones
/// is even. (By induction; proved here on the ranges of the card.)
pub fn greedy_misere_wins(heaps: &[u64]) -> bool {
    match top(heaps) {
        (largest, count, _, _) if largest > 1 => count % 2 == 1,
        (_, ones, _, _) => ones % 2 == 0,
    }
}

/// Greedy Nim: the new sizes that win for a largest heap, as a range from 0 (`Below`) or a single one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GreedyTargets {
    /// The position is lost.
    None,
    /// Every size below this one.
    Below(u64),
    /// This size only.
    Only(u64),
}

impl GreedyTargets {
    /// How many different positions the winning moves lead to.
    pub fn count(self) -> u64 {
        match self {
            GreedyTargets::None => 0,
            GreedyTargets::Below(size) => size,
            GreedyTargets::Only(_) => 1,
        }
    }
}

/// Greedy Nim: to which sizes a largest heap can be reduced to win (Albert and Nowakowski 2004).
pub fn greedy_targets(heaps: &[u64]) -> GreedyTargets {
    match top(heaps) {
        (_, count, _, _) if count % 2 == 0 => GreedyTargets::None,
        (largest, count, _, _) if count > 1 => GreedyTargets::Below(largest),
        (_, _, 0, _) => GreedyTargets::Only(0),
        (_, _, second, count) if count % 2 == 0 => GreedyTargets::Below(second),
        (_, _, second, _) => GreedyTargets::Only(second),
    }
}

/// Greedy Nim: a winning move on the first largest heap, `None` if there is none.
pub fn greedy_move(heaps: &[u64]) -> Option<Move> {
    let to = match greedy_targets(heaps) {
        GreedyTargets::None => return None,
        GreedyTargets::Below(_) => 0,
        GreedyTargets::Only(size) => size,
    };
    reduce(heaps, to)
}

/// Greedy Nim in misère play: a winning move on the first largest heap, `None` if there is none. Without objects the
/// player to move has won and needs no move.
pub fn greedy_misere_move(heaps: &[u64]) -> Option<Move> {
    if !greedy_misere_wins(heaps) {
        return None;
    }
    match top(heaps) {
        (0, ..) => None,
        (1, ..) => reduce(heaps, 0),
        // Only ones beside it: an odd number of them must be left.
        (_, 1, 0 | 1, ones) => reduce(heaps, if ones % 2 == 0 { 1 } else { 0 }),
        // Others of the same size stay: what becomes of this one does not matter.
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
    use crate::games::theory::closed_form_proof::{ClosedFormProof, multisets};
    use crate::games::{AllowedAmounts, BoundRules, HeapChoice, MoveRule, Position, Solver};
    use std::collections::BTreeSet;

    const CARD: &[(usize, u64)] = &[(0, 0), (1, 60), (2, 60), (3, 30), (4, 13), (5, 8), (6, 5)];

    fn rules() -> BoundRules {
        BoundRules::nim().with(vec![MoveRule::Take {
            amount: AllowedAmounts::Any,
            from: HeapChoice::Largest,
            same: false,
        }])
    }

    #[test]
    fn both_conventions_are_proved() {
        ClosedFormProof::new(rules()).heaps(CARD, greedy_wins, None);
        ClosedFormProof::new(rules().misere()).heaps(CARD, greedy_misere_wins, None);
        assert!(!greedy_wins(&[0, 0, 0]), "empty heaps are not largest heaps");
    }

    #[test]
    fn the_number_of_winning_results_is_proved() {
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
        let Move::Take { heap, amount } = step else { panic!("a move on one heap, not {step}") };
        let mut after = heaps.to_vec();
        after[*heap] -= amount;
        after
    }

    #[test]
    fn the_moves_win() {
        type Form = (fn(&[u64]) -> bool, fn(&[u64]) -> Option<Move>);
        let forms: [Form; 2] = [(greedy_wins, greedy_move), (greedy_misere_wins, greedy_misere_move)];
        for (wins, find) in forms {
            for heaps in CARD.iter().flat_map(|(n, max)| multisets(*n, *max)) {
                match find(&heaps) {
                    Some(step) => {
                        let Move::Take { heap, amount } = step else { panic!("a move on one heap") };
                        assert!(amount > 0 && heaps[heap] == *heaps.iter().max().unwrap());
                        assert!(!wins(&after(&heaps, &step)), "{heaps:?}: {step}");
                    }
                    None => assert!(!wins(&heaps) || heaps.iter().all(|size| *size == 0), "{heaps:?}"),
                }
            }
        }
    }
}
