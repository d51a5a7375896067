//! Nim for three or more players.

use crate::Move;

/// Returns the number of heaps whose size has the bit `bit` set.
fn count(heaps: &[u64], bit: u32) -> u64 {
    heaps.iter().filter(|size| *size >> bit & 1 == 1).count() as u64
}

/// Returns whether the player to move comes last in Nim for `players >= 2`. This is the case iff for every bit the
/// number of heaps that have it set is divisible by `players` (Li 1978).
///
/// The last mover comes first, the player before the last mover comes second, and so on backwards. A player who cannot
/// move comes last.
pub fn multiplayer_is_last(heaps: &[u64], players: u64) -> bool {
    (0..u64::BITS).all(|bit| count(heaps, bit).is_multiple_of(players.max(1)))
}

/// Returns all moves of Nim for `players >= 2` that secure first place: the moves after which the next player comes
/// last. The new size of a heap is determined bit by bit, so there is at most one such move for each heap. Runs in O(n)
/// per bit.
pub fn multiplayer_first_moves(heaps: &[u64], players: u64) -> Vec<Move> {
    let counts: Vec<u64> = (0..u64::BITS).map(|bit| count(heaps, bit)).collect();
    let forced = |size: u64| {
        (0..u64::BITS).try_fold(0_u64, |new, bit| match (counts[bit as usize] - (size >> bit & 1)) % players {
            0 => Some(new),
            rest if rest == players - 1 => Some(new | 1 << bit),
            _ => None,
        })
    };
    let moves = heaps.iter().enumerate().filter_map(|(heap, size)| {
        let new = forced(*size).filter(|new| new < size)?;
        Some(Move::Take { heap, amount: size - new })
    });
    if players < 2 { Vec::new() } else { moves.collect() }
}

/// Returns the place of the player to move in Nim for `players >= 2`, where 0 is the best place.
///
/// The place is one less than the smallest number of heaps that must be lowered to reach a position whose player to
/// move comes last. If no heap needs to be lowered, the player to move comes last (Li 1978; the tests cover up to 6
/// players).
///
/// Runs in O(n) per bit for two and three players. For more players the time may grow with the number of choices of
/// `players - 2` heaps.
pub fn multiplayer_place(heaps: &[u64], players: u64) -> u64 {
    let most = players.saturating_sub(1);
    if multiplayer_is_last(heaps, players) {
        return most;
    }
    if !multiplayer_first_moves(heaps, players).is_empty() {
        return 0;
    }
    let mut search = FewestHeapsSearch { sizes: heaps.to_vec(), open: vec![false; heaps.len()], opened: 0, players };
    // Moore's construction always succeeds with `players - 1` heaps.
    (2..most).find(|allowed| search.is_solvable(u64::BITS, *allowed)).unwrap_or(most).saturating_sub(1)
}

/// Returns the player who makes the last move in Nim for three players, where A is the player to move, B the next
/// player and C the third.
pub fn nim3_letter(heaps: &[u64]) -> char {
    match multiplayer_place(heaps, 3) {
        0 => 'A',
        // The player to move comes second, so the next player makes the last move.
        1 => 'B',
        _ => 'C',
    }
}

/// A search, from the highest bit down, for a way to lower at most a given number of heaps so that for every bit the
/// number of heaps that have it set is divisible by the number of players.
struct FewestHeapsSearch {
    sizes: Vec<u64>,
    open: Vec<bool>,
    opened: u64,
    players: u64,
}

impl FewestHeapsSearch {
    /// Returns true if, for every bit below `bit`, the number of heaps that have it set can be made divisible by the
    /// number of players by lowering at most `allowed` more heaps.
    ///
    /// An open heap has been lowered at a higher bit, so each of its lower bits can be 0 or 1. Opening a heap at a bit
    /// clears this bit. The recursion depth is at most the number of bits plus the number of opened heaps.
    fn is_solvable(&mut self, bit: u32, allowed: u64) -> bool {
        let Some(bit) = bit.checked_sub(1) else { return true };
        self.settle(bit, allowed, 0)
    }

    /// Returns the same as [`Self::is_solvable`] for the bits up to and including `bit`. At `bit`, only heaps with an
    /// index of at least `from` are lowered.
    fn settle(&mut self, bit: u32, allowed: u64, from: usize) -> bool {
        let has = |heap: usize| !self.open[heap] && self.sizes[heap] >> bit & 1 == 1;
        let count = (0..self.sizes.len()).filter(|heap| has(*heap)).count() as u64;
        let missing = (self.players - count % self.players) % self.players;
        // A heap that is opened at this bit has the bit cleared, so it cannot be one of the missing heaps. `opened`
        // counts only the heaps that were opened at higher bits.
        let here: Vec<usize> = (from..self.sizes.len()).filter(|heap| has(*heap)).collect();
        if missing <= self.opened && self.below(bit, allowed) {
            return true;
        }
        if allowed == 0 {
            return false;
        }
        here.into_iter().any(|heap| {
            self.open[heap] = true;
            let found = self.settle(bit, allowed - 1, heap + 1);
            self.open[heap] = false;
            found
        })
    }

    /// Calls [`Self::is_solvable`] for the bits below `bit`. During the call, `opened` includes the heaps that were
    /// opened at `bit`.
    fn below(&mut self, bit: u32, allowed: u64) -> bool {
        let before = self.opened;
        self.opened = self.open.iter().filter(|open| **open).count() as u64;
        let found = self.is_solvable(bit, allowed);
        self.opened = before;
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::closed_form_proof::multisets;
    use crate::{BoundRules, Position, Solver};

    fn prove(players: u64, ranges: &[(usize, u64)]) {
        let mut solver = Solver::new(BoundRules { players: players as u32, ..BoundRules::nim() }, 20_000_000);
        for heaps in ranges.iter().flat_map(|(count, most)| multisets(*count, *most)) {
            let position = Position::Heaps(heaps.clone());
            let place = u64::from(solver.place(&position).unwrap());
            assert_eq!(place, multiplayer_place(&heaps, players), "{players} players at {heaps:?}");
            assert_eq!(place == players - 1, multiplayer_is_last(&heaps, players), "{players} players at {heaps:?}");
            assert_eq!(solver.winning_moves(&position).unwrap(), multiplayer_first_moves(&heaps, players), "{heaps:?}");
        }
    }

    #[test]
    fn places_and_moves_are_proved_for_two_to_six_players() {
        for players in 2..=6 {
            prove(players, &[(0, 0), (1, 40), (2, 31), (3, 12), (4, 7), (5, 5), (6, 3)]);
        }
    }

    #[test]
    #[ignore = "takes minutes: searches larger ranges"]
    fn long_larger_ranges_are_proved() {
        for players in 2..=6 {
            prove(players, &[(2, 31), (3, 20), (4, 10), (5, 7), (6, 4)]);
        }
    }

    #[test]
    fn nim3_has_its_published_letters() {
        let expected: [(&[u64], char); 9] = [
            (&[1], 'A'),
            (&[1, 1], 'B'),
            (&[1, 1, 1], 'C'),
            (&[1, 2], 'B'),
            (&[1, 1, 2], 'A'),
            (&[2, 2], 'B'),
            (&[1, 2, 3], 'B'),
            (&[3, 3, 3], 'C'),
            (&[1, 1, 1, 5, 9, 12, 13], 'C'),
        ];
        for (heaps, letter) in expected {
            assert_eq!(nim3_letter(heaps), letter, "{heaps:?}");
        }
    }
}
