//! Nim, normal and misère.

use crate::games::Move;

/// The nim-sum: the exclusive or of the sizes.
pub fn nim_sum(heaps: &[u64]) -> u64 {
    heaps.iter().fold(0, |sum, heap| sum ^ heap)
}

/// Nim: wins iff the nim-sum is not zero (Bouton 1901).
pub fn nim_wins(heaps: &[u64]) -> bool {
    nim_sum(heaps) != 0
}

/// Nim: all winning moves. One for each heap that has the nim-sum's top bit, so their number is odd or zero
/// (Bouton 1901).
pub fn nim_moves(heaps: &[u64]) -> Vec<Move> {
    let sum = nim_sum(heaps);
    let lowered = heaps.iter().enumerate().filter(|(_, size)| *size ^ sum < **size);
    lowered.map(|(heap, size)| Move::Take { heap, amount: size - (size ^ sum) }).collect()
}

/// Misère Nim: as Nim while some heap holds two or more; otherwise wins iff the number of ones is even
/// (Bouton 1901). Without objects the player to move has won.
pub fn misere_nim_wins(heaps: &[u64]) -> bool {
    match heaps.iter().any(|heap| *heap > 1) {
        true => nim_wins(heaps),
        false => nim_sum(heaps) == 0,
    }
}

/// Misère Nim: all winning moves (Bouton 1901).
///
/// With two or more large heaps they are Nim's; a single large heap is cut so that an odd number of ones is left; among
/// ones every move wins or none.
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
    use crate::games::BoundRules;
    use crate::games::theory::closed_form_proof::{BEYOND, CARDS, ClosedFormProof};

    #[test]
    fn nim_is_proved_with_its_moves() {
        let mut proof = ClosedFormProof::new(BoundRules::nim());
        proof.heaps(CARDS, nim_wins, Some(nim_moves));
        assert!(proof.positions() > 10_000, "only {} positions", proof.positions());
    }

    #[test]
    fn misere_nim_is_proved_with_its_moves() {
        let mut proof = ClosedFormProof::new(BoundRules::nim().misere());
        proof.heaps(CARDS, misere_nim_wins, Some(misere_nim_moves));
    }

    #[test]
    #[ignore = "larger ranges than the cards': a minute"]
    fn both_are_proved_beyond_the_cards() {
        ClosedFormProof::new(BoundRules::nim()).heaps(BEYOND, nim_wins, Some(nim_moves));
        ClosedFormProof::new(BoundRules::nim().misere()).heaps(BEYOND, misere_nim_wins, Some(misere_nim_moves));
    }

    #[test]
    fn the_number_of_winning_moves_is_odd_at_the_top_of_the_range() {
        let heaps = [u64::MAX, u64::MAX - 1, 1 << 63, 5, 0];
        let moves = nim_moves(&heaps);
        assert_eq!(moves.len() % 2, 1);
        for step in moves {
            let Move::Take { heap, amount } = step else { panic!("a move on one heap") };
            let mut after = heaps;
            after[heap] -= amount;
            assert_eq!(nim_sum(&after), 0);
        }
    }
}
