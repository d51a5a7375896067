//! Nim for three and more players.

use crate::games::Move;

/// How many of the bits at this place are set.
fn count(heaps: &[u64], bit: u32) -> u64 {
    heaps.iter().filter(|size| *size >> bit & 1 == 1).count() as u64
}

/// Nim for `players >= 2`: the player to move comes last iff for every bit the number of heaps that have it is divisible by
/// `players` (Li 1978).
///
/// The last mover is first, the player before him second, and so on backwards; who cannot move is last.
pub fn multiplayer_is_last(heaps: &[u64], players: u64) -> bool {
    (0..u64::BITS).all(|bit| count(heaps, bit).is_multiple_of(players.max(1)))
}

/// Nim for `players >= 2`: the moves with which the player to move comes first: those that leave the next player last. The
/// new size of a heap is forced bit by bit, so there is at most one for each heap. Time O(n log a).
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

/// Nim for `players >= 2`: the place of the player to move, 0 the best: one less than the least number of heaps to be
/// lowered for a position whose player to move comes last, and last if there is none to lower (Li 1978; proved here for
/// up to 6 players).
///
/// For two and three players the time is O(n log a); beyond, it may grow with the number of choices of `players - 2` heaps.
pub fn multiplayer_place(heaps: &[u64], players: u64) -> u64 {
    let most = players.saturating_sub(1);
    if multiplayer_is_last(heaps, players) {
        return most;
    }
    if !multiplayer_first_moves(heaps, players).is_empty() {
        return 0;
    }
    let mut search = FewestHeapsSearch { sizes: heaps.to_vec(), open: vec![false; heaps.len()], opened: 0, players };
    // With `players - 1` heaps there is always a way, by Moore's construction.
    (2..most).find(|allowed| search.is_solvable(u64::BITS, *allowed)).unwrap_or(most).saturating_sub(1)
}

/// The letter of Nim 3: A if the player to move comes first, B if the next player, C if the third.
pub fn nim3_letter(heaps: &[u64]) -> char {
    match multiplayer_place(heaps, 3) {
        0 => 'A',
        // Second place for the mover: the player behind him moved last.
        1 => 'B',
        _ => 'C',
    }
}

/// Looks for a way to make all counts divisible by lowering few heaps, from the highest bit down.
struct FewestHeapsSearch {
    sizes: Vec<u64>,
    open: Vec<bool>,
    opened: u64,
    players: u64,
}

impl FewestHeapsSearch {
    /// Whether the bits below `bit` can be settled with `allowed` more heaps opened.
    ///
    /// An open heap has been lowered at a higher bit and may have any bit here. Opening a heap means clearing its
    /// bit here. The depth is at most the number of bits and of opened heaps.
    fn is_solvable(&mut self, bit: u32, allowed: u64) -> bool {
        let Some(bit) = bit.checked_sub(1) else { return true };
        self.settle(bit, allowed, 0)
    }

    /// The same with the heaps before `from` decided at this bit.
    fn settle(&mut self, bit: u32, allowed: u64, from: usize) -> bool {
        let has = |heap: usize| !self.open[heap] && self.sizes[heap] >> bit & 1 == 1;
        let count = (0..self.sizes.len()).filter(|heap| has(*heap)).count() as u64;
        let missing = (self.players - count % self.players) % self.players;
        // Heaps opened at this very bit are cleared here and cannot help: `opened` counts those opened above it.
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

    /// Goes on below the bit, with the heaps opened at it now open.
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
    use crate::games::theory::closed_form_proof::multisets;
    use crate::games::{BoundRules, Position, Solver};

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
    #[ignore = "the ranges of the card: minutes"]
    fn the_ranges_of_the_card_are_proved() {
        for players in 2..=6 {
            prove(players, &[(2, 31), (3, 20), (4, 10), (5, 7), (6, 4)]);
        }
    }

    #[test]
    fn the_letters_of_the_card() {
        let card: [(&[u64], char); 9] = [
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
        for (heaps, letter) in card {
            assert_eq!(nim3_letter(heaps), letter, "{heaps:?}");
        }
    }
}
