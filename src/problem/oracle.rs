//! Answers from rules: a problem's question put to the exhaustive solver, which believes no theorem; or, where it is told to,
//! to tables of Grundy values, which believe the one of sums.

use std::collections::{HashMap, HashSet};

use crate::games::grundy::HeapGame;
use crate::games::theory::sum_wins;
use crate::games::{BoundRules, Game, LastMover, Move, Payoff, Position, SolveError, Solver};
use crate::input::{Description, Instance, Value};

use super::resolved::Problem;
use super::rules::{Answer, Ask, GameRules, Question, Unanswered};

/// Solvers of so many different rules are kept; then all are forgotten.
const KEPT: usize = 256;

/// Heaps of so many objects at most are looked up in tables of values.
const LARGEST: usize = 16_383;

/// So many winning moves are named as a reason.
const NAMED: usize = 4;

/// Answers inputs by their rules, and remembers what it has searched.
#[derive(Debug)]
pub struct Oracle<'a> {
    game: &'a GameRules,
    input: &'a Description,
    budget: usize,
    solvers: HashMap<BoundRules, Solver>,
    /// How many new positions one question may cost.
    each: usize,
    /// What cost more.
    hard: HashSet<(BoundRules, Position)>,
    /// The values of heaps by the rules, where sums are taken apart; none where the rules know no heaps.
    values: Option<HashMap<BoundRules, Option<Table>>>,
}

/// The values of heaps, as far as they were asked for.
#[derive(Debug)]
struct Table {
    game: HeapGame,
    values: Vec<u32>,
}

impl Table {
    /// The table of these rules, if moves touch one heap each.
    fn of(rules: &BoundRules) -> Option<Table> {
        Some(Table { game: HeapGame::from_rules(rules).ok()?, values: Vec::new() })
    }

    /// The value of a heap, unless it is too large.
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

    /// From now on no question may cost more than so many positions that were not searched before.
    pub fn spare(&mut self, each: usize) {
        if each != self.each {
            self.each = each;
            self.hard.clear();
        }
    }

    /// From now on who wins a sum of heaps is told by the values of the heaps (Sprague 1935, Grundy 1939), which reach far
    /// beyond what can be searched; all other questions are too hard.
    pub fn take_sums_apart(&mut self) {
        self.values = Some(HashMap::new());
    }

    /// Who wins by the values of heaps: 1 for the player to move, 2 for the other one. None where that is not the question,
    /// or a heap is too large.
    fn by_values(&mut self, question: Question, rules: &BoundRules, start: &Position) -> Option<u64> {
        let (Question::Outcome, Position::Heaps(heaps), 2) = (question, start, rules.players) else { return None };
        if rules.last_mover != LastMover::Wins || rules.payoff != Payoff::Outcome {
            return None;
        }
        let table = self.values.as_mut()?.entry(rules.clone()).or_insert_with(|| Table::of(rules)).as_mut()?;
        let held: Option<Vec<u32>> = heaps.iter().map(|heap| table.value(*heap)).collect();
        Some(if sum_wins(&held?) { 1 } else { 2 })
    }

    /// The values of the answer to this input, of all names that the rules say something of.
    ///
    /// # Errors
    /// The input makes no game, or one too large to search.
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

    fn all(&mut self, ask: &Ask, games: Vec<Game>) -> Result<Vec<u64>, Unanswered> {
        games.into_iter().map(|game| self.one(ask.question, game)).collect()
    }

    fn letters(&self, ask: &Ask, places: &[u64]) -> Result<String, Unanswered> {
        places.iter().map(|place| word(ask, *place)).collect()
    }

    /// What the question's answer is for a game.
    fn one(&mut self, question: Question, game: Game) -> Result<u64, Unanswered> {
        let Game { rules, start } = game.normalized();
        if self.values.is_some() {
            return self.by_values(question, &rules, &start).ok_or(SolveError::Positions { allowed: 0 }.into());
        }
        let (budget, allowed) = (self.budget, self.each);
        // Hard in one order of heaps is hard in every order. A question may be for the place of a heap, so the position is
        // asked as it is written.
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

    /// In words why a game has its outcome: the winning moves, or that there is none.
    ///
    /// # Errors
    /// The game is too large to search.
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
            _ => "the player to move comes first",
        };
        Ok(match (all, moves.is_empty()) {
            (0, _) if game.rules.last_mover == LastMover::Loses => {
                "there is no move, and who cannot move wins".to_owned()
            }
            (0, _) => "there is no move, and who cannot move loses".to_owned(),
            (_, false) => format!("{first}: {}{more}", named.join(", ")),
            (_, true) if game.rules.players == 2 => format!("none of the {all} moves wins"),
            (_, true) => format!("none of the {all} moves comes first; the best place is {}", place + 1),
        })
    }
}

/// What the question's answer is for a position.
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

/// The heap, from 1, and the amount of the first of these moves that takes from a single heap, splits it (the amount is the
/// least part) or adds to a counter, which is alone; zeros if there is none.
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

/// The word for a place, which counts from 1.
fn word(ask: &Ask, place: u64) -> Result<String, Unanswered> {
    let index = usize::try_from(place).ok().and_then(|place| place.checked_sub(1));
    index
        .and_then(|index| ask.words.get(index))
        .cloned()
        .ok_or_else(|| Unanswered::Wordless { name: ask.name.clone(), place: u32::try_from(place).unwrap_or(u32::MAX) })
}

impl Problem {
    /// The whole answer to an input, as bytes, from the rules alone. `oracle` is from [`GameRules::oracle`] with this
    /// problem's input description.
    ///
    /// # Errors
    /// The rules do not say all of the answer, or the game can't be searched.
    pub fn answer_by_rules(&self, oracle: &mut Oracle<'_>, input: &Instance) -> Result<Vec<u8>, Unanswered> {
        let Some(description) = &self.answer else { return Err(Unanswered::Unasked("all".to_owned())) };
        let values = oracle.answer(input)?;
        if let Some(unasked) = description.names().find(|name| !values.contains_key(*name)) {
            return Err(Unanswered::Unasked(unasked.to_owned()));
        }
        let misfit = |why: String| Unanswered::Misfit(why);
        let filled = description.fill(&|name| values.get(name).cloned());
        let bytes = filled.ok_or_else(|| misfit("a value is of another move_rule".to_owned()))?.to_bytes(description);
        description.validate(&bytes[..], Some(input)).map_err(|invalid| misfit(invalid.to_string()))?;
        Ok(bytes)
    }
}

impl GameRules {
    /// Whether the rules can be asked this question at all.
    pub(super) fn allows(&self, question: Question) -> bool {
        match question {
            Question::Taken => self.rules.payoff == Payoff::WinThenTaken,
            // The value is one of normal play.
            Question::Grundy => self.rules.last_mover == LastMover::Wins,
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(name: &str) -> Problem {
        crate::problem::load(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("problems").join(name)).unwrap()
    }

    #[test]
    fn sums_taken_apart_are_what_the_search_says() {
        for (name, steps) in [("grundys-game", 30), ("classic-nim", 4), ("split-nim", 2)] {
            let problem = problem(name);
            let game = problem.game.as_ref().unwrap();
            let names: Vec<String> = problem.input.growths().into_iter().map(|growth| growth.name).collect();
            let rows = game.each_row_of.as_deref();
            let steps: Vec<(&str, u64)> =
                names.iter().map(|name| (name.as_str(), if Some(name.as_str()) == rows { 0 } else { steps })).collect();
            let inputs: Vec<Instance> = problem.input.small(&steps).enumerate().take(2_000).collect();
            let (mut searched, mut apart) = (game.oracle(&problem.input, 500_000), game.oracle(&problem.input, 0));
            apart.take_sums_apart();
            for input in &inputs {
                assert_eq!(searched.answer(input).unwrap(), apart.answer(input).unwrap(), "{name}");
            }
            assert!(inputs.len() > 30, "{name}: {}", inputs.len());
        }
    }

    #[test]
    fn what_is_no_sum_of_heaps_is_not_taken_apart() {
        for name in ["misere-nim", "three-player-nim", "nim-winning-moves"] {
            let problem = problem(name);
            let mut oracle = problem.game.as_ref().unwrap().oracle(&problem.input, 1_000);
            let input = problem.input.small(&[]).enumerate().next().unwrap();
            assert!(oracle.answer(&input).is_ok(), "{name}");
            oracle.take_sums_apart();
            assert!(oracle.answer(&input).is_err(), "{name}");
        }
    }

    #[test]
    fn taken_apart_heaps_of_thousands_are_answered() {
        let problem = problem("grundys-game");
        let mut oracle = problem.game.as_ref().unwrap().oracle(&problem.input, 0);
        oracle.take_sums_apart();
        let answer = |oracle: &mut Oracle<'_>, text: &str| {
            let input = problem.input.read(text.as_bytes(), None).unwrap();
            problem.answer_by_rules(oracle, &input)
        };
        // The last lost heap that anybody knows of.
        assert_eq!(answer(&mut oracle, "2\n1222\n1223\n").unwrap(), b"second\nfirst\n");
        assert!(answer(&mut oracle, "1\n1000000\n").is_err());
    }
}
