//! Moore's Nim: a move takes from up to `k` heaps. In a variant, it takes at most a fixed number of objects from each.

use super::subtraction::{bounded_value, bounded_wins};
use crate::Move;

/// Returns the number of heaps whose size has the bit `bit` set.
fn count(heaps: &[u64], bit: u32) -> u64 {
    heaps.iter().filter(|size| *size >> bit & 1 == 1).count() as u64
}

/// Returns whether the player to move wins Moore's Nim. This is the case iff for some bit the number of heaps that have
/// it set is not divisible by `k + 1` (Moore 1910).
///
/// A move takes any positive amounts from at least one and at most `k >= 1` heaps.
pub fn moore_wins(heaps: &[u64], k: u64) -> bool {
    (0..u64::BITS).any(|bit| u128::from(count(heaps, bit)) % (u128::from(k) + 1) != 0)
}

/// Returns whether the player to move wins Moore's Nim in misère play. The result is the same as in normal play while
/// some heap holds two or more objects. Otherwise, the player to move loses iff the number of heaps of size 1 is
/// congruent to 1 modulo `k + 1` (by Moore's argument; the tests cover `k` up to 5).
pub fn moore_misere_wins(heaps: &[u64], k: u64) -> bool {
    match heaps.iter().any(|size| *size > 1) {
        true => moore_wins(heaps, k),
        false => u128::from(count(heaps, 0)) % (u128::from(k) + 1) != 1,
    }
}

/// Returns a winning move of Moore's Nim, or `None` if there is none.
///
/// Moore's construction processes the bits from the highest down. A heap that has been lowered may have any lower bits,
/// so lowered heaps are adjusted first, and further heaps are lowered only if that is not enough. Runs in O(n) per
/// bit.
pub fn moore_move(heaps: &[u64], k: u64) -> Option<Move> {
    let modulus = usize::try_from(k).unwrap_or(usize::MAX).saturating_add(1);
    let mut sizes = heaps.to_vec();
    let mut open: Vec<usize> = Vec::new();
    let mut is_open = vec![false; heaps.len()];
    for bit in (0..u64::BITS).rev() {
        let having: Vec<usize> =
            (0..sizes.len()).filter(|heap| !is_open[*heap] && sizes[*heap] >> bit & 1 == 1).collect();
        let rest = having.len() % modulus;
        let missing = (modulus - rest) % modulus;
        let filled = if missing <= open.len() { missing } else { 0 };
        for (number, heap) in open.iter().enumerate() {
            sizes[*heap] = sizes[*heap] & !(1 << bit) | u64::from(number < filled) << bit;
        }
        if missing > open.len() {
            for heap in having.into_iter().take(rest) {
                sizes[heap] &= !(1 << bit);
                is_open[heap] = true;
                open.push(heap);
            }
        }
    }
    let taken: Vec<u64> = heaps.iter().zip(&sizes).map(|(before, after)| before - after).collect();
    (!open.is_empty()).then(|| Move::taking(&taken))
}

/// Returns a winning move of Moore's Nim in misère play, or `None` if there is none or there are no objects.
///
/// With more than `k` heaps of two or more objects, the move is the same as in normal play, which leaves at least one
/// of them. Otherwise all large heaps are lowered to 0 or 1, and heaps of one object are taken if necessary, so that
/// the number of ones is 1 modulo `k + 1`. With large heaps this is always possible, because the numbers of ones that
/// can be reached are `k + 1` consecutive numbers, or all numbers from 0 to a positive number.
pub fn moore_misere_move(heaps: &[u64], k: u64) -> Option<Move> {
    if !moore_misere_wins(heaps, k) || heaps.iter().all(|size| *size == 0) {
        return None;
    }
    let large = heaps.iter().filter(|size| **size > 1).count() as u64;
    if large > k {
        return moore_move(heaps, k);
    }
    let (ones, modulus) = (count_ones(heaps), u128::from(k) + 1);
    let fits = |kept: u64, gone: u64| (u128::from(ones + kept) + modulus - u128::from(gone)) % modulus == 1;
    let gone_most = (k - large).min(ones);
    let (kept, gone) = (0..=large)
        .flat_map(|kept| (0..=gone_most).map(move |gone| (kept, gone)))
        .find(|(kept, gone)| fits(*kept, *gone) && large + gone > 0)?;
    let (mut kept, mut gone) = (kept, gone);
    let mut taken = vec![0; heaps.len()];
    for (taken, size) in taken.iter_mut().zip(heaps) {
        let rest = match size {
            0 => 0,
            1 if gone > 0 => {
                gone -= 1;
                0
            }
            1 => 1,
            _ if kept > 0 => {
                kept -= 1;
                1
            }
            _ => 0,
        };
        *taken = size - rest;
    }
    Some(Move::taking(&taken))
}

fn count_ones(heaps: &[u64]) -> u64 {
    heaps.iter().filter(|size| **size == 1).count() as u64
}

/// Returns whether the player to move wins Moore's Nim if a move takes at most `most` objects from each heap, or `None`
/// where no closed form is known.
///
/// With `k = 1`, the game is a sum of subtraction games. With at most `k` non-empty heaps, the position is lost iff all
/// sizes are divisible by `most + 1`. With `k + 1` non-empty heaps, it is lost iff all sizes are equal modulo `most +
/// 1`: a move changes at least one residue but not all of them, and lowering all residues to the smallest changes
/// at most `k` heaps. With more heaps, the textbook rule (Moore's Nim on the residues) is false; the first
/// counterexample is `k = 2`, `most = 1`, heaps 2 1 1 1.
pub fn bounded_moore_wins(heaps: &[u64], k: u64, most: u64) -> Option<bool> {
    let residues: Vec<u64> = heaps.iter().filter(|size| **size > 0).map(|size| bounded_value(*size, most)).collect();
    let count = residues.len() as u64;
    match k {
        1 => Some(bounded_wins(heaps, most)),
        _ if count <= k => Some(residues.iter().any(|residue| *residue > 0)),
        _ if count - 1 == k => Some(residues.windows(2).any(|pair| pair[0] != pair[1])),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::closed_form_proof::{ClosedFormProof, SMALL, multisets};
    use crate::{AllowedAmounts, BoundAmounts, BoundRules, HeapChoice, MoveRule, Position, Solver};
    use proptest::prelude::*;

    fn rules(amount: BoundAmounts, k: u64) -> BoundRules {
        BoundRules::nim().with(vec![MoveRule::Take { amount, from: HeapChoice::UpTo(k), same: false }])
    }

    #[test]
    #[ignore = "slow; .ci/run runs it"]
    fn normal_and_misere_play_are_proved() {
        for k in 1..=5 {
            ClosedFormProof::new(rules(AllowedAmounts::Any, k)).heaps(SMALL, |heaps| moore_wins(heaps, k), None);
            ClosedFormProof::new(rules(AllowedAmounts::Any, k).misere()).heaps(
                SMALL,
                |heaps| moore_misere_wins(heaps, k),
                None,
            );
        }
    }

    #[test]
    #[ignore = "takes a minute: searches larger ranges"]
    fn long_larger_ranges_are_proved() {
        let expected = &[(2, 31), (3, 20), (4, 10), (5, 7), (6, 4)];
        for k in 1..=5 {
            ClosedFormProof::new(rules(AllowedAmounts::Any, k)).heaps(expected, |heaps| moore_wins(heaps, k), None);
            ClosedFormProof::new(rules(AllowedAmounts::Any, k).misere()).heaps(
                expected,
                |heaps| moore_misere_wins(heaps, k),
                None,
            );
        }
    }

    proptest! {
        #[test]
        fn the_move_is_legal_and_leaves_a_lost_position(
            heaps in prop::collection::vec(any::<u64>().prop_map(|size| size >> (size % 64)), 1..9),
            k in 1_u64..6,
        ) {
            let Some(step) = moore_move(&heaps, k) else {
                prop_assert!(!moore_wins(&heaps, k));
                return Ok(());
            };
            let taken = match step {
                Move::Take { heap, amount } => vec![(heap, amount)],
                Move::TakeMany(taken) => taken,
                other => panic!("expected a move on heaps, found {other:?}"),
            };
            prop_assert!(taken.len() as u64 <= k);
            let mut after = heaps.clone();
            for (heap, amount) in taken {
                prop_assert!(amount > 0 && amount <= after[heap]);
                after[heap] -= amount;
            }
            prop_assert!(!moore_wins(&after, k), "{:?} to {:?}", heaps, after);
        }
    }

    #[test]
    fn the_misere_move_is_among_the_winning_ones() {
        for k in 1..=4 {
            let mut solver = Solver::new(rules(AllowedAmounts::Any, k).misere(), 1_000_000);
            for heaps in
                [(1, 9), (2, 6), (3, 4), (4, 3), (5, 2), (6, 1)].iter().flat_map(|(n, max)| multisets(*n, *max))
            {
                let winning = solver.winning_moves(&Position::Heaps(heaps.clone())).unwrap();
                match moore_misere_move(&heaps, k) {
                    Some(step) => assert!(winning.contains(&step), "{heaps:?} {k}: {step}"),
                    None => assert!(winning.is_empty(), "{heaps:?} {k}"),
                }
            }
        }
    }

    #[test]
    fn the_bounded_form_is_proved_where_it_is_known() {
        for k in 1..=4_u64 {
            for most in 1..=5 {
                let mut proof = ClosedFormProof::new(rules(AllowedAmounts::UpTo(most), k));
                for heaps in [(1, 30), (2, 16), (3, 9), (4, 6), (5, 4)].iter().flat_map(|(n, max)| multisets(*n, *max))
                {
                    if let Some(wins) = bounded_moore_wins(&heaps, k, most) {
                        proof.check(&Position::Heaps(heaps), wins, None);
                    }
                }
            }
        }
    }

    #[test]
    fn the_textbook_rule_fails() {
        for most in 1..=4 {
            let heaps = [most + 1, 1, 1, 1];
            let residues: Vec<u64> = heaps.iter().map(|size| bounded_value(*size, most)).collect();
            assert!(!moore_wins(&residues, 2), "by the textbook rule, {heaps:?} is lost");
            let mut solver = Solver::new(rules(AllowedAmounts::UpTo(most), 2), 100_000);
            assert!(solver.wins(&Position::Heaps(heaps.to_vec())).unwrap());
            assert_eq!(bounded_moore_wins(&heaps, 2, most), None);
        }
    }

    #[test]
    fn taking_one_from_any_heaps_is_lost_when_all_are_even() {
        let rules = BoundRules::nim().with(vec![MoveRule::Take {
            amount: AllowedAmounts::In(vec![1]),
            from: HeapChoice::UpToAll,
            same: false,
        }]);
        ClosedFormProof::new(rules).heaps(
            SMALL,
            |heaps| bounded_moore_wins(heaps, heaps.len().max(1) as u64, 1) == Some(true),
            None,
        );
    }
}
