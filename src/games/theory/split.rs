//! Split Nim: a move replaces one heap by two smaller ones.

use crate::Move;

/// Returns the Grundy value of a heap in Split Nim: the `size`-th odious number, that is, the `size`-th number with an
/// odd number of binary ones: 1, 2, 4, 7, 8, 11, ... (Mock Turtles; Berlekamp, Conway and Guy, "Winning Ways", chapter
/// 14). An empty heap has value 0.
///
/// A heap of size `a` corresponds to a turtle at place `a`. Turning it over together with up to two turtles at smaller
/// places corresponds to replacing the heap by two smaller ones.
pub fn split_nim_value(size: u64) -> u128 {
    let Some(before) = size.checked_sub(1) else { return 0 };
    2 * u128::from(before) + u128::from(before.count_ones().is_multiple_of(2))
}

fn sum(heaps: &[u64]) -> u128 {
    heaps.iter().fold(0, |sum, size| sum ^ split_nim_value(*size))
}

/// Returns whether the player to move wins Split Nim. This is the case iff the nim-sum of the values is not zero
/// (Sprague–Grundy with [`split_nim_value`]).
pub fn split_nim_wins(heaps: &[u64]) -> bool {
    sum(heaps) != 0
}

/// Returns a winning move of Split Nim on the first heap whose value can be lowered to win, or `None` if there is none.
///
/// The values of the new heaps must have the nim-sum that makes the total 0. This nim-sum is zero, an odious number, or
/// the nim-sum of two odious numbers (its lowest bit and its other bits), which are smaller than the value of the heap.
pub fn split_nim_move(heaps: &[u64]) -> Option<Move> {
    let sum = sum(heaps);
    let lowers = |size: &u64| split_nim_value(*size) ^ sum < split_nim_value(*size);
    let heap = heaps.iter().position(lowers)?;
    let wanted = split_nim_value(heaps[heap]) ^ sum;
    let lowest = wanted & wanted.wrapping_neg();
    let (one, other) = match wanted.count_ones() % 2 {
        1 => (0, wanted),
        _ => (lowest, wanted ^ lowest),
    };
    let mut parts = vec![size_of(one), size_of(other)];
    parts.sort_unstable();
    Some(Move::Split { heap, parts })
}

/// Returns the size of the heap whose value is `value`, which must be odious or 0.
fn size_of(value: u128) -> u64 {
    if value == 0 { 0 } else { (value / 2) as u64 + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grundy::HeapGame;
    use crate::theory::closed_form_proof::{ClosedFormProof, SMALL, multisets};
    use crate::{BoundRules, MoveRule, Position, SplitTotal};

    fn rules() -> BoundRules {
        BoundRules::nim().with(vec![MoveRule::Split { parts: 2, distinct: false, total: SplitTotal::Any, min: 0 }])
    }

    #[test]
    fn values_match_the_definition() {
        let table: Vec<u128> =
            HeapGame::from_rules(&rules()).unwrap().values(300).into_iter().map(u128::from).collect();
        let closed: Vec<u128> = (0..=300).map(split_nim_value).collect();
        assert_eq!(table, closed);
        assert_eq!(closed[..10], [0, 1, 2, 4, 7, 8, 11, 13, 14, 16]);
        assert_eq!(split_nim_value(100), 199);
    }

    #[test]
    fn sums_are_proved() {
        let mut proof = ClosedFormProof::new(rules());
        for heaps in [(1, 5), (2, 4), (3, 3)].iter().flat_map(|(count, most)| multisets(*count, *most)) {
            proof.check(&Position::Heaps(heaps.clone()), split_nim_wins(&heaps), None);
        }
    }

    #[test]
    fn the_move_leaves_a_lost_position() {
        let huge = [u64::MAX, 1_000_000_000_000_000_000, 999_999_999_999, 12];
        let small = SMALL.iter().flat_map(|(count, most)| multisets(*count, *most));
        for heaps in small.chain([huge.to_vec()]) {
            let Some(Move::Split { heap, parts }) = split_nim_move(&heaps) else {
                assert!(!split_nim_wins(&heaps));
                continue;
            };
            assert!(parts.iter().all(|part| *part < heaps[heap]), "{heaps:?} heap {heap} to {parts:?}");
            let mut after = heaps.clone();
            after.remove(heap);
            after.extend(parts);
            assert!(!split_nim_wins(&after), "{heaps:?} to {after:?}");
        }
    }
}
