//! The rules of a problem's game as meant: how an input becomes games, and what its answer asks of them.

use std::collections::HashMap;

use indexmap::IndexMap;

use crate::games::{BindError, Game, InputValues, RulesSpec, SolveError};
use crate::input::{Description, Instance, Value};

use super::oracle::Oracle;

/// A problem's game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameRules {
    /// The rules.
    pub rules: RulesSpec,
    /// What the answer asks of a game. Empty where nothing says what the answer means.
    pub asks: Vec<Ask>,
    /// The count of the input's block of which every row is a game of its own: `t` of `repeat: t`. Without it, an
    /// input is one game.
    pub each_row_of: Option<String>,
}

/// What one value of the answer means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ask {
    /// Its name in the description of the answer.
    pub name: String,
    /// What it asks of the game.
    pub question: Question,
    /// The words for the places, the best first; without words the answer is a number.
    pub words: Vec<String>,
    /// The input's number that stands for each of 1 to itself in turn, one answer for each.
    pub each: Option<String>,
}

/// What can be asked of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    /// The place of the player to move under perfect play: 1 is the best; of two players 1 wins and 2 loses.
    Outcome,
    /// The Grundy value.
    Grundy,
    /// The number of winning moves.
    WinningMoves,
    /// The heap of the first winning move, in the order of heaps and then of amounts, from 1; 0 if there is none.
    WinningHeap,
    /// The amount of that move; 0 if there is none.
    WinningAmount,
    /// How many objects the player to move takes, where players want first to win and then to take much.
    Taken,
}

impl Question {
    /// All questions with their words in `problem.yaml`.
    pub const ALL: [(&'static str, Question); 6] = [
        ("outcome", Question::Outcome),
        ("grundy", Question::Grundy),
        ("winning-moves", Question::WinningMoves),
        ("winning-heap", Question::WinningHeap),
        ("winning-amount", Question::WinningAmount),
        ("taken", Question::Taken),
    ];

    /// The word for it.
    pub fn word(self) -> &'static str {
        Question::ALL.iter().find(|(_, question)| *question == self).map_or("outcome", |(word, _)| word)
    }
}

/// Why rules do not answer an input.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unanswered {
    /// The input makes no game of these rules.
    #[error(transparent)]
    Bind(#[from] BindError),
    /// The search is too large.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// The rules say nothing of a part of the answer.
    #[error("the rules do not say what `{0}` of the answer is")]
    Unasked(String),
    /// There is no word or letter for the place.
    #[error("`{name}` has no word for place {place}")]
    Wordless {
        /// The answer's name.
        name: String,
        /// The place, from 1.
        place: u32,
    },
    /// The answer is not as the problem describes it.
    #[error("the answer by the rules is not as `answer:` describes it: {0}")]
    Misfit(String),
}

impl GameRules {
    /// The games of an input, in the order of its rows; one if it is one game.
    ///
    /// # Errors
    /// The input's values make no game of these rules.
    pub fn games(&self, input: &Instance, description: &Description) -> Result<Vec<Game>, BindError> {
        let binding = Binding::new(self, input, description);
        (0..binding.rows).map(|row| self.rules.bind(&|name| binding.value(row, name))).collect()
    }

    /// The games in which the input's number `each` is 1, 2, … up to what it is in the input.
    ///
    /// # Errors
    /// As [`GameRules::games`].
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

    /// Whoever answers inputs by searching, with at most `budget` positions kept for each set of rules.
    pub fn oracle<'a>(&'a self, input: &'a Description, budget: usize) -> Oracle<'a> {
        Oracle::new(self, input, budget)
    }
}

/// An input's values, as the rules name them.
struct Binding {
    values: HashMap<String, (bool, Value)>,
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

/// What the rules answer: the values of the answer by their names.
pub type Answer = IndexMap<String, Value>;
