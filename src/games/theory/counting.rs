//! Counting games: players add numbers from 1 to `k` until a target is reached.

/// Returns whether the player to move wins a counting game. This is the case iff the distance `left` to the target is
/// not divisible by `k + 1` (Bachet 1612).
///
/// In each turn, a player adds a number from 1 to `k`, and the player who reaches the target wins. In the game of 21,
/// where the player who says 21 loses, the target is 20.
pub fn counting_wins(left: u64, k: u64) -> bool {
    super::bounded_value(left, k) != 0
}

/// Returns the only number that a player can add to win a counting game, or `None` if there is none (Bachet 1612).
pub fn counting_step(left: u64, k: u64) -> Option<u64> {
    Some(super::bounded_value(left, k)).filter(|step| *step > 0)
}

/// Returns the place of the player to move in a counting game with `players >= 2`, where 0 is the best place.
///
/// Each player aims for the best place: the last mover comes first, the player before the last mover comes second, and
/// so on backwards. A player who cannot move comes last. With `m = left mod ((players - 1) k + 1)`, the player to move
/// comes last if `m` is 0, otherwise at place `(m - 1) / k`, rounded down.
///
/// Proved by induction on `left`; the tests cover up to 7 players.
pub fn counting_place(left: u64, k: u64, players: u64) -> u64 {
    let worst = players.saturating_sub(1);
    let cycle = u128::from(worst) * u128::from(k) + 1;
    match (u128::from(left) % cycle).checked_sub(1) {
        None => worst,
        // The place is below `worst` because the remainder is at most `worst * k`.
        Some(rest) => (rest / u128::from(k.max(1))) as u64,
    }
}

/// Returns a number to add that secures the best possible place in a counting game with `players >= 2`, or `None` if
/// the player to move comes last in any case.
pub fn counting_multiplayer_step(left: u64, k: u64, players: u64) -> Option<u64> {
    let cycle = u128::from(players.saturating_sub(1)) * u128::from(k) + 1;
    // The step makes the distance to the target a multiple of `cycle` if possible, and is otherwise as large as
    // possible.
    Some((u128::from(left) % cycle).min(k.into()) as u64).filter(|step| *step > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BoundRules, Move, MoveRule, Position, Solver};

    fn solver(limit: u64, k: u64, players: u32) -> Solver {
        let rules = BoundRules { players, ..BoundRules::nim() };
        Solver::new(rules.with(vec![MoveRule::Add { from: 1, to: k, limit }]), 100_000)
    }

    #[test]
    fn two_players_are_proved_with_the_step() {
        for k in 1..=12 {
            let mut solver = solver(150, k, 2);
            for left in 0..=150 {
                let position = Position::Counter(150 - left);
                assert_eq!(solver.wins(&position).unwrap(), counting_wins(left, k));
                let steps: Vec<Move> = counting_step(left, k).into_iter().map(Move::Add).collect();
                assert_eq!(solver.winning_moves(&position).unwrap(), steps);
            }
        }
    }

    #[test]
    fn twenty_one_is_the_misere_form_of_the_same_game() {
        for (limit, k, said) in [(21, 3, vec![4, 8, 12, 16, 20]), (34, 5, (3..=33).step_by(6).collect())] {
            let rules = BoundRules::nim().misere().with(vec![MoveRule::Add { from: 1, to: k, limit }]);
            let mut solver = Solver::new(rules, 1000);
            let lost = (1..limit).filter(|said| !solver.wins(&Position::Counter(*said)).unwrap());
            assert_eq!(lost.collect::<Vec<u64>>(), said);
            assert!((0..limit).all(|x| solver.wins(&Position::Counter(x)).unwrap() == counting_wins(limit - 1 - x, k)));
        }
    }

    #[test]
    fn race_to_100_with_steps_to_10() {
        let lost: Vec<u64> = (1..100).filter(|x| !counting_wins(100 - x, 10)).collect();
        assert_eq!(lost, [1, 12, 23, 34, 45, 56, 67, 78, 89]);
    }

    #[test]
    fn several_players_are_proved() {
        for players in 2..=7 {
            for k in 1..=7 {
                let mut solver = solver(300, k, players);
                for left in 0..=300 {
                    let place = solver.place(&Position::Counter(300 - left)).unwrap();
                    assert_eq!(u64::from(place), counting_place(left, k, players.into()), "{players} {k} {left}");
                    let best = solver.best_moves(&Position::Counter(300 - left)).unwrap();
                    match counting_multiplayer_step(left, k, players.into()) {
                        Some(step) => assert!(best.contains(&Move::Add(step)), "{players} {k} {left}"),
                        None => assert_eq!(place, players - 1),
                    }
                }
            }
        }
    }

    #[test]
    fn nothing_overflows_at_the_top() {
        assert!(!counting_wins(u64::MAX - 1, u64::MAX - 2) || counting_step(u64::MAX - 1, u64::MAX - 2).is_some());
        assert_eq!(counting_place(u64::MAX, u64::MAX, u64::MAX), 0);
        assert_eq!(counting_place(0, 5, 3), 2);
    }
}
