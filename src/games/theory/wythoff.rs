//! Wythoff's game in exact arithmetic, and Nim with the extra move of taking the same amount from every heap.

use super::nim::nim_wins;
use crate::Move;

/// Returns the largest number up to `most` for which `test` holds, by binary search. `test` must hold for all numbers
/// from 0 to some number, and fail for all larger ones.
fn last(most: u128, test: impl Fn(u128) -> bool) -> u128 {
    let (mut low, mut high) = (0, most);
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if test(middle) { low = middle } else { high = middle - 1 }
    }
    low
}

/// Returns the smaller heap of the P-position whose heaps differ by `difference`: `floor(difference * phi)`, where phi
/// is the golden ratio (Wythoff 1907). In integers this is `(d + isqrt(5 d^2)) / 2`, which is exact for every 64-bit
/// difference.
pub fn wythoff_smaller(difference: u64) -> u128 {
    let d = u128::from(difference);
    match 5_u128.checked_mul(d * d) {
        Some(square) => (d + square.isqrt()) / 2,
        // phi is the positive root of x (x - 1) = 1, so the result is the largest s with s (s - d) <= d^2.
        None => last(2 * d, |s| s.saturating_sub(d).checked_mul(s).is_some_and(|product| product <= d * d)),
    }
}

/// Returns the other heap of the P-position that contains a heap of `size` objects. Every number occurs in exactly one
/// P-position (Beatty 1926).
pub fn wythoff_partner(size: u64) -> u128 {
    let d = last(size.into(), |d| wythoff_smaller(d as u64) <= u128::from(size));
    if wythoff_smaller(d as u64) == u128::from(size) {
        return u128::from(size) + d;
    }
    let d = last(size.into(), |d| wythoff_smaller(d as u64) + d <= u128::from(size));
    u128::from(size) - d
}

/// Returns whether the player to move wins Wythoff's game. This is the case iff the smaller heap is not `floor(d phi)`
/// for the difference `d` (Wythoff 1907).
///
/// A move takes any amount from one heap, or the same amount from both.
pub fn wythoff_wins(a: u64, b: u64) -> bool {
    wythoff_smaller(a.abs_diff(b)) != u128::from(a.min(b))
}

/// Returns whether the player to move wins Wythoff's game in misère play. The P-positions are (0, 1), (2, 2), and
/// Wythoff's pairs from (3, 5) on (the tests cover heaps of up to 100).
pub fn wythoff_misere_wins(a: u64, b: u64) -> bool {
    match (a.min(b), a.max(b)) {
        (0, 0) | (1, 2) => true,
        (0, 1) | (2, 2) => false,
        _ => wythoff_wins(a, b),
    }
}

/// Returns all winning moves of Wythoff's game, at most three. A winning move lowers one heap to the partner of the
/// other, or both heaps to the P-position with the same difference.
pub fn wythoff_moves(a: u64, b: u64) -> Vec<Move> {
    if !wythoff_wins(a, b) {
        return Vec::new();
    }
    let lowered = |from: u64, other: u64| u64::try_from(wythoff_partner(other)).ok().filter(|to| *to < from);
    let mut moves = Vec::new();
    if let Some(to) = lowered(a, b) {
        moves.push(Move::Take { heap: 0, amount: a - to });
    }
    if let Some(to) = lowered(b, a) {
        moves.push(Move::Take { heap: 1, amount: b - to });
    }
    if let Ok(smaller) = u64::try_from(wythoff_smaller(a.abs_diff(b)))
        && smaller < a.min(b)
    {
        let amount = a.min(b) - smaller;
        moves.push(Move::TakeMany(vec![(0, amount), (1, amount)]));
    }
    moves
}

/// Returns whether the player to move wins Nim with the extra move of taking the same amount from every heap, or `None`
/// where no closed form is known.
///
/// With an odd number of heaps, the same player wins as in Nim: taking the same amount from an odd number of heaps
/// changes the nim-sum at the lowest set bit of the amount. An empty heap forbids the extra move, so the game is Nim.
/// With two heaps, the game is Wythoff's game. For an even number of four or more heaps, no closed form is known.
pub fn equal_nim_wins(heaps: &[u64]) -> Option<bool> {
    match heaps {
        _ if heaps.len() % 2 == 1 || heaps.contains(&0) => Some(nim_wins(heaps)),
        [] => Some(false),
        [a, b] => Some(wythoff_wins(*a, *b)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::closed_form_proof::{ClosedFormProof, multisets};
    use crate::{AllowedAmounts, BoundRules, HeapChoice, MoveRule, Position, Solver};
    use proptest::prelude::*;

    fn rules() -> BoundRules {
        let every = MoveRule::Take { amount: AllowedAmounts::Any, from: HeapChoice::Every, same: true };
        let mut move_rules = BoundRules::nim().move_rules;
        move_rules.push(every);
        BoundRules::nim().with(move_rules)
    }

    #[test]
    fn two_heaps_are_proved_with_their_moves() {
        let mut proof = ClosedFormProof::new(rules());
        for heaps in multisets(2, 60) {
            let (a, b) = (heaps[0], heaps[1]);
            proof.check(&Position::Heaps(heaps), wythoff_wins(a, b), Some(wythoff_moves(a, b)));
        }
    }

    #[test]
    fn misere_play_is_proved() {
        let mut proof = ClosedFormProof::new(rules().misere());
        for heaps in multisets(2, 100) {
            let wins = wythoff_misere_wins(heaps[0], heaps[1]);
            proof.check(&Position::Heaps(heaps), wins, None);
        }
    }

    #[test]
    fn an_odd_number_of_heaps_is_nim() {
        let mut proof = ClosedFormProof::new(rules());
        for heaps in [(1, 60), (2, 40), (3, 16), (4, 6), (5, 5)].iter().flat_map(|(n, max)| multisets(*n, *max)) {
            if let Some(wins) = equal_nim_wins(&heaps) {
                proof.check(&Position::Heaps(heaps), wins, None);
            }
        }
    }

    #[test]
    fn the_lost_positions_of_four_heaps_are_as_published() {
        let mut solver = Solver::new(rules(), 1_000_000);
        let full = multisets(4, 6).into_iter().filter(|heaps| heaps[0] > 0);
        let lost: Vec<String> = full
            .filter(|heaps| !solver.wins(&Position::Heaps(heaps.clone())).unwrap())
            .map(|heaps| heaps.iter().map(u64::to_string).collect())
            .collect();
        let expected = "1112 1134 1156 1222 1244 1255 1266 1333 2234 2256 2335 3346 3445 3666 4446 4566";
        assert_eq!(lost.join(" "), expected);
    }

    proptest! {
        #[test]
        fn the_smaller_heap_is_exact_for_every_difference(d in any::<u64>()) {
            // The result is s = floor(d phi) iff s (s - d) <= d^2 < (s + 1) (s + 1 - d).
            let (s, d) = (wythoff_smaller(d), u128::from(d));
            prop_assert!(s >= d && s * (s - d) <= d * d);
            prop_assert!((s + 1).checked_mul(s + 1 - d).is_none_or(|product| product > d * d));
        }

        #[test]
        fn partners_form_a_lost_position(size in any::<u64>()) {
            let partner = wythoff_partner(size);
            let (low, high) = (partner.min(size.into()), partner.max(size.into()));
            prop_assert_eq!(wythoff_smaller((high - low) as u64), low);
        }
    }
}
