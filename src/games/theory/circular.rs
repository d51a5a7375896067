//! Circular Nim: a move removes a run of adjacent objects from a circle or a row.

use crate::grundy::{HeapGame, mex};

/// Returns whether the player to move wins Circular Nim on a full circle of `size` objects. A move removes 1 to `most`
/// adjacent objects.
///
/// A circle of up to `most` objects can be removed in one move. For larger circles and `most >= 2`, the second player
/// leaves two equal arcs and then mirrors (Loyd and Dudeney for `most = 2`; the same pairing works for larger values).
/// With `most = 1`, the player to move wins iff `size` is odd.
pub fn circle_wins(size: u64, most: u64) -> bool {
    match most {
        1 => size % 2 == 1,
        _ => (1..=most).contains(&size),
    }
}

/// Returns whether the player to move wins Circular Nim in misère play on a full circle, or `None` where no result is
/// known.
///
/// With `most = 1`, the player to move wins iff `size` is even. For `most >= 2` no theorem is known, and the results
/// are from an exhaustive search of up to 22 objects. With `most = 2` the game is misère Kayles. For `most` from 3 to
/// 6, the player to move wins iff there are 2 to `most + 1` objects.
pub fn circle_misere_wins(size: u64, most: u64) -> Option<bool> {
    match (size, most) {
        (0, _) => Some(true),
        (_, 1) => Some(size.is_multiple_of(2)),
        (1..=22, 2) => Some([2, 3, 5, 6, 10, 11, 13, 14, 21, 22].contains(&size)),
        (1..=22, 3..=6) => Some((2..=most + 1).contains(&size)),
        _ => None,
    }
}

/// Returns the Grundy values of rows of 0 to `to` objects, where a move removes 1 to `most` adjacent objects. This is
/// the octal game 0.77...7 (Guy and Smith 1956).
pub fn row_values(most: u64, to: usize) -> Vec<u32> {
    HeapGame::rows(most).values(to)
}

/// Returns the Grundy value of a full circle, or `None` if `rows` (the result of [`row_values`]) has too few values.
/// The value follows from the values of rows, since the first move turns the circle into a row.
pub fn circle_value(size: usize, most: u64, rows: &[u32]) -> Option<u32> {
    let most = usize::try_from(most).unwrap_or(usize::MAX).min(size);
    let after = (1..=most).map(|taken| rows.get(size - taken).copied());
    after.collect::<Option<Vec<u32>>>().map(mex)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grundy::Period;
    use crate::{AllowedAmounts, BitSet, Board, BoundRules, MoveRule, Position, RemovalRule, Solver};

    fn run_rules(board: Board, most: u64) -> BoundRules {
        BoundRules { board, ..BoundRules::nim() }
            .with(vec![MoveRule::Remove(RemovalRule::Run(AllowedAmounts::UpTo(most)))])
    }

    fn circle(size: usize, most: u64) -> (BoundRules, Position) {
        (run_rules(Board::Circle(size), most), Position::Cells(BitSet::full(size)))
    }

    #[test]
    fn full_circles_are_proved_in_normal_and_misere_play() {
        for most in 1..=6 {
            for size in 0..=20 {
                let (rules, full) = circle(size, most);
                let wins = |rules: BoundRules| Solver::new(rules, 1_000_000).wins(&full).unwrap();
                assert_eq!(wins(rules.clone()), circle_wins(size as u64, most), "{size} {most}");
                assert_eq!(Some(wins(rules.misere())), circle_misere_wins(size as u64, most), "misère {size} {most}");
            }
        }
    }

    #[test]
    fn every_arrangement_on_a_small_circle_is_the_sum_of_its_runs() {
        for most in 1..=3 {
            let rows = row_values(most, 12);
            let rules = run_rules(Board::Circle(11), most);
            let mut solver = Solver::new(rules.clone(), 1_000_000);
            for picture in 0_u32..1 << 11 {
                let cells = (0..11).filter(|cell| picture >> cell & 1 == 1).fold(BitSet::empty(11), BitSet::with);
                let position = Position::Cells(cells.clone());
                let closed = match cells.count() {
                    11 => circle_value(11, most, &rows).unwrap(),
                    _ => rules.parts(&position).unwrap().iter().fold(0, |sum, part| match part {
                        Position::Cells(run) => sum ^ rows[run.count()],
                        other => panic!("expected a run, found {other}"),
                    }),
                };
                assert_eq!(solver.grundy(&position).unwrap(), closed, "{position} {most}");
            }
        }
    }

    #[test]
    fn rows_of_three_have_their_published_values() {
        let expected = [0, 1, 2, 3, 4, 1, 6, 3, 2, 1, 6, 7, 4, 5, 8, 1, 10, 5, 4, 7, 6, 1, 2, 3, 6];
        assert_eq!(row_values(3, 24), expected);
    }

    #[test]
    fn the_periods_of_rows_are_certified() {
        for (most, preperiod, period) in [(1, 0, 2), (2, 71, 12), (4, 142, 24), (6, 16, 28), (8, 284, 48)] {
            let game = HeapGame::rows(most);
            let found = game.period(&game.values(2 * preperiod + 2 * period + 20)).unwrap();
            assert_eq!(found, Period { preperiod, period, certified: true }, "rows of {most}");
        }
    }

    #[test]
    fn no_row_but_the_empty_one_has_value_zero() {
        assert!((2..=5).all(|most| row_values(most, 1000).iter().skip(1).all(|value| *value > 0)));
    }
}
