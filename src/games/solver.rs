//! The exhaustive solver: it plays a game to its end in every way and believes no theorem.

use super::grundy::mex;
use super::laws::Laws;
use super::moves::Move;
use super::position::Position;
use super::rules::{LastMover, Payoff};
use super::search::{Measure, Memo, SolveError, canonical_moves, search};

/// Solves positions of one game, and remembers what it has solved.
#[derive(Debug)]
pub struct Solver {
    laws: Laws,
    budget: usize,
    places: Memo<u32>,
    values: Memo<u32>,
    purses: Memo<Purse>,
    lengths: Memo<Length>,
}

/// How a game ends for the player to move when all play for `[win, taken]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Purse {
    /// Whether the player to move wins.
    pub wins: bool,
    /// How many objects he takes.
    pub mine: u64,
    /// How many objects the other one takes.
    pub theirs: u64,
}

/// Who wins a game for two, and how long it lasts when the winner hurries and the loser delays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Length {
    pub(super) wins: bool,
    pub(super) moves: u32,
}

impl Solver {
    /// A solver that keeps at most `budget` positions of each kind of question, and looks at no more moves than
    /// that from one position.
    pub fn new(laws: Laws, budget: usize) -> Solver {
        let [places, values] = [Memo::default(), Memo::default()];
        Solver { laws, budget, places, values, purses: Memo::default(), lengths: Memo::default() }
    }

    /// The laws it plays by.
    pub fn laws(&self) -> &Laws {
        &self.laws
    }

    /// From now on it may keep so many positions more than it has.
    pub fn allow(&mut self, more: usize) {
        self.budget = self.positions() + more;
    }

    /// How many different positions have been proved, whatever was asked of them.
    pub fn positions(&self) -> usize {
        self.places.len().max(self.values.len()).max(self.purses.len()).max(self.lengths.len())
    }

    /// The place of the player to move under perfect play: 0 is the best. For two players 0 wins and 1 loses.
    ///
    /// With more players everyone wants the best place for himself: the last mover is first, the player before
    /// him second, and so on backwards; who cannot move is last.
    ///
    /// # Errors
    /// When the budget is too small.
    pub fn place(&mut self, position: &Position) -> Result<u32, SolveError> {
        let root = self.laws.canonical(position.clone());
        search(&self.laws, &Places::of(&self.laws), &mut self.places, self.budget, &root)
    }

    /// Whether the player to move comes out first.
    ///
    /// # Errors
    /// When the budget is too small.
    pub fn wins(&mut self, position: &Position) -> Result<bool, SolveError> {
        self.place(position).map(|place| place == 0)
    }

    /// The Grundy value in normal play: the least number that is not the value of a position after a move
    /// (Sprague 1935, Grundy 1939). Sums are not taken apart.
    ///
    /// # Errors
    /// When the budget is too small.
    pub fn grundy(&mut self, position: &Position) -> Result<u32, SolveError> {
        let root = self.laws.canonical(position.clone());
        search(&self.laws, &Values, &mut self.values, self.budget, &root)
    }

    /// Who wins and how many objects each takes, when both want first to win and then to take much.
    ///
    /// # Errors
    /// When the budget is too small.
    pub fn purse(&mut self, position: &Position) -> Result<Purse, SolveError> {
        let root = self.laws.canonical(position.clone());
        search(&self.laws, &Purses(self.laws.last_mover), &mut self.purses, self.budget, &root)
    }

    /// Who wins a game for two and in how many moves, when the winner hurries and the loser delays.
    pub(super) fn length(&mut self, position: &Position) -> Result<Length, SolveError> {
        let root = self.laws.canonical(position.clone());
        search(&self.laws, &Lengths(self.laws.last_mover), &mut self.lengths, self.budget, &root)
    }

    /// All moves with which the player to move comes out first; empty if there is none.
    ///
    /// Moves that differ in the heap they touch are different, even if the heaps are equal.
    ///
    /// # Errors
    /// When the budget is too small.
    pub fn winning_moves(&mut self, position: &Position) -> Result<Vec<Move>, SolveError> {
        let last = self.laws.players - 1;
        self.moves_where(position, |solver, _, after| Ok(solver.place(after)? == last))
    }

    /// All moves that are best for the payoff of the rules; empty only if there is no move.
    ///
    /// # Errors
    /// When the budget is too small.
    pub fn best_moves(&mut self, position: &Position) -> Result<Vec<Move>, SolveError> {
        match self.laws.payoff {
            Payoff::Outcome => {
                let (place, players) = (self.place(position)?, self.laws.players);
                self.moves_where(position, |solver, _, after| Ok((solver.place(after)? + 1) % players == place))
            }
            Payoff::WinThenTaken => {
                let best = self.purse(position)?;
                self.moves_where(position, |solver, taken, after| {
                    let then = solver.purse(after)?;
                    Ok(then.wins != best.wins && then.theirs + taken == best.mine)
                })
            }
        }
    }

    fn moves_where(
        &mut self,
        position: &Position,
        mut wanted: impl FnMut(&mut Solver, u64, &Position) -> Result<bool, SolveError>,
    ) -> Result<Vec<Move>, SolveError> {
        let mut chosen = Vec::new();
        for (step, after) in canonical_moves(&self.laws, position, self.budget)? {
            if wanted(self, step.taken(), &after)? {
                chosen.push(step);
            }
        }
        Ok(chosen)
    }
}

/// Places: 0 is the best, `last` the worst.
struct Places {
    players: u32,
    /// The place of who cannot move.
    stuck: u32,
}

impl Places {
    fn of(laws: &Laws) -> Places {
        let stuck = match laws.last_mover {
            LastMover::Wins => laws.players - 1,
            LastMover::Loses => 0,
        };
        Places { players: laws.players, stuck }
    }
}

impl Measure for Places {
    type Value = u32;
    type Part = Option<u32>;

    fn begin(&self) -> Option<u32> {
        None
    }

    // Who moves before the player that comes out at some place comes out one place behind him, cyclically.
    fn gather(&self, best: &mut Option<u32>, _taken: u64, after: &u32) -> bool {
        let place = (after + 1) % self.players;
        *best = Some(best.map_or(place, |best| best.min(place)));
        place == 0
    }

    fn end(&self, best: Option<u32>) -> u32 {
        best.unwrap_or(self.stuck)
    }
}

/// Grundy values.
struct Values;

impl Measure for Values {
    type Value = u32;
    type Part = Vec<u32>;

    fn begin(&self) -> Vec<u32> {
        Vec::new()
    }

    fn gather(&self, seen: &mut Vec<u32>, _taken: u64, after: &u32) -> bool {
        seen.push(*after);
        false
    }

    fn end(&self, seen: Vec<u32>) -> u32 {
        mex(seen)
    }
}

/// Winner and spoils.
struct Purses(LastMover);

impl Measure for Purses {
    type Value = Purse;
    type Part = Option<Purse>;

    fn begin(&self) -> Option<Purse> {
        None
    }

    fn gather(&self, best: &mut Option<Purse>, taken: u64, after: &Purse) -> bool {
        let purse = Purse { wins: !after.wins, mine: after.theirs + taken, theirs: after.mine };
        // Between equals the poorer opponent, so that the value does not depend on the order of moves.
        let rank = |purse: &Purse| (purse.wins, purse.mine, std::cmp::Reverse(purse.theirs));
        if best.is_none_or(|best| rank(&purse) > rank(&best)) {
            *best = Some(purse);
        }
        false
    }

    fn end(&self, best: Option<Purse>) -> Purse {
        best.unwrap_or(Purse { wins: self.0 == LastMover::Loses, mine: 0, theirs: 0 })
    }
}

/// Winner and length.
struct Lengths(LastMover);

impl Measure for Lengths {
    type Value = Length;
    type Part = Option<Length>;

    fn begin(&self) -> Option<Length> {
        None
    }

    fn gather(&self, best: &mut Option<Length>, _taken: u64, after: &Length) -> bool {
        let length = Length { wins: !after.wins, moves: after.moves + 1 };
        let better = best.is_none_or(|best| match (length.wins, best.wins) {
            (true, true) => length.moves < best.moves,
            (false, false) => length.moves > best.moves,
            (wins, _) => wins,
        });
        if better {
            *best = Some(length);
        }
        false
    }

    fn end(&self, best: Option<Length>) -> Length {
        best.unwrap_or(Length { wins: self.0 == LastMover::Loses, moves: 0 })
    }
}
