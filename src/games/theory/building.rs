//! Building Nim: tokens are placed on stacks, then Nim is played on the stacks.

/// Returns whether the first player wins Building Nim, or `None` where no result is known.
///
/// The players place `tokens` tokens in turn, one at a time, on `stacks` empty stacks; then they play Nim, in the same
/// order of turns. (Duchêne, Dufour, Heubach and Larsson 2016.) The results are:
/// * no tokens: the first player cannot move and loses;
/// * an odd number of tokens: the nim-sum is odd and the second player opens Nim, so the second player wins;
/// * an even number of tokens on an even number of stacks: the second player mirrors on paired stacks and wins;
/// * one stack: the first player opens Nim on one heap and wins;
/// * three stacks: the second player wins iff `tokens + 2` is a power of two (a pattern, checked for up to 130 tokens);
/// * five or more stacks, odd: the second player wins iff `tokens <= stacks + 3` (a pattern, used only where it was
///   checked by search: 5 stacks with up to 44 tokens, 7 with 30, 9 with 26, 11 with 24, and 13 with 22).
pub fn building_wins(tokens: u64, stacks: u64) -> Option<bool> {
    match stacks {
        0 => None,
        _ if tokens % 2 == 1 || tokens == 0 || stacks.is_multiple_of(2) => Some(false),
        1 => Some(true),
        3 => Some(tokens.checked_add(2).is_none_or(|sum| !sum.is_power_of_two())),
        _ => searched(stacks).filter(|most| tokens <= *most).map(|_| tokens > stacks + 3),
    }
}

/// Returns the largest number of tokens up to which the pattern for an odd number of five or more stacks was checked by
/// search, or `None` if the pattern was not checked for this number of stacks.
fn searched(stacks: u64) -> Option<u64> {
    match stacks {
        5 => Some(44),
        7 => Some(30),
        9 => Some(26),
        11 => Some(24),
        13 => Some(22),
        _ => None,
    }
}

/// Returns whether the first player wins Building Nim followed by misère Nim, or `None` beyond the searched range (1 to
/// 8 stacks, up to 40, 40, 40, 36, 30, 26, 24 and 22 tokens, respectively). From five tokens on, the result is the same
/// as in normal play.
pub fn building_misere_wins(tokens: u64, stacks: u64) -> Option<bool> {
    let most = [40, 40, 40, 36, 30, 26, 24, 22];
    let most = most.get(usize::try_from(stacks).ok()?.checked_sub(1)?)?;
    match tokens {
        0 => Some(true),
        1 | 2 => Some(true),
        3 => Some(false),
        4 => Some(stacks != 2),
        _ if tokens <= *most => building_wins(tokens, stacks),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BoundRules, Position, Solver};

    /// Compares the closed form with the solver. `ranges` lists numbers of stacks, each with the largest number of
    /// tokens.
    fn prove(rules: &BoundRules, ranges: &[(u64, u64)], closed: fn(u64, u64) -> Option<bool>) {
        for (stacks, most) in ranges {
            let mut solver = Solver::new(rules.clone(), 20_000_000);
            for tokens in 0..=*most {
                let start = Position::Stacks { heights: vec![0; *stacks as usize], tokens };
                let wins = solver.wins(&start).unwrap();
                assert_eq!(Some(wins), closed(tokens, *stacks), "{tokens} tokens on {stacks} stacks");
            }
        }
    }

    #[test]
    fn normal_play_is_proved() {
        prove(&BoundRules::nim(), &[(1, 40), (2, 30), (3, 31), (4, 18), (5, 16), (6, 12), (7, 13)], building_wins);
    }

    #[test]
    fn misere_play_is_proved() {
        prove(
            &BoundRules::nim().misere(),
            &[(1, 40), (2, 30), (3, 24), (4, 16), (5, 14), (6, 12)],
            building_misere_wins,
        );
    }

    #[test]
    #[ignore = "takes minutes: searches up to 64 tokens"]
    fn long_larger_numbers_of_tokens_are_proved() {
        prove(&BoundRules::nim(), &[(3, 64), (5, 30), (7, 22), (9, 20)], building_wins);
    }

    #[test]
    fn unsearched_positions_have_no_result() {
        assert_eq!(building_wins(46, 5), None);
        assert_eq!(building_wins(20, 15), None);
        assert_eq!(building_wins(u64::MAX - 1, 3), Some(true));
        assert_eq!(building_wins((1 << 60) - 2, 3), Some(false));
    }
}
