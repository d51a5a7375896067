//! Answers from rules: a problem's question put to the exhaustive solver, which believes no theorem.

use std::collections::{HashMap, HashSet};

use crate::games::{Game, LastMover, Laws, Move, Payoff, Position, SolveError, Solver};
use crate::input::{Description, Instance, Value};

use super::meant::Problem;
use super::rules::{Answer, Ask, GameRules, Question, Unanswered};

/// Solvers of so many different laws are kept; then all are forgotten.
const KEPT: usize = 256;

/// So many winning moves are named as a reason.
const NAMED: usize = 4;

/// Answers inputs by their rules, and remembers what it has searched.
#[derive(Debug)]
pub struct Oracle<'a> {
    game: &'a GameRules,
    input: &'a Description,
    budget: usize,
    solvers: HashMap<Laws, Solver>,
    /// How many new positions one question may cost.
    each: usize,
    /// What cost more.
    hard: HashSet<(Laws, Position)>,
}

impl<'a> Oracle<'a> {
    pub(super) fn new(game: &'a GameRules, input: &'a Description, budget: usize) -> Oracle<'a> {
        Oracle { game, input, budget, solvers: HashMap::new(), each: budget, hard: HashSet::new() }
    }

    /// From now on no question may cost more than so many positions that were not searched before.
    pub fn spare(&mut self, each: usize) {
        if each != self.each {
            self.each = each;
            self.hard.clear();
        }
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
        let Game { laws, start } = game.plain();
        let (budget, allowed) = (self.budget, self.each);
        // Hard in one order of heaps is hard in every order. A question may be for the place of a heap, so the position is
        // asked as it is written.
        if !self.hard.is_empty() && self.hard.contains(&(laws.clone(), laws.canonical(start.clone()))) {
            return Err(SolveError::Positions { allowed }.into());
        }
        let solver = self.solver(&laws);
        solver.allow(allowed.min(budget.saturating_sub(solver.positions())));
        asked(solver, question, &start).map_err(|error| {
            let start = laws.canonical(start);
            self.hard.insert((laws, start));
            error.into()
        })
    }

    fn solver(&mut self, laws: &Laws) -> &mut Solver {
        if self.solvers.len() >= KEPT && !self.solvers.contains_key(laws) {
            self.solvers.clear();
        }
        let budget = self.budget;
        self.solvers.entry(laws.clone()).or_insert_with(|| Solver::new(laws.clone(), budget))
    }

    /// In words why a game has its outcome: the winning moves, or that there is none.
    ///
    /// # Errors
    /// The game is too large to search.
    pub fn reason(&mut self, game: &Game) -> Result<String, Unanswered> {
        let budget = self.budget;
        let solver = self.solver(&game.laws);
        solver.allow(budget);
        let place = solver.place(&game.start)?;
        let moves = solver.winning_moves(&game.start)?;
        let all = game.laws.moves(&game.start, self.budget).len();
        let named: Vec<String> = moves.iter().take(NAMED).map(ToString::to_string).collect();
        let more = if moves.len() > NAMED { format!(" and {} more", moves.len() - NAMED) } else { String::new() };
        let first = match game.laws.players {
            2 => "the player to move wins",
            _ => "the player to move comes first",
        };
        Ok(match (all, moves.is_empty()) {
            (0, _) if game.laws.last_mover == LastMover::Loses => {
                "there is no move, and who cannot move wins".to_owned()
            }
            (0, _) => "there is no move, and who cannot move loses".to_owned(),
            (_, false) => format!("{first}: {}{more}", named.join(", ")),
            (_, true) if game.laws.players == 2 => format!("none of the {all} moves wins"),
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
        Question::Taken => solver.purse(start)?.mine,
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
        let bytes = filled.ok_or_else(|| misfit("a value is of another kind".to_owned()))?.to_bytes(description);
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
