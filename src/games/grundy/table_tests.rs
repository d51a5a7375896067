//! Tests tables against the solver and against published values.

use super::*;
use crate::{AllowedAmounts, BoundMoveRule, BoundRules, HeapChoice, MoveRule, Position, Solver, SplitTotal};
use proptest::prelude::*;

fn by_search(move_rules: Vec<BoundMoveRule>, to: u64) -> Vec<u32> {
    let mut solver = Solver::new(BoundRules::nim().with(move_rules), 2_000_000);
    (0..=to).map(|size| solver.grundy(&Position::Heaps(vec![size])).unwrap()).collect()
}

fn by_table(move_rules: Vec<BoundMoveRule>, to: u64) -> Vec<u32> {
    HeapGame::from_rules(&BoundRules::nim().with(move_rules)).unwrap().values(to as usize)
}

fn octal(code: &str) -> HeapGame {
    HeapGame::octal(&code.parse().unwrap())
}

#[test]
fn kayles_has_its_period_and_its_last_exception() {
    let kayles: HeapGame = "kayles".parse().unwrap();
    let values = kayles.values(400);
    assert_eq!(values[..13], [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4]);
    assert_eq!(kayles.period(&values), Some(Period { preperiod: 71, period: 12, certified: true }));
    assert_ne!(values[70], values[82], "70 is the last exception");
    assert!(!kayles.period(&values[..167]).unwrap().certified, "167 values are too few for the bound");
}

#[test]
fn dawson_has_period_34() {
    let chess = octal("0.137");
    let values = chess.values(400);
    assert_eq!(values[..16], [0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4, 0, 5]);
    assert_eq!(chess.period(&values), Some(Period { preperiod: 52, period: 34, certified: true }));
    let kayles = octal("0.07");
    let shifted = kayles.values(401);
    assert_eq!(shifted[1..], values, "0.07 is 0.137 with one object more");
    assert_eq!(kayles.period(&shifted), Some(Period { preperiod: 53, period: 34, certified: true }));
}

#[test]
fn other_octal_games_have_their_known_periods() {
    // The periods and last exceptions are from the table of octal games in Berlekamp, Conway and Guy, "Winning Ways",
    // chapter 4.
    for (code, period, last_exception) in [("0.156", 349, 3478), ("0.165", 1550, 5180)] {
        let game = octal(code);
        let values = game.values(2 * (last_exception + 1) + 2 * period + 3);
        let found = game.period(&values).unwrap();
        assert_eq!(found, Period { preperiod: last_exception + 1, period, certified: true }, "{code}");
    }
}

#[test]
fn nim_is_the_octal_game_of_threes() {
    assert_eq!(octal("0.3333333333").values(10), (0..=10).collect::<Vec<u32>>());
    assert_eq!("nim".parse::<HeapGame>().unwrap().values(50), (0..=50).collect::<Vec<u32>>());
}

#[test]
fn subtraction_sets_have_exact_preperiods() {
    let game: HeapGame = "take 1, 3, 4".parse().unwrap();
    let values = game.values(100);
    assert_eq!(values[..8], [0, 1, 0, 1, 2, 3, 2, 0]);
    assert_eq!(game.period(&values), Some(Period { preperiod: 0, period: 7, certified: true }));
    // The expected result is the sample answer of CSES 1729.
    let letters: String = (1..=10).map(|n| if values[n] > 0 { 'W' } else { 'L' }).collect();
    assert_eq!(letters, "WLWWWWLWLW");
}

#[test]
fn names_and_lists_are_parsed() {
    assert!("grundy".parse::<HeapGame>().is_ok() && "split".parse::<HeapGame>().is_ok());
    assert_eq!("take 1 0".parse::<HeapGame>(), Err(TableError::Amount("0".to_owned())));
    assert!(matches!("chess".parse::<HeapGame>(), Err(TableError::Unknown(_))));
    assert!(matches!("octal 0.9".parse::<HeapGame>(), Err(TableError::Octal(_))));
    let moore = MoveRule::Take { amount: AllowedAmounts::Any, from: HeapChoice::UpTo(2), same: false };
    assert_eq!(HeapGame::from_rules(&BoundRules::nim().with(vec![moore])), Err(TableError::NotHeaps("take")));
}

#[test]
fn every_kind_of_split_matches_the_solver() {
    for distinct in [false, true] {
        for total in [SplitTotal::Same, SplitTotal::Any] {
            for min in 0..=2 {
                let move_rules = vec![MoveRule::Split { parts: 2, distinct, total, min }];
                let to = if total == SplitTotal::Same { 16 } else { 6 };
                assert_eq!(by_table(move_rules.clone(), to), by_search(move_rules, to), "{distinct} {total:?} {min}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn octal_games_match_the_solver(leading in prop::bool::ANY, digits in prop::collection::vec(0_u8..8, 1..5)) {
        let digits: String = digits.iter().map(u8::to_string).collect();
        let code: OctalCode = format!("{}.{digits}", if leading { 4 } else { 0 }).parse().unwrap();
        let move_rules = vec![MoveRule::Octal(code)];
        prop_assert_eq!(by_table(move_rules.clone(), 14), by_search(move_rules, 14));
    }

    #[test]
    fn sets_match_the_solver_and_their_periods_hold(set in prop::collection::btree_set(1_u64..12, 1..6)) {
        let set: Vec<u64> = set.into_iter().collect();
        let move_rules = vec![MoveRule::Take { amount: AllowedAmounts::In(set.clone()), from: HeapChoice::One, same: false }];
        prop_assert_eq!(by_table(move_rules.clone(), 60), by_search(move_rules, 60));
        let game = HeapGame::subtraction(&set);
        let values = game.values(3000);
        let found = game.period(&values[..600]).unwrap();
        prop_assert!(found.certified && found.period <= 61, "{:?}", found);
        prop_assert!((0..=3000).all(|n| values[n] == values[found.index(n as u64)]));
        prop_assert!(found.preperiod == 0 || values[found.preperiod - 1] != values[found.preperiod - 1 + found.period]);
    }

    #[test]
    fn unions_of_moves_match_the_solver(most in 1_u64..4, taken in 1_u64..6, code in 1_u8..8) {
        let move_rules = vec![
            MoveRule::Take { amount: AllowedAmounts::UpTo(most), from: HeapChoice::One, same: false },
            MoveRule::Take { amount: AllowedAmounts::In(vec![taken]), from: HeapChoice::One, same: false },
            MoveRule::Octal(format!("0.0{code}").parse().unwrap()),
        ];
        prop_assert_eq!(by_table(move_rules.clone(), 12), by_search(move_rules, 12));
    }
}
