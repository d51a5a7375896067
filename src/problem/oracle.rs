//! Computes answers from the rules of a game by exhaustive search, which relies on no theorem. For sums of heaps,
//! tables of Grundy values can be used instead of search.

use std::collections::{HashMap, HashSet};

use crate::games::grundy::HeapGame;
use crate::games::theory::sum_wins;
use crate::games::{BoundRules, Game, LastMover, Move, Payoff, Position, SolveError, Solver};
use crate::input::{Description, Instance, Value};

use super::resolved::Problem;
use super::rules::{Answer, AnswerQuestion, GameRules, Question, Unanswered};

/// Maximum number of cached solvers, of which there is one for each set of rules. The cache is cleared when it is full.
const KEPT: usize = 256;

/// Maximum heap size in tables of Grundy values.
const LARGEST: usize = 16_383;

/// Maximum number of winning moves that [`Oracle::reason`] lists.
const NAMED: usize = 4;

/// An oracle that computes the answers to inputs from the rules, and caches the positions that were searched.
#[derive(Debug)]
pub struct Oracle<'a> {
    game: &'a GameRules,
    input: &'a Description,
    budget: usize,
    solvers: HashMap<BoundRules, Solver>,
    /// Maximum number of new positions that may be searched for each question.
    each: usize,
    /// Positions whose search exceeded its limits.
    hard: HashSet<(BoundRules, Position)>,
    /// Tables of Grundy values by rules; `None` if all questions are answered by search. An entry is `None` if the
    /// rules are not those of independent heaps.
    values: Option<HashMap<BoundRules, Option<HeapValues>>>,
}

/// A table of the Grundy values of heaps, extended on demand.
#[derive(Debug)]
struct HeapValues {
    game: HeapGame,
    values: Vec<u32>,
}

impl HeapValues {
    /// Creates the table for `rules`; returns `None` if the rules are not those of independent heaps.
    fn of(rules: &BoundRules) -> Option<HeapValues> {
        Some(HeapValues { game: HeapGame::from_rules(rules).ok()?, values: Vec::new() })
    }

    /// Returns the Grundy value of a heap; `None` if the heap is larger than [`LARGEST`].
    fn value(&mut self, heap: u64) -> Option<u32> {
        let heap = usize::try_from(heap).ok().filter(|heap| *heap <= LARGEST)?;
        if heap >= self.values.len() {
            self.values = self.game.values_by_definition((2 * heap).min(LARGEST));
        }
        self.values.get(heap).copied()
    }
}

impl<'a> Oracle<'a> {
    pub(super) fn new(game: &'a GameRules, input: &'a Description, budget: usize) -> Oracle<'a> {
        Oracle { game, input, budget, solvers: HashMap::new(), each: budget, hard: HashSet::new(), values: None }
    }

    /// Sets the maximum number of new positions that may be searched for each subsequent question. If the maximum
    /// changes, a question that exceeded the previous maximum is searched again when it is repeated.
    pub fn spare(&mut self, each: usize) {
        if each != self.each {
            self.each = each;
            self.hard.clear();
        }
    }

    /// Switches the oracle from search to Grundy values (Sprague 1935, Grundy 1939), which determine the winner of a
    /// sum of heaps even if the sum is far too large to search. All other questions then fail as too large to search.
    pub fn decompose_sums(&mut self) {
        self.values = Some(HashMap::new());
    }

    /// Returns the winner by Grundy values: 1 for the player to move, 2 for the opponent. Returns `None` unless the
    /// question is the outcome of a two-player game of independent heaps in normal play, with no heap larger than
    /// [`LARGEST`].
    fn by_values(&mut self, question: Question, rules: &BoundRules, start: &Position) -> Option<u64> {
        let (Question::Outcome, Position::Heaps(heaps), 2) = (question, start, rules.players) else { return None };
        if rules.last_mover != LastMover::Wins || rules.payoff != Payoff::Outcome {
            return None;
        }
        let table = self.values.as_mut()?.entry(rules.clone()).or_insert_with(|| HeapValues::of(rules)).as_mut()?;
        let held: Option<Vec<u32>> = heaps.iter().map(|heap| table.value(*heap)).collect();
        Some(if sum_wins(&held?) { 1 } else { 2 })
    }

    /// Returns the values of the answer to an input, for all names that have a question.
    ///
    /// # Errors
    /// Fails if the input is not a valid game, if the game is too large to search, or if a place has no word.
    pub fn answer(&mut self, input: &Instance) -> Result<Answer, Unanswered> {
        let game = self.game;
        let mut answer = Answer::new();
        for ask in &game.asks {
            let value = match &ask.each {
                Some(each) => {
                    let games = game.each(input, self.input, each)?;
                    let places = self.all(ask, games)?;
                    if ask.words.is_empty() { numbers(&places) } else { Value::Word(self.letters(ask, &places)?) }
                }
                None => {
                    let games = game.games(input, self.input)?;
                    let found = self.all(ask, games)?;
                    match (ask.words.is_empty(), game.each_row_of.is_some(), found.as_slice()) {
                        (true, false, [one]) => Value::Int(i64::try_from(*one).unwrap_or(i64::MAX)),
                        (true, _, all) => numbers(all),
                        (false, false, [one]) => Value::Word(word(ask, *one)?),
                        (false, _, all) => {
                            Value::Words(all.iter().map(|one| word(ask, *one)).collect::<Result<_, _>>()?)
                        }
                    }
                }
            };
            answer.insert(ask.name.clone(), value);
        }
        Ok(answer)
    }

    fn all(&mut self, ask: &AnswerQuestion, games: Vec<Game>) -> Result<Vec<u64>, Unanswered> {
        games.into_iter().map(|game| self.one(ask.question, game)).collect()
    }

    fn letters(&self, ask: &AnswerQuestion, places: &[u64]) -> Result<String, Unanswered> {
        places.iter().map(|place| word(ask, *place)).collect()
    }

    /// Returns the answer to a question about a game as a number. Places are counted from 1.
    fn one(&mut self, question: Question, game: Game) -> Result<u64, Unanswered> {
        let Game { rules, start } = game.normalized();
        if self.values.is_some() {
            return self.by_values(question, &rules, &start).ok_or(SolveError::Positions { allowed: 0 }.into());
        }
        let (budget, allowed) = (self.budget, self.each);
        // If a position is too large to search, the same position with its heaps in another order is also too large.
        // The order of the heaps is not changed for the question itself, because its answer may be the number of a
        // heap.
        if !self.hard.is_empty() && self.hard.contains(&(rules.clone(), rules.canonical(start.clone()))) {
            return Err(SolveError::Positions { allowed }.into());
        }
        let solver = self.solver(&rules);
        solver.raise_budget(allowed.min(budget.saturating_sub(solver.positions())));
        asked(solver, question, &start).map_err(|error| {
            let start = rules.canonical(start);
            self.hard.insert((rules, start));
            error.into()
        })
    }

    fn solver(&mut self, rules: &BoundRules) -> &mut Solver {
        if self.solvers.len() >= KEPT && !self.solvers.contains_key(rules) {
            self.solvers.clear();
        }
        let budget = self.budget;
        self.solvers.entry(rules.clone()).or_insert_with(|| Solver::new(rules.clone(), budget))
    }

    /// Explains the outcome of a game by its winning moves or by their absence, as a clause for messages.
    ///
    /// # Errors
    /// Fails if the game is too large to search.
    pub fn reason(&mut self, game: &Game) -> Result<String, Unanswered> {
        let budget = self.budget;
        let solver = self.solver(&game.rules);
        solver.raise_budget(budget);
        let place = solver.place(&game.start)?;
        let moves = solver.winning_moves(&game.start)?;
        let all = game.rules.moves(&game.start, self.budget).len();
        let named: Vec<String> = moves.iter().take(NAMED).map(ToString::to_string).collect();
        let more = if moves.len() > NAMED { format!(" and {} more", moves.len() - NAMED) } else { String::new() };
        let first = match game.rules.players {
            2 => "the player to move wins",
            _ => "the player to move takes first place",
        };
        Ok(match (all, moves.is_empty()) {
            (0, _) if game.rules.last_mover == LastMover::Loses => {
                "there is no move, and a player without a move wins".to_owned()
            }
            (0, _) if game.rules.players == 2 => "there is no move, and a player without a move loses".to_owned(),
            (0, _) => "there is no move, and a player without a move takes the last place".to_owned(),
            (_, false) => format!("{first}: {}{more}", named.join(", ")),
            (1, true) if game.rules.players == 2 => "the only move does not win".to_owned(),
            (_, true) if game.rules.players == 2 => format!("none of the {all} moves wins"),
            (1, true) => format!("the only move leads to place {}, not to first place", place + 1),
            (_, true) => format!("none of the {all} moves leads to first place; the best leads to place {}", place + 1),
        })
    }
}

/// Answers a question about a position by search. Places are counted from 1.
fn asked(solver: &mut Solver, question: Question, start: &Position) -> Result<u64, SolveError> {
    Ok(match question {
        Question::Outcome => u64::from(solver.place(start)?) + 1,
        Question::Grundy => u64::from(solver.grundy(start)?),
        Question::WinningMoves => solver.winning_moves(start)?.len() as u64,
        Question::WinningHeap => first(&solver.winning_moves(start)?).0,
        Question::WinningAmount => first(&solver.winning_moves(start)?).1,
        Question::Taken => solver.scored_outcome(start)?.mine,
    })
}

/// Returns the heap, counted from 1, and the amount of the first move, where moves are ordered by heap and then by
/// amount. Only moves that take from a single heap or step, split a heap (the amount is the smallest part) or add to a
/// counter (which counts as heap 1) are considered. Returns zeros if there is no such move.
fn first(moves: &[Move]) -> (u64, u64) {
    let single = |step: &Move| match step {
        Move::Take { heap, amount } | Move::Slide { step: heap, amount } => Some((*heap as u64 + 1, *amount)),
        Move::Split { heap, parts } => Some((*heap as u64 + 1, parts.iter().copied().min()?)),
        Move::Add(amount) => Some((1, *amount)),
        _ => None,
    };
    moves.iter().filter_map(single).min().unwrap_or((0, 0))
}

fn numbers(list: &[u64]) -> Value {
    Value::Ints(list.iter().map(|number| i64::try_from(*number).unwrap_or(i64::MAX)).collect())
}

/// Returns the word for a place, counted from 1.
fn word(ask: &AnswerQuestion, place: u64) -> Result<String, Unanswered> {
    let index = usize::try_from(place).ok().and_then(|place| place.checked_sub(1));
    index
        .and_then(|index| ask.words.get(index))
        .cloned()
        .ok_or_else(|| Unanswered::Wordless { name: ask.name.clone(), place: u32::try_from(place).unwrap_or(u32::MAX) })
}

impl Problem {
    /// Computes the whole answer to an input from the rules, as bytes. `oracle` must be created by
    /// [`GameRules::oracle`] with this problem's input description.
    ///
    /// # Errors
    /// Fails if the rules do not determine the whole answer, if the game can't be searched, or if the computed answer
    /// does not match its description.
    pub fn answer_by_rules(&self, oracle: &mut Oracle<'_>, input: &Instance) -> Result<Vec<u8>, Unanswered> {
        let Some(description) = &self.answer else { return Err(Unanswered::Undescribed) };
        let values = oracle.answer(input)?;
        if let Some(unasked) = description.names().find(|name| !values.contains_key(*name)) {
            return Err(Unanswered::Unasked(unasked.to_owned()));
        }
        let misfit = |why: String| Unanswered::Misfit(why);
        let filled = description.fill(&|name| values.get(name).cloned());
        let bytes = filled.ok_or_else(|| misfit("a value has the wrong type".to_owned()))?.to_bytes(description);
        description.validate(&bytes[..], Some(input)).map_err(|invalid| misfit(invalid.to_string()))?;
        Ok(bytes)
    }
}

impl GameRules {
    /// Returns true if the question is defined for the rules.
    pub(super) fn allows(&self, question: Question) -> bool {
        match question {
            Question::Taken => self.rules.payoff == Payoff::WinThenTaken,
            // Grundy values are defined for normal play.
            Question::Grundy => self.rules.last_mover == LastMover::Wins,
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(name: &str) -> Problem {
        let problems = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../problems"));
        crate::load(&problems.join(name)).unwrap()
    }

    #[test]
    fn grundy_values_agree_with_search() {
        for (name, steps) in [("grundys-game", 30), ("classic-nim", 4), ("split-nim", 2)] {
            let problem = problem(name);
            let game = problem.game.as_ref().unwrap();
            let names: Vec<String> = problem.input.growths().into_iter().map(|growth| growth.name).collect();
            let rows = game.each_row_of.as_deref();
            let steps: Vec<(&str, u64)> =
                names.iter().map(|name| (name.as_str(), if Some(name.as_str()) == rows { 0 } else { steps })).collect();
            let inputs: Vec<Instance> = problem.input.small(&steps).enumerate().take(2_000).collect();
            let (mut searched, mut apart) = (game.oracle(&problem.input, 500_000), game.oracle(&problem.input, 0));
            apart.decompose_sums();
            for input in &inputs {
                assert_eq!(searched.answer(input).unwrap(), apart.answer(input).unwrap(), "{name}");
            }
            assert!(inputs.len() > 30, "{name}: {}", inputs.len());
        }
    }

    #[test]
    fn other_games_are_not_split() {
        for name in ["misere-nim", "three-player-nim", "nim-winning-moves"] {
            let problem = problem(name);
            let mut oracle = problem.game.as_ref().unwrap().oracle(&problem.input, 1_000);
            let input = problem.input.small(&[]).enumerate().next().unwrap();
            assert!(oracle.answer(&input).is_ok(), "{name}");
            oracle.decompose_sums();
            assert!(oracle.answer(&input).is_err(), "{name}");
        }
    }

    #[test]
    fn grundy_values_answer_heaps_of_thousands() {
        let problem = problem("grundys-game");
        let mut oracle = problem.game.as_ref().unwrap().oracle(&problem.input, 0);
        oracle.decompose_sums();
        let answer = |oracle: &mut Oracle<'_>, text: &str| {
            let input = problem.input.read(text.as_bytes(), None).unwrap();
            problem.answer_by_rules(oracle, &input)
        };
        // The largest known losing heap has size 1222.
        assert_eq!(answer(&mut oracle, "2\n1222\n1223\n").unwrap(), b"second\nfirst\n");
        assert!(answer(&mut oracle, "1\n1000000\n").is_err());
    }
}
