//! The exhaustive solver: it plays a game to its end in every way and believes no theorem.

use super::bound_rules::BoundRules;
use super::grundy::mex;
use super::moves::Move;
use super::position::Position;
use super::rules_spec::{LastMover, Payoff};
use super::search::{Evaluator, SolveError, SolverMemo, canonical_moves, search};

/// Solves positions of one game, and remembers what it has solved.
#[derive(Debug)]
pub struct Solver {
    rules: BoundRules,
    budget: usize,
    places: SolverMemo<u32>,
    values: SolverMemo<u32>,
    scores: SolverMemo<ScoredOutcome>,
    lengths: SolverMemo<GameLength>,
}

/// How a game ends for the player to move when all play for `[win, taken]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScoredOutcome {
    /// Whether the player to move wins.
    pub wins: bool,
    /// How many objects he takes.
    pub mine: u64,
    /// How many objects the other one takes.
    pub theirs: u64,
}

/// Who wins a game for two, and how long it lasts when the winner hurries and the loser delays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct GameLength {
    pub(super) wins: bool,
    pub(super) moves: u32,
}

impl Solver {
    /// A solver that keeps at most `budget` positions of each kind of question, and looks at no more moves than
    /// that from one position.
    pub fn new(rules: BoundRules, budget: usize) -> Solver {
        let [places, values] = [SolverMemo::default(), SolverMemo::default()];
        Solver { rules, budget, places, values, scores: SolverMemo::default(), lengths: SolverMemo::default() }
    }

    /// The rules it plays by.
    pub fn rules(&self) -> &BoundRules {
        &self.rules
    }

    /// From now on it may keep so many positions more than it has.
    pub fn raise_budget(&mut self, more: usize) {
        self.budget = self.positions() + more;
    }

    /// How many different positions have been proved, whatever was asked of them.
    pub fn positions(&self) -> usize {
        self.places.len().max(self.values.len()).max(self.scores.len()).max(self.lengths.len())
    }

    /// The place of the player to move under perfect play: 0 is the best. For two players 0 wins and 1 loses.
    ///
    /// With more players everyone wants the best place for himself: the last mover is first, the player before
    /// him second, and so on backwards; who cannot move is last.
    ///
    /// # Errors
    /// When the budget is too small.
    pub fn place(&mut self, position: &Position) -> Result<u32, SolveError> {
        let root = self.rules.canonical(position.clone());
        search(&self.rules, &PlaceEvaluator::of(&self.rules), &mut self.places, self.budget, &root)
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
        let root = self.rules.canonical(position.clone());
        search(&self.rules, &GrundyEvaluator, &mut self.values, self.budget, &root)
    }

    /// Who wins and how many objects each takes, when both want first to win and then to take much.
    ///
    /// # Errors
    /// When the budget is too small.
    pub fn scored_outcome(&mut self, position: &Position) -> Result<ScoredOutcome, SolveError> {
        let root = self.rules.canonical(position.clone());
        search(&self.rules, &ScoreEvaluator(self.rules.last_mover), &mut self.scores, self.budget, &root)
    }

    /// Who wins a game for two and in how many moves, when the winner hurries and the loser delays.
    pub(super) fn length(&mut self, position: &Position) -> Result<GameLength, SolveError> {
        let root = self.rules.canonical(position.clone());
        search(&self.rules, &LengthEvaluator(self.rules.last_mover), &mut self.lengths, self.budget, &root)
    }

    /// All moves with which the player to move comes out first; empty if there is none.
    ///
    /// Moves that differ in the heap they touch are different, even if the heaps are equal.
    ///
    /// # Errors
    /// When the budget is too small.
    pub fn winning_moves(&mut self, position: &Position) -> Result<Vec<Move>, SolveError> {
        let last = self.rules.players - 1;
        self.moves_where(position, |solver, _, after| Ok(solver.place(after)? == last))
    }

    /// All moves that are best for the payoff of the rules; empty only if there is no move.
    ///
    /// # Errors
    /// When the budget is too small.
    pub fn best_moves(&mut self, position: &Position) -> Result<Vec<Move>, SolveError> {
        match self.rules.payoff {
            Payoff::Outcome => {
                let (place, players) = (self.place(position)?, self.rules.players);
                self.moves_where(position, |solver, _, after| Ok((solver.place(after)? + 1) % players == place))
            }
            Payoff::WinThenTaken => {
                let best = self.scored_outcome(position)?;
                self.moves_where(position, |solver, taken, after| {
                    let then = solver.scored_outcome(after)?;
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
        for (step, after) in canonical_moves(&self.rules, position, self.budget)? {
            if wanted(self, step.taken(), &after)? {
                chosen.push(step);
            }
        }
        Ok(chosen)
    }
}

/// PlaceEvaluator: 0 is the best, `last` the worst.
struct PlaceEvaluator {
    players: u32,
    /// The place of who cannot move.
    stuck: u32,
}

impl PlaceEvaluator {
    fn of(rules: &BoundRules) -> PlaceEvaluator {
        let stuck = match rules.last_mover {
            LastMover::Wins => rules.players - 1,
            LastMover::Loses => 0,
        };
        PlaceEvaluator { players: rules.players, stuck }
    }
}

impl Evaluator for PlaceEvaluator {
    type Value = u32;
    type Accumulator = Option<u32>;

    fn start(&self) -> Option<u32> {
        None
    }

    // Who moves before the player that comes out at some place comes out one place behind him, cyclically.
    fn add_move(&self, best: &mut Option<u32>, _taken: u64, after: &u32) -> bool {
        let place = (after + 1) % self.players;
        *best = Some(best.map_or(place, |best| best.min(place)));
        place == 0
    }

    fn finish(&self, best: Option<u32>) -> u32 {
        best.unwrap_or(self.stuck)
    }
}

/// Grundy values.
struct GrundyEvaluator;

impl Evaluator for GrundyEvaluator {
    type Value = u32;
    type Accumulator = Vec<u32>;

    fn start(&self) -> Vec<u32> {
        Vec::new()
    }

    fn add_move(&self, seen: &mut Vec<u32>, _taken: u64, after: &u32) -> bool {
        seen.push(*after);
        false
    }

    fn finish(&self, seen: Vec<u32>) -> u32 {
        mex(seen)
    }
}

/// Winner and spoils.
struct ScoreEvaluator(LastMover);

impl Evaluator for ScoreEvaluator {
    type Value = ScoredOutcome;
    type Accumulator = Option<ScoredOutcome>;

    fn start(&self) -> Option<ScoredOutcome> {
        None
    }

    fn add_move(&self, best: &mut Option<ScoredOutcome>, taken: u64, after: &ScoredOutcome) -> bool {
        let scored_outcome = ScoredOutcome { wins: !after.wins, mine: after.theirs + taken, theirs: after.mine };
        // Between equals the poorer opponent, so that the value does not depend on the order of moves.
        let rank = |scored_outcome: &ScoredOutcome| {
            (scored_outcome.wins, scored_outcome.mine, std::cmp::Reverse(scored_outcome.theirs))
        };
        if best.is_none_or(|best| rank(&scored_outcome) > rank(&best)) {
            *best = Some(scored_outcome);
        }
        false
    }

    fn finish(&self, best: Option<ScoredOutcome>) -> ScoredOutcome {
        best.unwrap_or(ScoredOutcome { wins: self.0 == LastMover::Loses, mine: 0, theirs: 0 })
    }
}

/// Winner and length.
struct LengthEvaluator(LastMover);

impl Evaluator for LengthEvaluator {
    type Value = GameLength;
    type Accumulator = Option<GameLength>;

    fn start(&self) -> Option<GameLength> {
        None
    }

    fn add_move(&self, best: &mut Option<GameLength>, _taken: u64, after: &GameLength) -> bool {
        let length = GameLength { wins: !after.wins, moves: after.moves + 1 };
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

    fn finish(&self, best: Option<GameLength>) -> GameLength {
        best.unwrap_or(GameLength { wins: self.0 == LastMover::Loses, moves: 0 })
    }
}
