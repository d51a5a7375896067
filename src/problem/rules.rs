//! The resolved rules of a problem's game: the conversion of inputs to games, and the question for each
//! value of the answer.

use std::collections::HashMap;

use indexmap::IndexMap;

use crate::games::{BindError, Game, InputValues, RulesSpec, SolveError};
use crate::input::{Description, Instance, Value};

use super::oracle::Oracle;

/// The rules of a problem's game, and the question for each value of the answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameRules {
    /// The rules of the game as written.
    pub rules: RulesSpec,
    /// The questions for the values of the answer; empty if they are not known.
    pub asks: Vec<AnswerQuestion>,
    /// The count of an input block whose rows are separate games, such as `t` in `repeat: t`. If it is `None`, an input
    /// is one game.
    pub each_row_of: Option<String>,
}

/// The question for one value of the answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerQuestion {
    /// The value's name in the description of the answer.
    pub name: String,
    /// The question about the game.
    pub question: Question,
    /// The words for the places, the best place first; empty if the answer is a number.
    pub words: Vec<String>,
    /// The name of an integer of the input, if the question is asked once for each integer from 1 to its value.
    pub each: Option<String>,
}

/// A question about a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    /// The place of the player to move under perfect play, where 1 is the best. In a two-player game, the player in
    /// place 1 wins.
    Outcome,
    /// The Grundy value of the position.
    Grundy,
    /// The number of winning moves from the position.
    WinningMoves,
    /// The number of the heap of the first winning move, counted from 1; 0 if there is none. Moves are ordered by heap,
    /// then by amount.
    WinningHeap,
    /// The amount of the first winning move; 0 if there is none.
    WinningAmount,
    /// The total number of objects that the player to move takes, if each player aims first to win and then to take as
    /// many objects as possible.
    Taken,
}

impl Question {
    /// All questions with their names in `problem.yaml`.
    pub const ALL: [(&'static str, Question); 6] = [
        ("outcome", Question::Outcome),
        ("grundy", Question::Grundy),
        ("winning-moves", Question::WinningMoves),
        ("winning-heap", Question::WinningHeap),
        ("winning-amount", Question::WinningAmount),
        ("taken", Question::Taken),
    ];

    /// Returns the name in `problem.yaml`.
    pub fn word(self) -> &'static str {
        Question::ALL.iter().find(|(_, question)| *question == self).map_or("outcome", |(word, _)| word)
    }
}

/// The reason why the answer to an input can't be computed from the rules.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unanswered {
    /// The input is not a valid game of these rules.
    #[error(transparent)]
    Bind(#[from] BindError),
    /// The game is too large to search.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// The problem does not describe its answer.
    #[error("the problem has no `answer:`")]
    Undescribed,
    /// The rules do not determine a value of the answer.
    #[error("the rules do not determine the answer's value `{0}`; add a question for this value to `asks:`")]
    Unasked(String),
    /// The value of the answer has no word for a place.
    #[error("the answer's value `{name}` has no word for place {place}; list one word per place")]
    Wordless {
        /// The name of the value in the answer.
        name: String,
        /// The place, counted from 1.
        place: u32,
    },
    /// The computed answer does not match the description of the answer.
    #[error("the answer computed from the rules does not match `answer:` ({0})")]
    Misfit(String),
}

impl GameRules {
    /// Returns the games of an input: one for each row of the block [`GameRules::each_row_of`], in the order of the
    /// rows, or a single game.
    ///
    /// # Errors
    /// Fails if the input is not a valid game of these rules.
    pub fn games(&self, input: &Instance, description: &Description) -> Result<Vec<Game>, BindError> {
        let binding = Binding::new(self, input, description);
        (0..binding.rows).map(|row| self.rules.bind(&|name| binding.value(row, name))).collect()
    }

    /// Returns the games in which the input's integer `each` is replaced by 1, 2, … up to its value.
    ///
    /// # Errors
    /// Returns the errors of [`GameRules::games`], and fails if `each` is not an integer of the input.
    pub fn each(&self, input: &Instance, description: &Description, each: &str) -> Result<Vec<Game>, BindError> {
        let binding = Binding::new(self, input, description);
        let most = match binding.value(0, each) {
            Some(InputValues::Integer(most)) => most,
            _ => return Err(BindError::Missing(each.to_owned())),
        };
        let game = |number: i64| {
            let value = |name: &str| match name == each {
                true => Some(InputValues::Integer(number)),
                false => binding.value(0, name),
            };
            self.rules.bind(&value)
        };
        (1..=most).map(game).collect()
    }

    /// Creates an oracle that computes answers by search. It caches at most `budget` positions for each set of rules.
    pub fn oracle<'a>(&'a self, input: &'a Description, budget: usize) -> Oracle<'a> {
        Oracle::new(self, input, budget)
    }
}

/// The input values to which the rules refer, by name.
struct Binding {
    /// Each value, and whether it belongs to the block whose rows are separate games.
    values: HashMap<String, (bool, Value)>,
    /// Number of games.
    rows: usize,
}

impl Binding {
    fn new(game: &GameRules, input: &Instance, description: &Description) -> Binding {
        let mut names: Vec<&str> = game.rules.names();
        names.extend(game.asks.iter().filter_map(|ask| ask.each.as_deref()));
        let block = game.each_row_of.as_deref();
        let value = |name: &str| {
            let own = block.is_some() && description.repeat(name) == block;
            Some((name.to_owned(), (own, input.value(name)?)))
        };
        let values: HashMap<_, _> = names.into_iter().filter_map(value).collect();
        let rows = values.values().filter(|(own, _)| *own).map(|(_, value)| length(value)).max();
        Binding { values, rows: if block.is_some() { rows.unwrap_or(0) } else { 1 } }
    }

    fn value(&self, row: usize, name: &str) -> Option<InputValues> {
        let (own, value) = self.values.get(name)?;
        if *own { in_row(value, row) } else { whole(value) }
    }
}

fn length(value: &Value) -> usize {
    match value {
        Value::Ints(list) => list.len(),
        Value::IntRows(rows) => rows.len(),
        Value::Words(list) => list.len(),
        Value::WordRows(rows) => rows.len(),
        _ => 0,
    }
}

fn in_row(value: &Value, row: usize) -> Option<InputValues> {
    Some(match value {
        Value::Ints(list) => InputValues::Integer(*list.get(row)?),
        Value::IntRows(rows) => InputValues::Integers(rows.get(row)?.clone()),
        Value::Words(list) => InputValues::Word(list.get(row)?.clone()),
        Value::WordRows(rows) => InputValues::Words(rows.get(row)?.clone()),
        _ => return None,
    })
}

fn whole(value: &Value) -> Option<InputValues> {
    Some(match value {
        Value::Int(number) => InputValues::Integer(*number),
        Value::Ints(list) => InputValues::Integers(list.clone()),
        Value::Word(word) => InputValues::Word(word.clone()),
        Value::Words(list) => InputValues::Words(list.clone()),
        _ => return None,
    })
}

/// The values of the answer by name.
pub type Answer = IndexMap<String, Value>;
