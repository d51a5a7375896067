//! Staircase Nim: a move transfers objects from a step to the step below it.

use super::nim::nim_sum;
use crate::Move;

/// Returns the numbers of objects on the counted steps: every second step, from the lowest one that objects can leave.
fn counted(steps: &[u64], frozen: bool) -> Vec<u64> {
    steps.iter().skip(usize::from(frozen)).step_by(2).copied().collect()
}

/// Returns whether the player to move wins Staircase Nim. This is the case iff the nim-sum of the counted steps is not
/// zero. Every second step is counted, from the lowest one that objects can leave.
///
/// `steps` are listed from the lowest. Objects that are moved from the lowest step leave the game. If that step is
/// `frozen`, they cannot be moved. A move from an uncounted step is answered by moving the same objects one step
/// further, so the counted steps are played like the heaps of Nim (Bouton 1901).
pub fn staircase_wins(steps: &[u64], frozen: bool) -> bool {
    nim_sum(&counted(steps, frozen)) != 0
}

/// Returns all winning moves of Staircase Nim.
///
/// A counted step is lowered as in Nim, or raised with objects from the step above if there are enough.
pub fn staircase_moves(steps: &[u64], frozen: bool) -> Vec<Move> {
    let sum = nim_sum(&counted(steps, frozen));
    let mut moves = Vec::new();
    for (step, size) in steps.iter().enumerate().skip(usize::from(frozen)).step_by(2).filter(|_| sum != 0) {
        let wanted = size ^ sum;
        if wanted < *size {
            moves.push(Move::Slide { step, amount: size - wanted });
        } else if steps.get(step + 1).is_some_and(|above| *above >= wanted - size) {
            moves.push(Move::Slide { step: step + 1, amount: wanted - size });
        }
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::closed_form_proof::{ClosedFormProof, sequences};
    use crate::{AllowedAmounts, BoundRules, MoveRule, Position};

    fn prove(frozen: bool, ranges: &[(usize, u64)]) -> usize {
        let mut proof =
            ClosedFormProof::new(BoundRules::nim().with(vec![MoveRule::Slide { amount: AllowedAmounts::Any, frozen }]));
        for steps in ranges.iter().flat_map(|(count, most)| sequences(*count, *most)) {
            let (wins, moves) = (staircase_wins(&steps, frozen), staircase_moves(&steps, frozen));
            proof.check(&Position::Row(steps), wins, Some(moves));
        }
        proof.positions()
    }

    const SMALL: &[(usize, u64)] = &[(0, 0), (1, 20), (2, 10), (3, 5), (4, 3), (5, 2)];

    #[test]
    fn stairs_to_the_ground_are_proved() {
        assert!(prove(false, SMALL) > 1000);
    }

    #[test]
    fn stairs_with_a_frozen_step_are_proved() {
        assert!(prove(true, SMALL) > 1000);
    }

    #[test]
    #[ignore = "takes minutes: searches larger ranges"]
    fn long_larger_stairs_are_proved() {
        for frozen in [false, true] {
            prove(frozen, &[(2, 40), (3, 12), (4, 6), (5, 4), (6, 2)]);
        }
    }
}
