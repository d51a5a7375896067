//! Nim in normal and misère play.

use std::ops::BitXor;

use crate::Move;

/// Returns the nim-sum of heap sizes or Grundy values: their exclusive or.
pub fn nim_sum<T: Copy + Default + BitXor<Output = T>>(values: &[T]) -> T {
    values.iter().fold(T::default(), |sum, value| sum ^ *value)
}

/// Returns whether the player to move wins Nim. This is the case iff the nim-sum is not zero (Bouton 1901).
pub fn nim_wins(heaps: &[u64]) -> bool {
    nim_sum(heaps) != 0
}

/// Returns all winning moves of Nim. There is one for each heap that has the top bit of the nim-sum set, so their
/// number is odd or zero (Bouton 1901).
pub fn nim_moves(heaps: &[u64]) -> Vec<Move> {
    let sum = nim_sum(heaps);
    let lowered = heaps.iter().enumerate().filter(|(_, size)| *size ^ sum < **size);
    lowered.map(|(heap, size)| Move::Take { heap, amount: size - (size ^ sum) }).collect()
}

/// Returns whether the player to move wins misère Nim. The result is the same as in Nim while some heap holds two or
/// more objects. Otherwise the player to move wins iff the number of ones is even (Bouton 1901); without objects, the
/// player to move has won.
pub fn misere_nim_wins(heaps: &[u64]) -> bool {
    match heaps.iter().any(|heap| *heap > 1) {
        true => nim_wins(heaps),
        false => nim_sum(heaps) == 0,
    }
}

/// Returns all winning moves of misère Nim (Bouton 1901).
///
/// With two or more large heaps they are the moves of Nim. A single large heap is reduced so that an odd number of ones
/// is left. If all heaps are ones, either every move wins or none does.
pub fn misere_nim_moves(heaps: &[u64]) -> Vec<Move> {
    let mut large = heaps.iter().enumerate().filter(|(_, size)| **size > 1);
    match (large.next(), large.next()) {
        (Some(_), Some(_)) => nim_moves(heaps),
        (Some((heap, size)), None) => {
            let ones = heaps.iter().filter(|size| **size == 1).count() as u64;
            vec![Move::Take { heap, amount: size - (1 - ones % 2) }]
        }
        (None, _) if misere_nim_wins(heaps) => {
            let ones = heaps.iter().enumerate().filter(|(_, size)| **size == 1);
            ones.map(|(heap, _)| Move::Take { heap, amount: 1 }).collect()
        }
        (None, _) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BoundRules;
    use crate::theory::closed_form_proof::{ClosedFormProof, EXTENDED_RANGES, STANDARD_RANGES};

    #[test]
    fn nim_is_proved_with_its_moves() {
        let mut proof = ClosedFormProof::new(BoundRules::nim());
        proof.heaps(STANDARD_RANGES, nim_wins, Some(nim_moves));
        assert!(proof.positions() > 10_000, "only {} positions", proof.positions());
    }

    #[test]
    fn misere_nim_is_proved_with_its_moves() {
        let mut proof = ClosedFormProof::new(BoundRules::nim().misere());
        proof.heaps(STANDARD_RANGES, misere_nim_wins, Some(misere_nim_moves));
    }

    #[test]
    #[ignore = "takes a minute: searches larger ranges"]
    fn long_larger_ranges_are_proved() {
        ClosedFormProof::new(BoundRules::nim()).heaps(EXTENDED_RANGES, nim_wins, Some(nim_moves));
        ClosedFormProof::new(BoundRules::nim().misere()).heaps(
            EXTENDED_RANGES,
            misere_nim_wins,
            Some(misere_nim_moves),
        );
    }

    #[test]
    fn the_number_of_winning_moves_is_odd_for_the_largest_heaps() {
        let heaps = [u64::MAX, u64::MAX - 1, 1 << 63, 5, 0];
        let moves = nim_moves(&heaps);
        assert_eq!(moves.len() % 2, 1);
        for step in moves {
            let Move::Take { heap, amount } = step else { panic!("expected a move on one heap") };
            let mut after = heaps;
            after[heap] -= amount;
            assert_eq!(nim_sum(&after), 0);
        }
    }
}
