//! Finds the game of a problem and evaluates its rules on an input.

use std::path::Path;

use crate::games::{AllowedAmounts, Game, HeapChoice, MoveRule, NumberExpr, NumberListExpr, RemovalRule};
use crate::input::Instance;
use crate::model::{Diagnostic, Failure};
use crate::play::parse_position;
use crate::problem::{GameRules, Problem};

/// A problem's game on one input.
#[derive(Debug)]
pub struct GameSource {
    /// The game with the input's values substituted.
    pub game: Game,
    /// The input from which the values are taken.
    pub input: Instance,
    /// The name of the input; `None` if the rules do not depend on it.
    from: Option<String>,
}

impl GameSource {
    /// Replaces the start position of the game with the position that `text` describes in the notation of
    /// [`parse_position`].
    ///
    /// # Errors
    /// Fails if the text is not a position of the game.
    pub fn at(mut self, text: &str) -> Result<GameSource, String> {
        self.game.start = parse_position(&self.game, text)?;
        Ok(self)
    }

    /// Creates a source with another input and the game of that input. The name of the input stays the same.
    pub fn with(&self, input: Instance, game: Game) -> GameSource {
        GameSource { game, input, from: self.from.clone() }
    }

    /// Returns a note on the source of the rules' values, printed after the problem's name; empty if the rules don't
    /// depend on an input.
    pub fn note(&self) -> String {
        self.from.as_ref().map(|from| format!(" with the values of {from}")).unwrap_or_default()
    }
}

/// Returns the game of a problem on the input in the file `input`, or on the problem's first sample if `input` is
/// `None`.
///
/// # Errors
/// Fails if the problem has no game, if `input` is `None` and there is no sample, or if the input can't be read, is
/// invalid or contains no game.
pub fn game_of(problem: &Problem, input: Option<&Path>) -> Result<GameSource, Failure> {
    let rules = rules_of(problem)?;
    let (bytes, from, place) = match (input, problem.samples().first()) {
        (Some(path), _) => {
            let bytes = fs_err::read(path).map_err(|error| Failure::user_file(&error))?;
            (bytes, path.display().to_string(), path.display().to_string())
        }
        (None, Some(sample)) => {
            let place = format!("the first sample of `{}`", problem.id);
            (sample.input.clone().into_bytes(), "its first sample".to_owned(), place)
        }
        (None, None) => {
            return Err(Diagnostic::new(format!("`{}` has no sample that provides values for the rules", problem.id))
                .help("specify an input with `--input FILE`")
                .into());
        }
    };
    let input = problem.input.read(&bytes, None).map_err(|invalid| Diagnostic::new(format!("{place}: {invalid}")))?;
    let game = bound(problem, rules, &input).map_err(|why| Diagnostic::new(format!("{place}: {why}")))?;
    let from = rules.rules.moves.iter().any(names_a_value).then_some(from);
    Ok(GameSource { game, input, from })
}

/// Returns whether the moves that `move_rule` allows depend on values of the input.
fn names_a_value(move_rule: &MoveRule) -> bool {
    let named = |number: &NumberExpr| matches!(number, NumberExpr::Named { .. });
    let taking = |amount: &AllowedAmounts| match amount {
        AllowedAmounts::Any => false,
        AllowedAmounts::UpTo(most) => named(most),
        AllowedAmounts::In(NumberListExpr::Listed(list)) => list.iter().any(named),
        AllowedAmounts::In(NumberListExpr::Named(_)) => true,
    };
    match move_rule {
        MoveRule::Take { amount, from, .. } => taking(amount) || matches!(from, HeapChoice::UpTo(most) if named(most)),
        MoveRule::Split { parts, min, .. } => named(parts) || named(min),
        MoveRule::Slide { amount, .. } | MoveRule::Remove(RemovalRule::Run(amount)) => taking(amount),
        MoveRule::Add { from, to, limit } => named(from) || named(to) || named(limit),
        MoveRule::Octal(_) | MoveRule::Remove(_) | MoveRule::Walk => false,
    }
}

/// Returns the rules of a problem's game.
///
/// # Errors
/// Fails if `problem.yaml` has no `game:`.
pub fn rules_of(problem: &Problem) -> Result<&GameRules, Diagnostic> {
    problem.game.as_ref().ok_or_else(|| {
        Diagnostic::new(format!("`{}` has no `game:` in its `problem.yaml`", problem.id))
            .help("`nimatron guide problems` describes how to add a game to a problem")
    })
}

/// Returns the game that the rules define on an input. If an input contains several games, the first one is used.
pub(super) fn bound(problem: &Problem, rules: &GameRules, input: &Instance) -> Result<Game, String> {
    let games = rules.games(input, &problem.input).map_err(|error| error.to_string())?;
    games.into_iter().next().ok_or_else(|| "the input contains no game".to_owned())
}
