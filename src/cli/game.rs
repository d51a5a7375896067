//! The game of a problem: its rules with an input's values put in.

use std::path::Path;

use nimatron::games::{Choice, Game, Kind, Number, Numbers, Removal, Rules, Taking, Values};
use nimatron::input::{Instance, Value};
use nimatron::model::{Diagnostic, Failure};
use nimatron::problem::Problem;

/// A problem's game, and where its values come from.
pub struct Found {
    /// The rules.
    pub rules: Rules,
    /// The game.
    pub game: Game,
    /// The input.
    pub input: Instance,
    /// The input's name, if it decides the rules.
    from: Option<String>,
}

impl Found {
    /// Where the values of the rules come from, to stand behind the problem's name.
    pub fn note(&self) -> String {
        self.from.as_ref().map(|from| format!(" with the values of {from}")).unwrap_or_default()
    }
}

/// The game that a problem plays on this input, or on its first sample.
pub fn game_of(problem: &Problem, input: Option<&Path>) -> Result<Found, Failure> {
    let rules = rules_of(problem)?;
    let (bytes, from) = match (input, problem.samples().first()) {
        (Some(path), _) => {
            let bytes = fs_err::read(path).map_err(|error| Failure::complaint(error.to_string()))?;
            (bytes, path.display().to_string())
        }
        (None, Some(sample)) => (sample.input.clone().into_bytes(), "its first sample".to_owned()),
        (None, None) => {
            return Err(Diagnostic::new(format!("{} has no sample to take values from", problem.id))
                .help("give an input with --input FILE")
                .into());
        }
    };
    let input = problem.input.read(&bytes, None).map_err(|invalid| Diagnostic::new(format!("{from}: {invalid}")))?;
    let game = bound(&rules, &input).map_err(|why| Diagnostic::new(format!("{from}: {why}")))?;
    let from = rules.moves.iter().any(names_a_value).then_some(from);
    Ok(Found { rules, game, input, from })
}

/// Whether what a move may do depends on the input.
fn names_a_value(kind: &Kind) -> bool {
    let named = |number: &Number| matches!(number, Number::Named { .. });
    let taking = |amount: &Taking| match amount {
        Taking::Any => false,
        Taking::UpTo(most) => named(most),
        Taking::In(Numbers::Listed(list)) => list.iter().any(named),
        Taking::In(Numbers::Named(_)) => true,
    };
    match kind {
        Kind::Take { amount, from, .. } => taking(amount) || matches!(from, Choice::UpTo(most) if named(most)),
        Kind::Split { parts, min, .. } => named(parts) || named(min),
        Kind::Slide { amount, .. } | Kind::Remove(Removal::Run(amount)) => taking(amount),
        Kind::Add { from, to, limit } => named(from) || named(to) || named(limit),
        Kind::Octal(_) | Kind::Remove(_) | Kind::Walk => false,
    }
}

/// The rules of a problem.
pub fn rules_of(problem: &Problem) -> Result<Rules, Diagnostic> {
    let Some(written) = &problem.game else {
        return Err(Diagnostic::new(format!("{} has no `game:` in its problem.yaml", problem.id))
            .help("`nimatron list` shows the problems; those about games say their rules"));
    };
    nimatron::yaml::value(written).map_err(|why| Diagnostic::new(format!("{}: game: {why}", problem.id)))
}

/// The game that rules make of an input.
pub fn bound(rules: &Rules, input: &Instance) -> Result<Game, String> {
    rules.bind(&|name| values(input.value(name)?)).map_err(|error| error.to_string())
}

/// An input's values as the rules need them. Rows are joined; decimal numbers are no part of a game.
fn values(value: Value) -> Option<Values> {
    Some(match value {
        Value::Int(number) => Values::Integer(number),
        Value::Ints(numbers) => Values::Integers(numbers),
        Value::IntRows(rows) => Values::Integers(rows.concat()),
        Value::Word(word) => Values::Word(word),
        Value::Words(words) => Values::Words(words),
        Value::WordRows(rows) => Values::Words(rows.concat()),
        Value::Real(_) | Value::Reals(_) | Value::RealRows(_) => return None,
    })
}
