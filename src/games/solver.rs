//! The exhaustive solver, which searches all lines of play and uses no theorem.

use super::bound_rules::BoundRules;
use super::grundy::mex;
use super::moves::Move;
use super::position::Position;
use super::rules_spec::{LastMover, Payoff};
use super::search::{Evaluator, SearchBounds, SolveError, SolverMemo, canonical_moves, search};

/// A solver that computes the results of positions under one set of rules, and stores the results for later queries.
#[derive(Debug)]
pub struct Solver {
    rules: BoundRules,
    bounds: SearchBounds,
    places: SolverMemo<u32>,
    values: SolverMemo<u32>,
    scores: SolverMemo<ScoredOutcome>,
    lengths: SolverMemo<GameLength>,
}

/// The result of a game with payoff `[win, taken]` for the player to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScoredOutcome {
    /// Whether the player to move wins.
    pub wins: bool,
    /// The number of objects that the player to move takes.
    pub mine: u64,
    /// The number of objects that the opponent takes.
    pub theirs: u64,
}

/// Whether the player to move wins a two-player game, and the number of moves until the end if the winner plays to
/// shorten the game and the loser plays to prolong it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct GameLength {
    pub(super) wins: bool,
    pub(super) moves: u32,
}

impl Solver {
    /// Creates a solver that stores at most `budget` positions for each kind of query and enumerates at most `budget`
    /// moves of one position.
    pub fn new(rules: BoundRules, budget: usize) -> Solver {
        let [places, values] = [SolverMemo::default(), SolverMemo::default()];
        let bounds = SearchBounds { positions: budget, work: u64::MAX, worked: 0 };
        Solver { rules, bounds, places, values, scores: SolverMemo::default(), lengths: SolverMemo::default() }
    }

    /// Limits the total size of the moves that all queries together enumerate, in 64-bit words. Without this limit, a
    /// search from a position with large heaps can take a very large amount of time and memory before it exceeds the
    /// budget, since that position and those after it have many moves.
    pub fn with_work(mut self, words: u64) -> Solver {
        self.bounds.work = words;
        self
    }

    /// Returns the rules of the game.
    pub fn rules(&self) -> &BoundRules {
        &self.rules
    }

    /// Sets the budget to the number of stored positions plus `more`.
    pub fn raise_budget(&mut self, more: usize) {
        self.bounds.positions = self.positions() + more;
    }

    /// Returns the number of stored positions, as the maximum over the kinds of queries.
    pub fn positions(&self) -> usize {
        self.places.len().max(self.values.len()).max(self.scores.len()).max(self.lengths.len())
    }

    /// Returns the place of the player to move under perfect play, where 0 is the best place. With two players, 0 is a
    /// win and 1 a loss.
    ///
    /// With more players, each player aims for the best place: the last mover comes first, the player before the last
    /// mover comes second, and so on backwards. A player who cannot move comes last.
    ///
    /// # Errors
    /// Fails if the search exceeds the budget or the limit of [`Solver::with_work`].
    pub fn place(&mut self, position: &Position) -> Result<u32, SolveError> {
        let root = self.rules.canonical(position.clone());
        search(&self.rules, &PlaceEvaluator::of(&self.rules), &mut self.places, &mut self.bounds, &root)
    }

    /// Returns true if the player to move wins or, with more than two players, comes first.
    ///
    /// # Errors
    /// Fails if the search exceeds the budget or the limit of [`Solver::with_work`].
    pub fn wins(&mut self, position: &Position) -> Result<bool, SolveError> {
        self.place(position).map(|place| place == 0)
    }

    /// Returns the Grundy value in normal play: the mex of the values of the positions after all moves (Sprague 1935,
    /// Grundy 1939). Sums are not split into their parts.
    ///
    /// # Errors
    /// Fails if the search exceeds the budget or the limit of [`Solver::with_work`].
    pub fn grundy(&mut self, position: &Position) -> Result<u32, SolveError> {
        let root = self.rules.canonical(position.clone());
        search(&self.rules, &GrundyEvaluator, &mut self.values, &mut self.bounds, &root)
    }

    /// Returns the winner and the number of objects that each player takes, if both aim first to win and then to take
    /// as many objects as possible.
    ///
    /// # Errors
    /// Fails if the search exceeds the budget or the limit of [`Solver::with_work`].
    pub fn scored_outcome(&mut self, position: &Position) -> Result<ScoredOutcome, SolveError> {
        let root = self.rules.canonical(position.clone());
        search(&self.rules, &ScoreEvaluator(self.rules.last_mover), &mut self.scores, &mut self.bounds, &root)
    }

    /// Returns the winner of a two-player game and the number of moves, if the winner plays to shorten the game and the
    /// loser plays to prolong it.
    pub(super) fn length(&mut self, position: &Position) -> Result<GameLength, SolveError> {
        let root = self.rules.canonical(position.clone());
        search(&self.rules, &LengthEvaluator(self.rules.last_mover), &mut self.lengths, &mut self.bounds, &root)
    }

    /// Returns all moves that win or, with more than two players, secure first place. The list is empty if there is no
    /// such move.
    ///
    /// Moves on different heaps are listed separately, even if the heaps are equal.
    ///
    /// # Errors
    /// Fails if the search exceeds the budget or the limit of [`Solver::with_work`].
    pub fn winning_moves(&mut self, position: &Position) -> Result<Vec<Move>, SolveError> {
        let last = self.rules.players - 1;
        self.moves_where(position, |solver, _, after| Ok(solver.place(after)? == last))
    }

    /// Returns all moves that are optimal for the payoff of the rules. The list is empty only if there is no move.
    ///
    /// # Errors
    /// Fails if the search exceeds the budget or the limit of [`Solver::with_work`].
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
        for (step, after) in canonical_moves(&self.rules, position, self.bounds.positions)? {
            if wanted(self, step.taken(), &after)? {
                chosen.push(step);
            }
        }
        Ok(chosen)
    }
}

/// The evaluator for places, where 0 is the best place.
struct PlaceEvaluator {
    players: u32,
    /// The place of the player to move in a position without moves.
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

    // If the next player gets place p, the player to move gets place p + 1, cyclically.
    fn add_move(&self, best: &mut Option<u32>, _taken: u64, after: &u32) -> bool {
        let place = (after + 1) % self.players;
        *best = Some(best.map_or(place, |best| best.min(place)));
        place == 0
    }

    fn finish(&self, best: Option<u32>) -> u32 {
        best.unwrap_or(self.stuck)
    }
}

/// The evaluator for Grundy values.
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

/// The evaluator for scored outcomes.
struct ScoreEvaluator(LastMover);

impl Evaluator for ScoreEvaluator {
    type Value = ScoredOutcome;
    type Accumulator = Option<ScoredOutcome>;

    fn start(&self) -> Option<ScoredOutcome> {
        None
    }

    fn add_move(&self, best: &mut Option<ScoredOutcome>, taken: u64, after: &ScoredOutcome) -> bool {
        let scored_outcome = ScoredOutcome { wins: !after.wins, mine: after.theirs + taken, theirs: after.mine };
        // Among results that are equal for the player to move, a result with the fewest objects for the opponent is
        // chosen, so that the value does not depend on the order of moves.
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

/// The evaluator for game lengths.
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
