//! The perfect player: it never loses what is won, and makes a lost game last.

use super::bound_rules::{Board, BoundRules};
use super::closed_form::closed_form;
use super::grundy::{HeapGame, Period, dag_values};
use super::moves::Move;
use super::position::Position;
use super::rules_spec::{LastMover, Payoff};
use super::search::SolveError;
use super::solver::Solver;
use std::collections::HashMap;
use std::ops::ControlFlow;

/// A player who knows theory, and searches where theory ends.
#[derive(Debug)]
pub struct PerfectPlayer {
    rules: BoundRules,
    budget: usize,
    solver: Solver,
    part_values: PartValues,
}

/// What the perfect player would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveAdvice {
    /// The move.
    pub step: Move,
    /// The position after it.
    pub after: Position,
    /// Whether the move wins (comes out first) against any play.
    pub wins: bool,
    /// How that is known.
    pub why: Justification,
}

/// How the perfect player knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Justification {
    /// By a closed form; its rule in a few words.
    Theory(&'static str),
    /// By the values of the independent parts, in their order: the nim-sum tells.
    Values(Vec<u32>),
    /// By searching the game to its end.
    Search,
    /// The position is lost or its worth is not known; the move takes least.
    Caution,
}

/// At most so many moves are compared when nothing better is known.
const COMPARED: usize = 4096;

/// Up to this size values of heaps come from a table, beyond it only from a certified period.
const LONGEST_TABLE: usize = 1 << 14;

impl PerfectPlayer {
    /// A player by these rules, whose searches keep to `budget` positions.
    pub fn new(rules: BoundRules, budget: usize) -> PerfectPlayer {
        let solver = Solver::new(rules.clone(), budget);
        let part_values = PartValues::new(&rules);
        PerfectPlayer { rules, budget, solver, part_values }
    }

    /// The rules it plays by.
    pub fn rules(&self) -> &BoundRules {
        &self.rules
    }

    /// The best move: one that wins if there is one, otherwise the one that delays most. `None` if there is no move.
    ///
    /// # Errors
    /// When neither theory nor the budget is enough to know whether the position is won. Then [`PerfectPlayer::cautious`] still
    /// has a move.
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

    /// Whether the player to move wins (comes out first).
    ///
    /// # Errors
    /// When neither theory nor the budget is enough.
    pub fn wins(&mut self, position: &Position) -> Result<bool, SolveError> {
        if self.rules.moves(position, 1).is_empty() {
            return Ok(self.rules.last_mover == LastMover::Loses);
        }
        if self.rules.payoff == Payoff::Outcome
            && let Some(advice) = self.choose(position)?
        {
            return Ok(advice.wins);
        }
        self.retry_with_empty_memo(|player| player.solver.wins(position))
    }

    /// A move that takes as little as possible, for positions that nobody can judge. `None` if there is no move.
    pub fn cautious(&self, position: &Position) -> Option<MoveAdvice> {
        let moves = self.rules.moves(position, COMPARED);
        let (step, after) = moves.into_iter().min_by_key(|(step, _)| step.taken())?;
        Some(MoveAdvice { step, after, wins: false, why: Justification::Caution })
    }

    fn advice(&self, position: &Position, step: Move, wins: bool, why: Justification) -> Option<MoveAdvice> {
        let after = self.rules.apply_move(position, &step)?;
        Some(MoveAdvice { step, after, wins, why })
    }

    /// In a lost position: the move that makes the game last, by search if that is cheap, otherwise the least.
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

    /// The move after which the game lasts longest if the other one hurries.
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

    /// The values of the parts, if the game is a sum in normal play for two.
    fn values(&mut self, position: &Position) -> Result<Option<Vec<u32>>, SolveError> {
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
        let _ = rules.each_move(position, &mut |step, after| match part_values.values(rules, solver, &after) {
            Ok(Some(rest)) if nim_sum(&rest) == 0 => {
                found = Ok(Some((step, after)));
                ControlFlow::Break(())
            }
            Ok(_) => ControlFlow::Continue(()),
            Err(error) => {
                found = Err(error);
                ControlFlow::Break(())
            }
        });
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

    /// Between equally good moves the smaller one, unless taking is what is played for.
    fn effort(&self, step: &Move) -> u64 {
        if self.rules.payoff == Payoff::WinThenTaken { 0 } else { step.taken() }
    }

    /// What a search finds. One that runs out of its budget begins once more from nothing if earlier ones had filled the memory:
    /// what fits into the budget by itself must not fail because much has been played before.
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
        self.solver = Solver::new(self.rules.clone(), self.budget);
    }
}

fn nim_sum(values: &[u32]) -> u32 {
    values.iter().fold(0, |sum, value| sum ^ value)
}

/// The values of parts, from tables where there are some, otherwise searched and remembered.
#[derive(Debug)]
struct PartValues {
    heaps: Option<HeapGame>,
    table: Vec<u32>,
    /// The period of the longest table, once it has been needed.
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
        // A circle plays its runs as rows; the full circle is searched.
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

    /// The value of a heap or row, from a table that grows as it is asked.
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
