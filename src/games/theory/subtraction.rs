//! The subtraction game with the set {1, ..., most}, in normal and misère play.

use super::nim::nim_sum;
use crate::Move;

/// Returns the Grundy value of a heap from which a move takes 1 to `most` objects: the size modulo `most + 1`
/// (Sprague–Grundy; one heap is Bachet's game).
pub fn bounded_value(size: u64, most: u64) -> u64 {
    (u128::from(size) % (u128::from(most) + 1)) as u64
}

fn residues(heaps: &[u64], most: u64) -> Vec<u64> {
    heaps.iter().map(|size| bounded_value(*size, most)).collect()
}

/// Returns whether the player to move wins the game in which a move takes 1 to `most` objects from one heap. This is
/// the case iff the nim-sum of the sizes modulo `most + 1` is not zero (Sprague–Grundy).
pub fn bounded_wins(heaps: &[u64], most: u64) -> bool {
    nim_sum(&residues(heaps, most)) != 0
}

/// Returns whether the player to move wins the game in which a move takes 1 to `most` objects from one heap, in misère
/// play. The result is the same as in normal play while some residue is two or more, and otherwise the opposite.
///
/// The game is tame: its residues are played as misère Nim (Conway, "On Numbers and Games", 1976, chapter 12).
pub fn bounded_misere_wins(heaps: &[u64], most: u64) -> bool {
    super::misere_nim_wins(&residues(heaps, most))
}

/// Returns all winning moves of the game in which a move takes 1 to `most` objects from one heap. There is at most one
/// for each heap.
///
/// A winning move may also raise the residue of a heap: it then lowers the size below a multiple of `most + 1`, which
/// requires a large enough heap.
pub fn bounded_moves(heaps: &[u64], most: u64) -> Vec<Move> {
    let residues = residues(heaps, most);
    let sum = nim_sum(&residues);
    let mut moves = Vec::new();
    for (heap, (size, residue)) in heaps.iter().zip(&residues).enumerate().filter(|_| sum != 0) {
        let wanted = residue ^ sum;
        if wanted > most {
            continue;
        }
        let modulus = u128::from(most) + 1;
        let amount = ((u128::from(*residue) + modulus - u128::from(wanted)) % modulus) as u64;
        if amount <= *size {
            moves.push(Move::Take { heap, amount });
        }
    }
    moves
}

/// Returns a winning move of the game in which a move takes 1 to `most` objects from one heap, in misère play, or
/// `None` if there is none or there are no objects.
///
/// A winning move makes the nim-sum of the residues zero, or leaves only residues of 0 and 1. Therefore three residues
/// are tried for each heap.
pub fn bounded_misere_move(heaps: &[u64], most: u64) -> Option<Move> {
    let residues = residues(heaps, most);
    let sum = nim_sum(&residues);
    let large = residues.iter().filter(|residue| **residue > 1).count();
    let wins = |residue: u64, wanted: u64| {
        let large = large - usize::from(residue > 1) + usize::from(wanted > 1);
        let rest = sum ^ residue ^ wanted;
        // The position after the move must be lost.
        if large > 0 { rest == 0 } else { rest != 0 }
    };
    let modulus = u128::from(most) + 1;
    heaps.iter().zip(&residues).enumerate().find_map(|(heap, (size, residue))| {
        let wanted = [residue ^ sum, 0, 1].into_iter().filter(|wanted| *wanted <= most).find(|wanted| {
            let amount = (u128::from(*residue) + modulus - u128::from(*wanted)) % modulus;
            amount > 0 && amount <= u128::from(*size) && wins(*residue, *wanted)
        })?;
        let amount = (u128::from(*residue) + modulus - u128::from(wanted)) % modulus;
        Some(Move::Take { heap, amount: amount as u64 })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::closed_form_proof::{ClosedFormProof, SMALL, multisets};
    use crate::{AllowedAmounts, BoundRules, HeapChoice, MoveRule, Position, Solver};

    fn rules(most: u64) -> BoundRules {
        BoundRules::nim().with(vec![MoveRule::Take {
            amount: AllowedAmounts::UpTo(most),
            from: HeapChoice::One,
            same: false,
        }])
    }

    /// Ranges of heap positions, as (number of heaps, largest size).
    const RANGES: &[(usize, u64)] = &[(0, 0), (1, 60), (2, 40), (3, 24), (4, 13), (5, 7)];

    #[test]
    fn normal_and_misere_play_are_proved() {
        for most in 1..=6 {
            ClosedFormProof::new(rules(most)).heaps(RANGES, |heaps| bounded_wins(heaps, most), None);
            ClosedFormProof::new(rules(most).misere()).heaps(RANGES, |heaps| bounded_misere_wins(heaps, most), None);
        }
    }

    #[test]
    fn winning_moves_that_raise_a_residue_are_proved() {
        ClosedFormProof::new(rules(1)).heaps(
            SMALL,
            |heaps| bounded_wins(heaps, 1),
            Some(|heaps| bounded_moves(heaps, 1)),
        );
        ClosedFormProof::new(rules(3)).heaps(
            SMALL,
            |heaps| bounded_wins(heaps, 3),
            Some(|heaps| bounded_moves(heaps, 3)),
        );
        ClosedFormProof::new(rules(4)).heaps(
            SMALL,
            |heaps| bounded_wins(heaps, 4),
            Some(|heaps| bounded_moves(heaps, 4)),
        );
        assert_eq!(bounded_moves(&[4, 2], 3).len(), 2, "2 is taken away, or 4 lowered to 2");
    }

    #[test]
    fn the_misere_move_is_among_the_winning_ones() {
        for most in 1..=4 {
            let mut solver = Solver::new(rules(most).misere(), 1_000_000);
            for heaps in [(1, 20), (2, 12), (3, 8), (4, 6)].iter().flat_map(|(n, max)| multisets(*n, *max)) {
                let winning = solver.winning_moves(&Position::Heaps(heaps.clone())).unwrap();
                match bounded_misere_move(&heaps, most) {
                    Some(step) => assert!(winning.contains(&step), "{heaps:?} {most}: {step}"),
                    None => assert!(winning.is_empty(), "{heaps:?} {most}"),
                }
            }
        }
    }

    #[test]
    fn the_largest_bound_is_nim() {
        let heaps = [u64::MAX, 1 << 40, 77];
        assert_eq!(bounded_moves(&heaps, u64::MAX), super::super::nim_moves(&heaps));
    }
}
