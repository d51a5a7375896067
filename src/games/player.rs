//! The perfect player: wins every won position that it can evaluate, and makes a lost two-player game last as long as
//! it can.

use super::bound_rules::{Board, BoundRules};
use super::closed_form::closed_form;
use super::grundy::{HeapGame, Period, dag_values};
use super::moves::Move;
use super::position::Position;
use super::rules_spec::{LastMover, Payoff};
use super::search::{SolveError, each_step};
use super::solver::Solver;
use super::theory::nim_sum;
use std::collections::HashMap;
use std::ops::ControlFlow;

/// A player that uses closed forms and Grundy values where they apply, and searches otherwise.
#[derive(Debug)]
pub struct PerfectPlayer {
    rules: BoundRules,
    budget: usize,
    work: u64,
    solver: Solver,
    part_values: PartValues,
}

/// The move that the perfect player suggests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveAdvice {
    /// The suggested move.
    pub step: Move,
    /// The position after the move.
    pub after: Position,
    /// Whether the move wins against any play or, with more than two players, whether it secures first place.
    pub wins: bool,
    /// The reason for the evaluation.
    pub why: Justification,
}

/// The reason for the perfect player's evaluation of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Justification {
    /// A closed form applies. The text names the quantity or property that its theorem uses.
    Theory(&'static str),
    /// The player to move wins iff the nim-sum of these Grundy values is not 0. They are the values of the independent
    /// parts, in the order of [`BoundRules::parts`].
    Values(Vec<u32>),
    /// The game was searched to its end.
    Search,
    /// The position could not be evaluated. The move is the one that [`PerfectPlayer::cautious`] returns.
    Caution,
}

/// Maximum number of moves that [`PerfectPlayer::cautious`] compares.
const COMPARED: usize = 4096;

/// Size of the largest heap in the table of Grundy values. The values of larger heaps follow from a certified
/// period, if there is one.
const LONGEST_TABLE: usize = 1 << 14;

impl PerfectPlayer {
    /// Creates a player for `rules`. Each search stores at most `budget` positions and examines at most `budget` moves
    /// of a position.
    pub fn new(rules: BoundRules, budget: usize) -> PerfectPlayer {
        let solver = Solver::new(rules.clone(), budget);
        let part_values = PartValues::new(&rules);
        PerfectPlayer { rules, budget, work: u64::MAX, solver, part_values }
    }

    /// Limits the total size of the moves that searches enumerate, in 64-bit words; see [`Solver::with_work`].
    pub fn with_work(mut self, words: u64) -> PerfectPlayer {
        self.work = words;
        self.clear_memo();
        self
    }

    /// Returns the rules of the game.
    pub fn rules(&self) -> &BoundRules {
        &self.rules
    }

    /// Returns a winning move if there is one. Otherwise returns the best known move: with two players, a move that
    /// delays the loss as long as possible if the search for it succeeds. Returns `None` if there is no move.
    ///
    /// # Errors
    /// Fails if no closed form applies and the evaluation exceeds the budget of moves or positions, or the limit of
    /// [`PerfectPlayer::with_work`]. [`PerfectPlayer::cautious`] still returns a move in that case.
    pub fn choose(&mut self, position: &Position) -> Result<Option<MoveAdvice>, SolveError> {
        if self.rules.moves(position, 1).is_empty() {
            return Ok(None);
        }
        if let Some(verdict) = closed_form(&self.rules, position) {
            let why = Justification::Theory(verdict.why);
            return Ok(match verdict.step {
                Some(step) => self.advice(position, step, verdict.wins, why),
                None => self.delay(position, why),
            });
        }
        if let Some(values) = self.values(position)? {
            return self.retry_with_empty_memo(|player| player.by_values(position, values.clone()));
        }
        self.retry_with_empty_memo(|player| player.by_search(position))
    }

    /// Returns true if the player to move wins or, with more than two players, comes first.
    ///
    /// # Errors
    /// Fails if no closed form applies and the search exceeds the budget or the limit of [`PerfectPlayer::with_work`].
    pub fn wins(&mut self, position: &Position) -> Result<bool, SolveError> {
        if self.rules.moves(position, 1).is_empty() {
            return Ok(self.rules.last_mover == LastMover::Loses);
        }
        if let Some(verdict) = closed_form(&self.rules, position) {
            return Ok(verdict.wins);
        }
        if let Some(values) = self.values(position)? {
            return Ok(nim_sum(&values) != 0);
        }
        self.retry_with_empty_memo(|player| player.solver.wins(position))
    }

    /// Returns a move that takes the fewest objects among the first 4096 moves, for positions that cannot be evaluated.
    /// Returns `None` if there is no move.
    pub fn cautious(&self, position: &Position) -> Option<MoveAdvice> {
        let moves = self.rules.moves(position, COMPARED);
        let (step, after) = moves.into_iter().min_by_key(|(step, _)| step.taken())?;
        Some(MoveAdvice { step, after, wins: false, why: Justification::Caution })
    }

    fn advice(&self, position: &Position, step: Move, wins: bool, why: Justification) -> Option<MoveAdvice> {
        let after = self.rules.apply_move(position, &step)?;
        Some(MoveAdvice { step, after, wins, why })
    }

    /// Returns a move for a lost position: one that makes the game last longest if there are two players and the search
    /// succeeds, otherwise the move that [`PerfectPlayer::cautious`] returns.
    fn delay(&mut self, position: &Position, why: Justification) -> Option<MoveAdvice> {
        let cautious = self.cautious(position);
        if self.rules.players > 2 {
            return cautious.map(|advice| MoveAdvice { why, ..advice });
        }
        let longest = self.longest(position);
        if longest.is_err() {
            self.clear_memo();
        }
        match longest {
            Ok(Some(step)) => self.advice(position, step, false, why),
            _ => cautious.map(|advice| MoveAdvice { why, ..advice }),
        }
    }

    /// Returns a move after which the game lasts longest if the winner plays to end it as soon as possible, or `None`
    /// if there is none among the first `budget` moves.
    fn longest(&mut self, position: &Position) -> Result<Option<Move>, SolveError> {
        let whole = self.solver.length(position)?;
        for (step, after) in self.rules.moves(position, self.budget) {
            let rest = self.solver.length(&after)?;
            if rest.wins != whole.wins && rest.moves + 1 == whole.moves {
                return Ok(Some(step));
            }
        }
        Ok(None)
    }

    /// Returns the Grundy values of the independent parts, in the order of [`BoundRules::parts`]. Returns `None` if the
    /// position is not a sum, or if the game does not have normal play, two players and the payoff `[win]`.
    ///
    /// # Errors
    /// Fails if a value must be computed by a search that exceeds the budget or the limit of
    /// [`PerfectPlayer::with_work`].
    pub fn values(&mut self, position: &Position) -> Result<Option<Vec<u32>>, SolveError> {
        let outcome = self.rules.payoff == Payoff::Outcome && self.rules.last_mover == LastMover::Wins;
        if !outcome || self.rules.players > 2 {
            return Ok(None);
        }
        self.retry_with_empty_memo(|player| player.part_values.values(&player.rules, &mut player.solver, position))
    }

    fn by_values(&mut self, position: &Position, values: Vec<u32>) -> Result<Option<MoveAdvice>, SolveError> {
        if nim_sum(&values) == 0 {
            return Ok(self.delay(position, Justification::Values(values)));
        }
        let mut found = Ok(None);
        let (rules, part_values, solver) = (&self.rules, &mut self.part_values, &mut self.solver);
        each_step(rules, position, self.budget, &mut |step, after| match part_values.values(rules, solver, &after) {
            Ok(Some(rest)) if nim_sum(&rest) == 0 => {
                found = Ok(Some((step, after)));
                ControlFlow::Break(())
            }
            Ok(_) => ControlFlow::Continue(()),
            Err(error) => {
                found = Err(error);
                ControlFlow::Break(())
            }
        })?;
        let found = found?;
        Ok(found.map(|(step, after)| MoveAdvice { step, after, wins: true, why: Justification::Values(values) }))
    }

    fn by_search(&mut self, position: &Position) -> Result<Option<MoveAdvice>, SolveError> {
        let wins = self.solver.wins(position)?;
        let delays = !wins && self.rules.players == 2 && self.rules.payoff == Payoff::Outcome;
        let step = match delays {
            true => self.longest(position)?,
            false => self.solver.best_moves(position)?.into_iter().min_by_key(|step| self.effort(step)),
        };
        let advice = step.and_then(|step| {
            let after = self.rules.apply_move(position, &step)?;
            Some(MoveAdvice { step, after, wins, why: Justification::Search })
        });
        Ok(advice)
    }

    /// Returns the key by which equally good moves are compared; the move with the smallest key is preferred. The key
    /// is the number of objects that the move takes, or 0 if the objects that are taken count toward the
    /// payoff.
    fn effort(&self, step: &Move) -> u64 {
        if self.rules.payoff == Payoff::WinThenTaken { 0 } else { step.taken() }
    }

    /// Runs a query. If it fails and earlier queries had stored positions, clears the memo and runs the query again,
    /// since a query that fits the budget on its own must not fail because of earlier queries. The memo is also cleared
    /// if the query still fails.
    fn retry_with_empty_memo<T>(
        &mut self,
        query: impl Fn(&mut PerfectPlayer) -> Result<T, SolveError>,
    ) -> Result<T, SolveError> {
        let positions_before = self.solver.positions();
        let mut found = query(self);
        if found.is_err() && positions_before > 0 {
            self.clear_memo();
            found = query(self);
        }
        if found.is_err() {
            self.clear_memo();
        }
        found
    }

    fn clear_memo(&mut self) {
        self.solver = Solver::new(self.rules.clone(), self.budget).with_work(self.work);
    }
}

/// The Grundy values of the parts of a sum, computed from tables where possible and otherwise by search.
#[derive(Debug)]
struct PartValues {
    heaps: Option<HeapGame>,
    table: Vec<u32>,
    /// The certified period of the longest table, if it has one. The outer `None` means that the period has not been
    /// computed yet.
    period: Option<Option<Period>>,
    vertices: Vec<u32>,
    known: HashMap<Position, u32>,
}

impl PartValues {
    fn new(rules: &BoundRules) -> PartValues {
        let vertices = match &rules.board {
            Board::Dag(dag) => dag_values(dag),
            _ => Vec::new(),
        };
        // Runs on a circle have the same values as runs in a row. A full circle is evaluated by a search.
        let row = match rules.board {
            Board::Circle(length) => BoundRules { board: Board::Grid(vec![length]), ..rules.clone() },
            _ => rules.clone(),
        };
        PartValues {
            heaps: HeapGame::from_rules(&row).ok(),
            table: Vec::new(),
            period: None,
            vertices,
            known: HashMap::new(),
        }
    }

    fn values(
        &mut self,
        rules: &BoundRules,
        solver: &mut Solver,
        position: &Position,
    ) -> Result<Option<Vec<u32>>, SolveError> {
        let Some(parts) = rules.parts(position) else { return Ok(None) };
        parts.iter().map(|part| self.value(rules, solver, part)).collect::<Result<Vec<u32>, _>>().map(Some)
    }

    fn value(&mut self, rules: &BoundRules, solver: &mut Solver, part: &Position) -> Result<u32, SolveError> {
        let tabled = match part {
            Position::Tokens(tokens) => tokens.first().and_then(|vertex| self.vertices.get(*vertex)).copied(),
            Position::Heaps(sizes) => sizes.first().and_then(|size| self.tabled(*size)),
            Position::Cells(cells) => self.tabled(cells.count() as u64),
            _ => None,
        };
        if let Some(value) = tabled {
            return Ok(value);
        }
        let key = rules.canonical(part.clone());
        if let Some(value) = self.known.get(&key) {
            return Ok(*value);
        }
        let value = solver.grundy(&key)?;
        self.known.insert(key, value);
        Ok(value)
    }

    /// Returns the Grundy value of a heap or run from a table, which is extended on demand. Returns `None` if no table
    /// determines the value.
    fn tabled(&mut self, size: u64) -> Option<u32> {
        let game = self.heaps.as_ref()?;
        let index = match usize::try_from(size).ok().filter(|size| *size <= LONGEST_TABLE) {
            Some(size) => size,
            None => {
                if self.period.is_none() {
                    self.table = game.values(LONGEST_TABLE);
                    self.period = Some(game.period(&self.table).filter(|period| period.certified));
                }
                self.period.flatten()?.index(size)
            }
        };
        if index >= self.table.len() {
            self.table = game.values((2 * index).clamp(63, LONGEST_TABLE));
        }
        self.table.get(index).copied()
    }
}
