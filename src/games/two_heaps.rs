//! The outcomes of all positions with two heaps, for tables and plots.

use super::bound_rules::BoundRules;
use super::player::PerfectPlayer;
use super::position::Position;
use super::solver::Solver;

/// Returns a symmetric table that contains, for each pair of heaps of 0 to `most` objects, whether the player to move
/// loses. The table ends at a smaller size if a position cannot be evaluated by a closed form, by Grundy values or by a
/// search within `budget`, which limits the stored positions in total and the moves of one position.
pub fn losing_pairs(rules: &BoundRules, most: usize, budget: usize) -> Vec<Vec<bool>> {
    // The player has the smallest budget, so that it uses closed forms and tables but does not search. Searches use a
    // separate solver, because the player clears its memo whenever a search exceeds the budget.
    let mut theory = PerfectPlayer::new(rules.clone(), 1);
    let mut solver = Solver::new(rules.clone(), budget);
    let mut table: Vec<Vec<bool>> = Vec::new();
    for large in 0..=most {
        let loses = |small: usize| {
            let position = Position::Heaps(vec![small as u64, large as u64]);
            theory.wins(&position).or_else(|_| solver.wins(&position)).map(|wins| !wins)
        };
        let Ok(row) = (0..=large).map(loses).collect::<Result<Vec<bool>, _>>() else { break };
        for (small, loses) in row.iter().take(large).enumerate() {
            if let Some(earlier) = table.get_mut(small) {
                earlier.push(*loses);
            }
        }
        table.push(row);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::super::rules_spec::{AllowedAmounts, HeapChoice, MoveRule};
    use super::*;

    fn pairs(table: &[Vec<bool>]) -> Vec<(usize, usize)> {
        let row =
            |(a, row): (usize, &Vec<bool>)| (a..row.len()).filter(|b| row[*b]).map(|b| (a, b)).collect::<Vec<_>>();
        table.iter().enumerate().flat_map(row).collect()
    }

    #[test]
    fn the_pairs_of_wythoff_and_of_nim_are_known() {
        let every = MoveRule::Take { amount: AllowedAmounts::Any, from: HeapChoice::Every, same: true };
        let one = BoundRules::nim().move_rules;
        let wythoff = BoundRules::nim().with([one, vec![every]].concat());
        let table = losing_pairs(&wythoff, 10, 1_000);
        assert!(table.iter().all(|row| row.len() == 11));
        assert_eq!(pairs(&table), [(0, 0), (1, 2), (3, 5), (4, 7), (6, 10)]);
        assert_eq!(pairs(&losing_pairs(&BoundRules::nim(), 3, 1)), [(0, 0), (1, 1), (2, 2), (3, 3)]);
        assert_eq!(pairs(&losing_pairs(&BoundRules::nim().misere(), 2, 1)), [(0, 1), (2, 2)]);
    }

    #[test]
    fn the_table_ends_where_the_budget_does() {
        let split =
            MoveRule::Split { parts: 2, distinct: true, total: super::super::rules_spec::SplitTotal::Same, min: 1 };
        let rules = BoundRules::nim().with(vec![split]).misere();
        let table = losing_pairs(&rules, 60, 300);
        assert!((3..60).contains(&table.len()), "{}", table.len());
        assert!(table.iter().all(|row| row.len() == table.len()));
    }
}
