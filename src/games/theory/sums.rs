//! Sums of games whose parts have known Grundy values.

use super::nim::nim_sum;

/// Returns whether the player to move wins a sum of games in normal play. This is the case iff the nim-sum of the
/// values of the parts is not zero (Sprague 1935, Grundy 1939). Examples of sums are heaps of a subtraction game and
/// tokens on a graph.
pub fn sum_wins(values: &[u32]) -> bool {
    nim_sum(values) != 0
}

/// Returns, for each part, the value to which a winning move on it must lead, or `None` if the sum is lost. A move on a
/// part wins iff it leads to that value (Sprague 1935, Grundy 1939).
pub fn sum_winning_values(values: &[u32]) -> Option<Vec<u32>> {
    let sum = nim_sum(values);
    (sum != 0).then(|| values.iter().map(|value| value ^ sum).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grundy::{HeapGame, dag_values};
    use crate::theory::closed_form_proof::{ClosedFormProof, SMALL, multisets};
    use crate::{AllowedAmounts, Board, BoundRules, Dag, HeapChoice, Move, MoveRule, Position};
    use proptest::prelude::*;

    #[test]
    fn subtraction_sets_are_proved_as_sums() {
        for set in [vec![1], vec![2, 5], vec![1, 3, 4], vec![2, 3], vec![4, 7, 9]] {
            let values = HeapGame::subtraction(&set).values(200);
            let move_rule = MoveRule::Take { amount: AllowedAmounts::In(set), from: HeapChoice::One, same: false };
            let mut proof = ClosedFormProof::new(BoundRules::nim().with(vec![move_rule]));
            let of = |heaps: &[u64]| heaps.iter().map(|size| values[*size as usize]).collect::<Vec<u32>>();
            proof.heaps(SMALL, |heaps| sum_wins(&of(heaps)), None);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn tokens_on_random_graphs_are_proved(
            edges in prop::collection::vec((0_usize..7, 0_usize..7), 0..16),
            names in Just((0_usize..7).collect::<Vec<_>>()).prop_shuffle(),
        ) {
            let edges: Vec<(usize, usize)> = edges
                .into_iter()
                .filter(|(a, b)| a != b)
                .map(|(a, b)| (names[a.min(b)], names[a.max(b)]))
                .collect();
            let dag = Dag::new(7, &edges).unwrap();
            let values = dag_values(&dag);
            let rules = BoundRules { board: Board::Dag(dag), move_rules: vec![MoveRule::Walk], ..BoundRules::nim() };
            let mut proof = ClosedFormProof::new(rules);
            for places in multisets(3, 6) {
                let places: Vec<usize> = places.into_iter().map(|place| place as usize).collect();
                let held: Vec<u32> = places.iter().map(|place| values[*place]).collect();
                let wanted = sum_winning_values(&held).unwrap_or_default();
                let mut moves = Vec::new();
                for (token, wanted) in wanted.iter().enumerate() {
                    let here = edges.iter().enumerate().filter(|(_, (tail, _))| *tail == places[token]);
                    let good = here.filter(|(_, (_, head))| values[*head] == *wanted);
                    moves.extend(good.map(|(edge, (_, to))| Move::Walk { token, edge, to: *to }));
                }
                proof.check(&Position::Tokens(places), sum_wins(&held), Some(moves));
            }
        }
    }
}
