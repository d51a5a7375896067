//! Exchanges the moves of a game with a program.

use crate::games::{NumberExpr, NumberListExpr, Position, PositionSpec, RulesSpec};
use crate::model::Diagnostic;
use crate::play::ProgramReply;
use crate::problem::{GameRules, Problem, Question};
use crate::service::{GameSource, rules_of};

/// The protocol between a game and a program that was written for the problem: a position is written as an input, and
/// the program's move is read from the named values of its answer.
pub(crate) struct MoveProtocol<'a> {
    problem: &'a Problem,
    /// Indices of the output tokens that form a move.
    places: Vec<usize>,
    /// Names of the input values that form the position.
    position: Vec<String>,
}

/// Returns the names of the answer values that contain the heap and the amount of a winning move. A name is omitted if
/// `rules.asks` does not contain the corresponding question.
fn asked(rules: &GameRules) -> Vec<&str> {
    let name = |question| rules.asks.iter().find(|ask| ask.question == question).map(|ask| ask.name.as_str());
    [Question::WinningHeap, Question::WinningAmount].into_iter().filter_map(name).collect()
}

/// The names of answer values that form a move, in the order in which a move is parsed.
const MOVES: [&[&str]; 5] = [&["heap", "amount"], &["step", "amount"], &["token", "vertex"], &["stack"], &["add"]];

impl<'a> MoveProtocol<'a> {
    /// Determines how programs for `problem` read positions and print moves.
    ///
    /// # Errors
    /// Fails if the problem has no game, if its answer contains no move, or if a position can't be written as an input.
    pub(crate) fn new(problem: &'a Problem) -> Result<MoveProtocol<'a>, Diagnostic> {
        let rules = rules_of(problem)?;
        let names: Vec<&str> = problem.answer.iter().flat_map(|answer| answer.names()).collect();
        let place = |name: &&str| names.iter().position(|other| other == name);
        let all = |wanted: &[&str]| wanted.iter().map(place).collect::<Option<Vec<usize>>>();
        let places = all(&asked(rules)).filter(|places| places.len() == 2);
        let places = places.or_else(|| MOVES.iter().find_map(|wanted| all(wanted)));
        let position = position_names(&rules.rules);
        match places {
            Some(places) if !position.is_empty() => Ok(MoveProtocol { problem, places, position }),
            Some(_) => {
                let message = format!("a position of the game in `{}` cannot be written as an input", problem.id);
                let help = "choose a problem whose input contains the position of the game, and whose position \
                            consists of heaps, a row, tokens or a counter";
                Err(Diagnostic::new(message).help(help))
            }
            None => Err(Diagnostic::new(format!(
                "programs for `{}` do not print moves, so they cannot play the game",
                problem.id
            ))
            .help("the answer must name the values of a move, such as `heap` and `amount` in the problem `nim-move`")),
        }
    }

    /// Writes the position as an input of the problem. Returns the input and, for each number of the position in the
    /// input, the index of the number in the position. If the problem does not allow empty heaps, they are omitted from
    /// the input. Returns `None` if the position can't be written as an input.
    pub(crate) fn input(&self, found: &GameSource, position: &Position) -> Option<(Vec<u8>, Vec<usize>)> {
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

    /// Parses the move that a program printed. If all numbers are zero, the program resigns. `heaps` are the indices
    /// that [`MoveProtocol::input`] returned for the program's input.
    pub(crate) fn read(&self, output: &[u8], heaps: &[usize]) -> ProgramReply {
        let text = String::from_utf8_lossy(output);
        let words: Vec<&str> = text.split_whitespace().collect();
        let number = |place: &usize| words.get(*place).and_then(|word| word.parse::<u64>().ok());
        let Some(mut numbers) = self.places.iter().map(number).collect::<Option<Vec<u64>>>() else {
            let shown: String = text.trim().chars().take(60).collect();
            let printed = if shown.is_empty() { "nothing".to_owned() } else { format!("`{shown}`") };
            return ProgramReply::Invalid(format!("expected a move, found {printed}"));
        };
        if numbers.iter().all(|number| *number == 0) {
            return ProgramReply::Resigns;
        }
        // Empty heaps may be omitted from the input, so heap numbers are mapped back to the position.
        if let (2.., Some(heap)) = (numbers.len(), numbers.first_mut()) {
            let place = usize::try_from(*heap).ok().and_then(|heap| heaps.get(heap.checked_sub(1)?));
            let Some(place) = place else {
                let part = "the number of a heap, step or token";
                return ProgramReply::Invalid(format!("expected {part} from 1 to {}, found `{heap}`", heaps.len()));
            };
            *heap = *place as u64 + 1;
        }
        ProgramReply::Move(numbers)
    }
}

/// Returns the names of the input values that form the position; empty if positions of this kind can't be written as an
/// input.
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
