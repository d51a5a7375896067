//! Grundy's game: a move splits a heap into two heaps of different sizes.

/// The sizes up to one million for which a single non-empty heap is a P-position of Grundy's game. They were computed
/// from the definition up to 20,000 and by the sparse-space method up to 1,000,000. It is conjectured, not proved, that
/// 1222 is the last one.
pub const LOST_HEAPS: [u64; 41] = [
    1, 2, 4, 7, 10, 20, 23, 26, 50, 53, 270, 273, 276, 282, 285, 288, 316, 334, 337, 340, 346, 359, 362, 365, 386, 389,
    392, 566, 630, 633, 636, 639, 673, 676, 682, 685, 923, 926, 929, 932, 1222,
];

/// Returns whether the player to move wins Grundy's game with one heap of up to one million objects, or `None` for
/// larger heaps, for which no criterion is known (Grundy 1939 asked whether the values are periodic).
///
/// For several heaps, Grundy values are needed; see [`grundys_game`](crate::grundy::grundys_game).
pub fn single_heap_wins(size: u64) -> Option<bool> {
    (size <= 1_000_000).then(|| size > 0 && !LOST_HEAPS.contains(&size))
}

/// Returns whether the player to move wins Grundy's game in misère play with one heap of up to 90 objects (by
/// exhaustive search), or `None` for larger heaps. The game is not tame: the rule of misère Nim does not hold for its
/// values.
pub fn single_heap_misere_wins(size: u64) -> Option<bool> {
    (size <= 90).then_some(size == 0 || size != 50 && (size > 45 || !size.is_multiple_of(3)))
}

/// Reduces a sum of Grundy's game in misère play without changing its outcome: heaps of 1, 2 and 4 are dropped, and
/// pairs of heaps of 3 cancel. (Checked on all sums with a total of up to 30; the tests cover up to five heaps
/// with a total of up to 20.)
pub fn misere_reduced(heaps: &[u64]) -> Vec<u64> {
    let mut left: Vec<u64> = heaps.iter().copied().filter(|size| *size > 4).collect();
    if heaps.iter().filter(|size| **size == 3).count() % 2 == 1 {
        left.push(3);
    }
    left.sort_unstable();
    left
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grundy::{HeapGame, grundys_game};
    use crate::theory::closed_form_proof::multisets;
    use crate::{BoundRules, MoveRule, Position, Solver, SplitTotal, theory};

    fn rules() -> BoundRules {
        BoundRules::nim().with(vec![MoveRule::Split { parts: 2, distinct: true, total: SplitTotal::Same, min: 1 }])
    }

    #[test]
    fn the_table_matches_published_values_and_the_solver() {
        let table = HeapGame::from_rules(&rules()).unwrap().values_by_definition(3000);
        assert_eq!(table[..25], [0, 0, 0, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 3, 2, 1, 3, 2, 4, 3, 0, 4, 3, 0, 4]);
        assert_eq!(table, grundys_game(3000), "the sparse method is exact");
        let mut solver = Solver::new(rules(), 1_000_000);
        for size in 0..=26 {
            assert_eq!(solver.grundy(&Position::Heaps(vec![size])).unwrap(), table[size as usize]);
        }
        let lost = (0..=3000).filter(|size| single_heap_wins(*size) == Some(false));
        let zeros = (0..=3000).filter(|size| table[*size as usize] == 0);
        assert!(lost.eq(zeros));
    }

    #[test]
    #[ignore = "takes a minute: computes the values of a million heaps"]
    fn long_the_list_of_lost_heaps_is_complete_to_a_million() {
        let table = grundys_game(1_000_000);
        let zeros: Vec<u64> = (1..=1_000_000).filter(|size| table[*size as usize] == 0).collect();
        assert_eq!(zeros, LOST_HEAPS);
        let rare = (1..=1_000_000).filter(|size| (table[*size] >> 1).count_ones().is_multiple_of(2));
        let rare: Vec<usize> = rare.collect();
        assert_eq!((rare.len(), rare.last()), (1273, Some(&82_860)));
    }

    #[test]
    fn the_misere_game_is_proved_and_is_not_tame() {
        let mut solver = Solver::new(rules().misere(), 5_000_000);
        for size in 0..=36 {
            let wins = solver.wins(&Position::Heaps(vec![size])).unwrap();
            assert_eq!(Some(wins), single_heap_misere_wins(size), "heap {size}");
        }
        let values: Vec<u64> = grundys_game(13).into_iter().map(u64::from).collect();
        let tame = theory::misere_nim_wins(&[values[3], values[13]]);
        assert_ne!(solver.wins(&Position::Heaps(vec![3, 13])).unwrap(), tame);
    }

    #[test]
    #[ignore = "takes long: searches two million positions"]
    fn long_the_misere_game_is_proved_to_90() {
        // The search runs on reduced positions. Without the reduction, heaps of up to 90 could not be searched.
        let mut memo = std::collections::HashMap::new();
        for size in 0..=90 {
            assert_eq!(Some(misere_wins(&[size], &mut memo)), single_heap_misere_wins(size), "heap {size}");
        }
    }

    fn misere_wins(heaps: &[u64], memo: &mut std::collections::HashMap<Vec<u64>, bool>) -> bool {
        let heaps = misere_reduced(heaps);
        if let Some(known) = memo.get(&heaps) {
            return *known;
        }
        let moves = rules().moves(&Position::Heaps(heaps.clone()), usize::MAX);
        let wins = moves.is_empty()
            || moves.iter().any(|(_, after)| match after {
                Position::Heaps(after) => !misere_wins(after, memo),
                other => panic!("expected heaps, found {other}"),
            });
        memo.insert(heaps, wins);
        wins
    }

    #[test]
    fn the_reduction_keeps_the_outcome() {
        let mut solver = Solver::new(rules().misere(), 5_000_000);
        let all = (0..=5).flat_map(|count| multisets(count, 20)).filter(|heaps| heaps.iter().sum::<u64>() <= 20);
        for heaps in all {
            let whole = solver.wins(&Position::Heaps(heaps.clone())).unwrap();
            let reduced = solver.wins(&Position::Heaps(misere_reduced(&heaps))).unwrap();
            assert_eq!(whole, reduced, "{heaps:?}");
        }
    }
}
