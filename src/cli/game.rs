//! Finds the game of a problem and evaluates its rules on an input.

use std::path::Path;

use nimatron::games::{
    AllowedAmounts, Game, HeapChoice, MoveRule, NumberExpr, NumberListExpr, Position, PositionSpec, RemovalRule,
    RulesSpec,
};
use nimatron::input::Instance;
use nimatron::model::{Diagnostic, Failure};
use nimatron::play::ProgramReply;
use nimatron::problem::{GameRules, Problem, Question};

/// A problem's game on one input.
pub struct GameSource {
    /// The game with the input's values substituted.
    pub game: Game,
    /// The input from which the values are taken.
    pub input: Instance,
    /// The name of the input; `None` if the rules do not depend on it.
    from: Option<String>,
}

impl GameSource {
    /// Creates a source with another input and its game, and the same name.
    pub fn with(&self, input: Instance, game: Game) -> GameSource {
        GameSource { game, input, from: self.from.clone() }
    }

    /// Returns a note on the source of the rules' values, printed after the problem's name; empty if the rules don't
    /// depend on an input.
    pub fn note(&self) -> String {
        self.from.as_ref().map(|from| format!(" with the values of {from}")).unwrap_or_default()
    }
}

/// Returns the game of a problem on this input, or on the problem's first sample if `input` is `None`.
pub fn game_of(problem: &Problem, input: Option<&Path>) -> Result<GameSource, Failure> {
    let rules = rules_of(problem)?;
    let (bytes, from) = match (input, problem.samples().first()) {
        (Some(path), _) => {
            let bytes = fs_err::read(path).map_err(|error| Failure::user_file(&error))?;
            (bytes, path.display().to_string())
        }
        (None, Some(sample)) => (sample.input.clone().into_bytes(), "its first sample".to_owned()),
        (None, None) => {
            return Err(Diagnostic::new(format!("`{}` has no sample that provides values for the rules", problem.id))
                .help("specify an input with `--input FILE`")
                .into());
        }
    };
    let input = problem.input.read(&bytes, None).map_err(|invalid| Diagnostic::new(format!("{from}: {invalid}")))?;
    let game = bound(problem, rules, &input).map_err(|why| Diagnostic::new(format!("{from}: {why}")))?;
    let from = rules.rules.moves.iter().any(names_a_value).then_some(from);
    Ok(GameSource { game, input, from })
}

/// Whether the legal moves depend on values of the input.
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
/// Fails if problem.yaml has no `game:`.
pub fn rules_of(problem: &Problem) -> Result<&GameRules, Diagnostic> {
    problem.game.as_ref().ok_or_else(|| {
        Diagnostic::new(format!("{} has no `game:` in its problem.yaml", problem.id))
            .help("see `nimatron guide problems` for the rules of a game")
    })
}

/// Returns the game that the rules define on an input. If an input contains several games, the first one is used.
pub fn bound(problem: &Problem, rules: &GameRules, input: &Instance) -> Result<Game, String> {
    let games = rules.games(input, &problem.input).map_err(|error| error.to_string())?;
    games.into_iter().next().ok_or_else(|| "the input contains no game".to_owned())
}

/// Exchanges moves with a program that was written for the problem. The position is written as an input; the move is
/// read from the named values of the answer.
pub struct MoveProtocol<'a> {
    problem: &'a Problem,
    /// Indices of the output tokens that form a move.
    places: Vec<usize>,
    /// Names of the input values that form the position.
    position: Vec<String>,
}

/// Returns the answer's names of the heap and the amount of a winning move, if the rules declare them.
fn asked(rules: &GameRules) -> Vec<&str> {
    let name = |question| rules.asks.iter().find(|ask| ask.question == question).map(|ask| ask.name.as_str());
    [Question::WinningHeap, Question::WinningAmount].into_iter().filter_map(name).collect()
}

/// The names of answer values that form a move, in the order in which a move is parsed.
const MOVES: [&[&str]; 5] = [&["heap", "amount"], &["step", "amount"], &["token", "vertex"], &["stack"], &["add"]];

impl<'a> MoveProtocol<'a> {
    /// Determines how programs for this problem read positions and print moves.
    ///
    /// # Errors
    /// Fails if the answer of the problem contains no move.
    pub fn new(problem: &'a Problem) -> Result<MoveProtocol<'a>, Diagnostic> {
        let rules = rules_of(problem)?;
        let names: Vec<&str> = problem.answer.iter().flat_map(|answer| answer.names()).collect();
        let place = |name: &&str| names.iter().position(|other| other == name);
        let all = |wanted: &[&str]| wanted.iter().map(place).collect::<Option<Vec<usize>>>();
        let places = all(&asked(rules)).filter(|places| places.len() == 2);
        let places = places.or_else(|| MOVES.iter().find_map(|wanted| all(wanted)));
        let position = position_names(&rules.rules);
        match places {
            Some(places) if !position.is_empty() => Ok(MoveProtocol { problem, places, position }),
            _ => Err(Diagnostic::new(format!("programs for `{}` do not print moves, so they cannot play", problem.id))
                .help("the answer must name the values of a move, such as `heap` and `amount` in nim-move")),
        }
    }

    /// Writes the position as an input of the problem, and returns for each heap of the input its index in the
    /// position. If the problem allows no empty heaps, they are omitted. Returns `None` if the position can't be
    /// written as an input.
    pub fn input(&self, found: &GameSource, position: &Position) -> Option<(Vec<u8>, Vec<usize>)> {
        let numbers: Vec<u64> = match position {
            Position::Heaps(sizes) | Position::Row(sizes) => sizes.clone(),
            Position::Tokens(places) => places.iter().map(|place| *place as u64 + 1).collect(),
            Position::Counter(number) => vec![*number],
            _ => return None,
        };
        let numbers = numbers.into_iter().map(i64::try_from).collect::<Result<Vec<i64>, _>>().ok()?;
        let places: Vec<usize> = (0..numbers.len()).collect();
        let full: Vec<usize> = places.iter().copied().filter(|place| numbers[*place] != 0).collect();
        [places, full].into_iter().find_map(|places| {
            let kept: Vec<i64> = places.iter().map(|place| numbers[*place]).collect();
            Some((self.written(found, &kept)?, places))
        })
    }

    fn written(&self, found: &GameSource, numbers: &[i64]) -> Option<Vec<u8>> {
        let description = &self.problem.input;
        let input = match self.position.as_slice() {
            [name] => description.with_ints(&found.input, name, numbers)?,
            several if several.len() == numbers.len() => {
                several.iter().zip(numbers).try_fold(found.input.clone(), |input, (name, number)| {
                    description.with_ints(&input, name, std::slice::from_ref(number))
                })?
            }
            _ => return None,
        };
        Some(input.to_bytes(description))
    }

    /// Parses the move that a program printed. If all numbers are zero, the program resigns.
    pub fn read(&self, output: &[u8], heaps: &[usize]) -> ProgramReply {
        let text = String::from_utf8_lossy(output);
        let words: Vec<&str> = text.split_whitespace().collect();
        let number = |place: &usize| words.get(*place).and_then(|word| word.parse::<u64>().ok());
        let Some(mut numbers) = self.places.iter().map(number).collect::<Option<Vec<u64>>>() else {
            let shown: String = text.trim().chars().take(60).collect();
            return ProgramReply::Invalid(format!("it printed `{shown}`"));
        };
        if numbers.iter().all(|number| *number == 0) {
            return ProgramReply::Resigns;
        }
        // Empty heaps may be left out of the input, so heap numbers are mapped back to the position.
        if let (2.., Some(heap)) = (numbers.len(), numbers.first_mut()) {
            let place = usize::try_from(*heap).ok().and_then(|heap| heaps.get(heap.checked_sub(1)?));
            *heap = place.map_or(u64::MAX, |place| *place as u64 + 1);
        }
        ProgramReply::Move(numbers)
    }
}

/// Returns the names of the input values that form the position.
fn position_names(rules: &RulesSpec) -> Vec<String> {
    let listed = |numbers: &NumberListExpr| match numbers {
        NumberListExpr::Named(name) => vec![name.clone()],
        NumberListExpr::Listed(list) => list.iter().filter_map(single).collect(),
    };
    match &rules.position {
        PositionSpec::Heaps { sizes: numbers, .. }
        | PositionSpec::Row(numbers)
        | PositionSpec::Tokens { tokens: numbers, .. } => listed(numbers),
        PositionSpec::Counter(number) => single(number).into_iter().collect(),
        PositionSpec::Cells(_) | PositionSpec::Graph { .. } | PositionSpec::Stacks { .. } => Vec::new(),
    }
}

fn single(number: &NumberExpr) -> Option<String> {
    match number {
        NumberExpr::Named { name, offset: 0 } => Some(name.clone()),
        _ => None,
    }
}
