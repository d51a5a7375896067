//! Games in which each move changes one heap: subtraction games, octal games, splitting games and their unions.

use super::period::{Certificate, Period, find_period};
use super::table::GrundyTable;
use super::{OctalCode, OctalCodeError, StampedSet, grundys_game};
use crate::theory::{bounded_value, split_nim_value};
use crate::{
    AllowedAmounts, Board, BoundAmounts, BoundRules, HeapChoice, LastMover, MoveRule, RemovalRule, SplitTotal,
};
use std::str::FromStr;

/// A game played on independent heaps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeapGame {
    steps: Vec<TakeMove>,
    splits: Vec<SplitMove>,
}

/// A move that takes an allowed amount from a heap. The bits of `leaves` state what the move may leave of the heap:
/// nothing (1), one heap (2), or two heaps (4).
#[derive(Debug, Clone, PartialEq, Eq)]
struct TakeMove {
    amount: BoundAmounts,
    leaves: u8,
}

/// A move that replaces a heap by two smaller heaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct SplitMove {
    distinct: bool,
    total: SplitTotal,
    min: u64,
}

/// The reason why a description of a game does not define Grundy values of heaps.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    /// The text does not describe a known kind of game.
    #[error(
        "expected a code such as `octal 0.137`, amounts such as `take 1 3 4`, or one of `nim`, `kayles`, `dawson`, \
         `grundy` and `split`, found `{0}`"
    )]
    Unknown(String),
    /// The octal code is invalid.
    #[error(transparent)]
    Octal(#[from] OctalCodeError),
    /// An amount to take is not an integer from 1 to 2^64 - 1.
    #[error("expected amounts from 1 to 2^64 - 1, found `{0}`")]
    Amount(String),
    /// A move changes several heaps, depends on other heaps, or leaves more than two heaps. Contains the keyword of the
    /// move.
    #[error(
        "expected a game in which each move changes one heap or one row and leaves at most two heaps or rows, found a \
         move of the kind `{0}` that does not satisfy these conditions"
    )]
    NotHeaps(&'static str),
    /// The game has misère play.
    #[error("Grundy values are defined for normal play only; in this game the last player to move loses")]
    Misere,
    /// The game has more than two players.
    #[error("Grundy values are defined for two players only; this game has {0} players")]
    Players(u32),
}

impl FromStr for HeapGame {
    type Err = TableError;

    /// Parses `octal CODE`, `take AMOUNTS` (separated by spaces or commas), or the name of a game.
    fn from_str(text: &str) -> Result<HeapGame, TableError> {
        let text = text.trim();
        let (name, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        match (name, rest.trim()) {
            ("octal", code) => Ok(HeapGame::octal(&code.parse()?)),
            ("take", amounts) if !amounts.is_empty() => HeapGame::taking(amounts),
            ("nim", "") => Ok(HeapGame::with_take(TakeMove { amount: AllowedAmounts::Any, leaves: 3 })),
            ("kayles", "") => Ok(HeapGame::octal(&"0.77".parse()?)),
            ("dawson", "") => Ok(HeapGame::octal(&"0.137".parse()?)),
            ("grundy", "") => Ok(HeapGame::splitting(true, SplitTotal::Same, 1)),
            ("split", "") => Ok(HeapGame::splitting(false, SplitTotal::Any, 0)),
            _ => Err(TableError::Unknown(text.to_owned())),
        }
    }
}

impl HeapGame {
    fn with_take(step: TakeMove) -> HeapGame {
        HeapGame { steps: vec![step], splits: Vec::new() }
    }

    fn taking(amounts: &str) -> Result<HeapGame, TableError> {
        let words = amounts.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
        let amount = |word: &str| word.parse().ok().filter(|amount| *amount > 0);
        let amounts = words.map(|word| amount(word).ok_or_else(|| TableError::Amount(word.to_owned())));
        Ok(HeapGame::subtraction(&amounts.collect::<Result<Vec<u64>, _>>()?))
    }

    /// Returns the subtraction game of a set: a move takes an amount in `set` from a heap. Zeros in `set` are ignored.
    pub fn subtraction(set: &[u64]) -> HeapGame {
        let mut amounts: Vec<u64> = set.iter().copied().filter(|amount| *amount > 0).collect();
        amounts.sort_unstable();
        amounts.dedup();
        HeapGame::with_take(TakeMove { amount: AllowedAmounts::In(amounts), leaves: 3 })
    }

    /// Returns the game with an octal code.
    pub fn octal(code: &OctalCode) -> HeapGame {
        let digits = code.digits().iter().enumerate().skip(1).filter(|(_, digit)| **digit > 0);
        let steps =
            digits.map(|(taken, digit)| TakeMove { amount: AllowedAmounts::In(vec![taken as u64]), leaves: *digit });
        let split = SplitMove { distinct: false, total: SplitTotal::Same, min: 1 };
        let splits = if code.digits().first() == Some(&4) { vec![split] } else { Vec::new() };
        HeapGame { steps: steps.collect(), splits }
    }

    /// Returns the game in which a move removes 1 to `most` adjacent objects from a row.
    pub fn rows(most: u64) -> HeapGame {
        HeapGame::with_take(TakeMove { amount: AllowedAmounts::UpTo(most), leaves: 7 })
    }

    /// Returns the game in which a move splits a heap into two smaller heaps of at least `min` objects each, which must
    /// differ in size if `distinct` is true. `total` says whether their sizes must add up to the size of the heap.
    pub fn splitting(distinct: bool, total: SplitTotal, min: u64) -> HeapGame {
        HeapGame { steps: Vec::new(), splits: vec![SplitMove { distinct, total, min }] }
    }

    /// Returns the game that the rules define on each heap, or on each run of cells in a row.
    ///
    /// # Errors
    /// Returns [`TableError::NotHeaps`] if a move changes several heaps, depends on other heaps, splits a heap into
    /// more than two, or is not a move on heaps or on cells in a row.
    pub fn from_rules(rules: &BoundRules) -> Result<HeapGame, TableError> {
        let mut game = HeapGame { steps: Vec::new(), splits: Vec::new() };
        let row = matches!(&rules.board, Board::Grid(sides) if sides.len() == 1);
        for move_rule in &rules.move_rules {
            match move_rule {
                MoveRule::Take { amount, from: HeapChoice::One | HeapChoice::UpTo(1), .. } if !rules.keep_empty => {
                    game.steps.push(TakeMove { amount: amount.clone(), leaves: 3 });
                }
                MoveRule::Octal(code) => {
                    let mut more = HeapGame::octal(code);
                    game.steps.append(&mut more.steps);
                    game.splits.append(&mut more.splits);
                }
                MoveRule::Split { parts: 2, distinct, total, min } => {
                    game.splits.push(SplitMove { distinct: *distinct, total: *total, min: *min });
                }
                MoveRule::Remove(RemovalRule::Run(amount)) if row => {
                    game.steps.push(TakeMove { amount: amount.clone(), leaves: 7 });
                }
                _ => return Err(TableError::NotHeaps(move_rule.keyword())),
            }
        }
        Ok(game)
    }

    /// Returns the game that the rules define on each heap or row. A counter game whose moves add a number from 1 to
    /// `k` is represented by a heap whose size is the distance to the limit and from which moves take 1 to `k` objects.
    ///
    /// # Errors
    /// Returns [`TableError::Misere`] for misère play, [`TableError::Players`] for more than two players, and otherwise
    /// the errors of [`HeapGame::from_rules`].
    pub fn of_sum(rules: &BoundRules) -> Result<HeapGame, TableError> {
        if rules.last_mover == LastMover::Loses {
            return Err(TableError::Misere);
        }
        if rules.players > 2 {
            return Err(TableError::Players(rules.players));
        }
        if let [MoveRule::Add { from: 1, to, .. }] = rules.move_rules.as_slice() {
            return Ok(HeapGame::with_take(TakeMove { amount: AllowedAmounts::UpTo(*to), leaves: 3 }));
        }
        HeapGame::from_rules(rules)
    }

    /// Returns the Grundy values of heaps of 0 to `to` objects.
    ///
    /// Runs in O(to * amounts) for taking, in O(to^2) for splitting, and in O(to^2 * amounts) for moves that take and
    /// split. Grundy's game is computed faster; see [`grundys_game`].
    pub fn values(&self, to: usize) -> Vec<u32> {
        match *self == HeapGame::splitting(true, SplitTotal::Same, 1) {
            true => grundys_game(to),
            false => self.values_by_definition(to),
        }
    }

    /// Returns the Grundy values of heaps of 0 to `to` objects, each computed as the mex over all moves.
    pub fn values_by_definition(&self, to: usize) -> Vec<u32> {
        let mut values: Vec<u32> = Vec::with_capacity(to.saturating_add(1));
        let mut seen = StampedSet::new();
        // If a split need not preserve the number of objects, the nim-sums that a heap can reach are also reachable
        // from larger heaps, so each nim-sum is collected only once.
        let mut pairs: Vec<StampedSet> = self.splits.iter().map(|_| StampedSet::new()).collect();
        let mut most = 0_u32;
        for size in 0..=to {
            seen.clear();
            let bound = (most as usize + 1).next_power_of_two();
            for step in &self.steps {
                step.mark(size, &values, bound, &mut seen);
            }
            for (split, pairs) in self.splits.iter().zip(&mut pairs) {
                split.mark(size, &values, bound, pairs, &mut seen);
            }
            let value = seen.mex();
            most = most.max(value);
            values.push(value);
        }
        values
    }

    /// Returns the table for heaps of 0 to `to` objects if the values are computed by a closed form, which is the case
    /// for Nim, for taking 1 to a fixed number of objects, and for Split Nim. Returns `None` for other games.
    pub(super) fn closed_form(&self, to: usize) -> Option<GrundyTable> {
        let plain = |table: Vec<u32>, period| Some(GrundyTable { values: table, period });
        let sizes = || (0..=to).map(|size| u32::try_from(size).unwrap_or(u32::MAX));
        match (self.steps.as_slice(), self.splits.as_slice()) {
            ([TakeMove { amount: AllowedAmounts::Any, leaves: 3 }], []) => plain(sizes().collect(), None),
            ([TakeMove { amount: AllowedAmounts::UpTo(most), leaves: 3 }], []) => {
                let values = (0..=to as u64).map(|size| bounded_value(size, *most) as u32).collect();
                let period = usize::try_from(*most).ok().and_then(|most| most.checked_add(1));
                plain(values, period.map(|period| Period { preperiod: 0, period, certified: true }))
            }
            ([], [SplitMove { distinct: false, total: SplitTotal::Any, min: 0 }]) => {
                plain((0..=to as u64).map(|size| split_nim_value(size) as u32).collect(), None)
            }
            _ => None,
        }
    }

    /// Returns an estimate of the number of steps of [`HeapGame::values`].
    pub(super) fn cost_of_table(&self, to: usize) -> u128 {
        if *self == HeapGame::splitting(true, SplitTotal::Same, 1) {
            // The splits with a rare heap are examined, and most other splits are not; see [`grundys_game`]. There are
            // 1273 rare heaps of up to a million objects.
            return to as u128 * 1000;
        }
        let steps = self.steps.iter().map(|step| {
            let amounts = match &step.amount {
                AllowedAmounts::Any => to as u128,
                AllowedAmounts::UpTo(most) => (to as u128).min((*most).into()),
                AllowedAmounts::In(amounts) => amounts.len() as u128,
            };
            let leaves = if step.leaves & 4 == 0 { 1 } else { to as u128 / 4 };
            amounts * leaves.max(1)
        });
        (steps.sum::<u128>() + self.splits.len() as u128 * (to as u128 / 2) + 1) * (to as u128 + 1)
    }

    /// Returns the period of `values`, which are the result of [`HeapGame::values`], or `None` if no period is found.
    pub fn period(&self, values: &[u32]) -> Option<Period> {
        find_period(values, self.certificate())
    }

    /// Returns the kind of repetition that proves a period of this game.
    pub fn certificate(&self) -> Certificate {
        let mut most = 0;
        let mut breaks = false;
        for step in &self.steps {
            most = match &step.amount {
                AllowedAmounts::Any => return Certificate::None,
                AllowedAmounts::UpTo(amount) => most.max(*amount),
                AllowedAmounts::In(amounts) => amounts.iter().copied().fold(most, u64::max),
            };
            breaks |= step.leaves & 4 != 0;
        }
        let octal = SplitMove { distinct: false, total: SplitTotal::Same, min: 1 };
        if self.splits.iter().any(|split| *split != octal) {
            return Certificate::None;
        }
        let Ok(most) = usize::try_from(most) else { return Certificate::None };
        match breaks || !self.splits.is_empty() {
            true => Certificate::GuySmith(most),
            // The rules may forbid emptying a heap, so the window must be longer than the largest amount.
            false => Certificate::Window(most + 1),
        }
    }
}

impl TakeMove {
    /// Adds to `seen` the Grundy values of the positions that the move can leave of a heap of `size` objects.
    fn mark(&self, size: usize, values: &[u32], bound: usize, seen: &mut StampedSet) {
        for taken in self.amount.amounts(size as u64) {
            let rest = size - taken as usize;
            if rest == 0 && self.leaves & 1 != 0 {
                seen.mark(0);
            }
            if rest > 0 && self.leaves & 2 != 0 {
                seen.mark(values[rest]);
            }
            if rest > 1 && self.leaves & 4 != 0 {
                seen.mark_sums(&values[1..=rest / 2], &values[..rest], bound);
            }
        }
    }
}

impl SplitMove {
    /// Adds to `seen` the Grundy values of the positions that the move can leave of a heap of `size` objects.
    fn mark(self, size: usize, values: &[u32], bound: usize, pairs: &mut StampedSet, seen: &mut StampedSet) {
        let min = usize::try_from(self.min).unwrap_or(usize::MAX);
        match self.total {
            SplitTotal::Same => {
                // The smaller part is at most half of the heap, and less than half if the parts must differ. Both parts
                // are smaller than the heap.
                let least = min.max(1);
                let half = if self.distinct { size.saturating_sub(1) / 2 } else { size / 2 };
                if least <= half {
                    seen.mark_sums(&values[least..=half], &values[..=size - least], bound);
                }
            }
            SplitTotal::Any => {
                if let Some(largest) = size.checked_sub(1) {
                    let partners = values.get(min..largest + usize::from(!self.distinct)).unwrap_or_default();
                    partners.iter().for_each(|value| pairs.mark(value ^ values[largest]));
                }
                pairs.each(&mut |value| seen.mark(value));
            }
        }
    }
}
