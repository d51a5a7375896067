//! Binds rules to the values of an input: replaces names with numbers and builds the start position.

use super::bit_set::BitSet;
use super::bound_rules::{Board, BoundRules, Game};
use super::graph::{Dag, Graph};
use super::position::Position;
use super::rules_spec::{
    AllowedAmounts, BoundAmounts, BoundMoveRule, CellsSpec, GamePhase, GraphPart, HeapChoice, LastMover, MoveRule,
    NumberExpr, NumberListExpr, Payoff, PositionSpec, RemovalRule, RulesSpec,
};

/// The value that an input assigns to a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InputValues {
    /// A single number.
    Integer(i64),
    /// An array of numbers.
    Integers(Vec<i64>),
    /// A single word.
    Word(String),
    /// One word for each row.
    Words(Vec<String>),
}

/// The reason why rules cannot be bound to the values of an input.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BindError {
    /// The rules use a name for which the input has no number, word, array of numbers or array of words.
    #[error(
        "the rules use the name `{0}`, but the input has no number, word, array of numbers or array of words with this \
         name"
    )]
    Missing(String),
    /// The value has the wrong type.
    #[error("expected `{name}` to be {expected}, found {found}")]
    Unfit {
        /// The name of the value.
        name: String,
        /// The type that the rules require.
        expected: &'static str,
        /// The type of the value in the input.
        found: String,
    },
    /// A number is outside its valid range.
    #[error("expected {what} to be {expected}, found {found}")]
    OutOfRange {
        /// The phrase that describes the number in the message.
        what: String,
        /// The valid range.
        expected: String,
        /// The number that was found in the input or the rules.
        found: i128,
    },
    /// The graph has a cycle or a self-loop. Contains the noun phrase for the cycle or self-loop in the message.
    #[error("expected a graph without {0}")]
    Cyclic(&'static str),
    /// A kind of move does not apply to this kind of position. Contains the keyword of the move, and the positions to
    /// which the move applies.
    #[error("a move of the kind `{0}` does not fit this kind of position; the move requires a position with {1}")]
    Misplaced(&'static str, &'static str),
    /// Parts of the rules or of the input contradict each other. Contains the message.
    #[error("{0}")]
    Contradiction(&'static str),
}

/// A function that looks up a name in the input. It returns `None` if the input has no number, word, array of numbers
/// or array of words with this name.
type ValueLookup<'a> = &'a dyn Fn(&str) -> Option<InputValues>;

/// Maximum number of cells, vertices or stacks. Larger positions cannot be searched.
const MOST_CELLS: u64 = 1 << 24;

impl RulesSpec {
    /// Binds the rules to the values of an input.
    ///
    /// # Errors
    /// Fails if the input lacks a name or has a value of the wrong type, if a number is out of range, if the graph of a
    /// token game has a cycle, if the graph of another game has a self-loop, if a kind of move does not fit the
    /// position, or if parts of the rules or of the input contradict each other.
    pub fn bind(&self, lookup: &dyn Fn(&str) -> Option<InputValues>) -> Result<Game, BindError> {
        let (start, board, keep_empty) = self.position.bind(lookup)?;
        let mut place = 1;
        let mut written: &[MoveRule] = &self.moves;
        for phase in &self.phases {
            match phase {
                GamePhase::Place(number) => place = number.positive("the number of tokens in a move", lookup)?,
                GamePhase::Play(move_rules) => written = move_rules,
            }
        }
        let move_rules = written.iter().map(|move_rule| move_rule.bind(lookup)).collect::<Result<Vec<_>, _>>()?;
        let players = within("the number of players", self.players.bind(lookup)?.into(), 2, 64)?;
        let rules = BoundRules {
            last_mover: self.last_mover,
            players,
            payoff: self.payoff,
            keep_empty,
            board,
            place,
            ..BoundRules::nim()
        };
        let rules = rules.with(move_rules);
        rules.check(&start)?;
        Ok(Game { rules, start })
    }

    /// Returns the start position that the rules build from the values of an input.
    ///
    /// # Errors
    /// Fails in the same cases as [`RulesSpec::bind`].
    pub fn position(&self, lookup: &dyn Fn(&str) -> Option<InputValues>) -> Result<Position, BindError> {
        self.bind(lookup).map(|game| game.start)
    }
}

impl BoundRules {
    /// Checks that the moves fit the position, and that the payoff and the last mover's result fit the number of
    /// players.
    fn check(&self, start: &Position) -> Result<(), BindError> {
        for move_rule in &self.move_rules {
            move_rule.check(start)?;
        }
        if self.players > 2 && (self.last_mover == LastMover::Loses || self.payoff != Payoff::Outcome) {
            return Err(BindError::Contradiction(
                "a game with more than two players requires that the last mover wins and that the payoff is `[win]`",
            ));
        }
        Ok(())
    }
}

impl<N, S> MoveRule<N, S> {
    pub(super) fn check(&self, start: &Position) -> Result<(), BindError> {
        use Position as P;
        let (word, place, fits) = match self {
            MoveRule::Take { .. } => ("take", "`heaps` or `stacks`", matches!(start, P::Heaps(_) | P::Stacks { .. })),
            MoveRule::Split { .. } => ("split", "`heaps`", matches!(start, P::Heaps(_))),
            MoveRule::Octal(_) => ("octal", "`heaps`", matches!(start, P::Heaps(_))),
            MoveRule::Slide { .. } => ("slide", "a `row`", matches!(start, P::Row(_))),
            MoveRule::Remove(RemovalRule::Run(_)) => ("remove: run", "`cells`", matches!(start, P::Cells(_))),
            MoveRule::Remove(RemovalRule::GraphPart(part)) => {
                (part.keyword(), "a `graph`", matches!(start, P::Graph { .. }))
            }
            MoveRule::Walk => ("walk", "`tokens` on a graph", matches!(start, P::Tokens(_))),
            MoveRule::Add { .. } => ("add", "a `counter`", matches!(start, P::Counter(_))),
        };
        if fits { Ok(()) } else { Err(BindError::Misplaced(word, place)) }
    }
}

impl GraphPart {
    /// Returns the move that removes this part, as it is written in the rules.
    fn keyword(self) -> &'static str {
        match self {
            GraphPart::Vertex => "remove: vertex",
            GraphPart::EdgeEnds => "remove: edge-ends",
            GraphPart::Clique => "remove: clique",
            GraphPart::Connected => "remove: connected",
            GraphPart::EdgesAtVertex => "remove: edges-at-vertex",
        }
    }
}

impl MoveRule {
    fn bind(&self, lookup: ValueLookup<'_>) -> Result<BoundMoveRule, BindError> {
        Ok(match self {
            MoveRule::Take { amount, from, same } => {
                MoveRule::Take { amount: amount.bind(lookup)?, from: from.bind(lookup)?, same: *same }
            }
            MoveRule::Split { parts, distinct, total, min } => MoveRule::Split {
                parts: within("the number of parts", parts.bind(lookup)?.into(), 2, 16)?,
                distinct: *distinct,
                total: *total,
                min: min.bind(lookup)?,
            },
            MoveRule::Octal(code) => MoveRule::Octal(code.clone()),
            MoveRule::Slide { amount, frozen } => MoveRule::Slide { amount: amount.bind(lookup)?, frozen: *frozen },
            MoveRule::Remove(RemovalRule::Run(amount)) => MoveRule::Remove(RemovalRule::Run(amount.bind(lookup)?)),
            MoveRule::Remove(RemovalRule::GraphPart(part)) => MoveRule::Remove(RemovalRule::GraphPart(*part)),
            MoveRule::Walk => MoveRule::Walk,
            MoveRule::Add { from, to, limit } => MoveRule::Add {
                from: from.positive("the smallest number to add", lookup)?,
                to: to.bind(lookup)?,
                limit: limit.bind(lookup)?,
            },
        })
    }
}

impl AllowedAmounts {
    fn bind(&self, lookup: ValueLookup<'_>) -> Result<BoundAmounts, BindError> {
        Ok(match self {
            AllowedAmounts::Any => AllowedAmounts::Any,
            AllowedAmounts::UpTo(most) => AllowedAmounts::UpTo(most.bind(lookup)?),
            AllowedAmounts::In(numbers) => {
                let mut amounts = numbers.bind(lookup)?;
                amounts.sort_unstable();
                amounts.dedup();
                if amounts.first() == Some(&0) {
                    return Err(out_of_range("an amount", "1 or more", 0));
                }
                AllowedAmounts::In(amounts)
            }
        })
    }
}

impl HeapChoice {
    fn bind(&self, lookup: ValueLookup<'_>) -> Result<HeapChoice<u64>, BindError> {
        Ok(match self {
            HeapChoice::One => HeapChoice::One,
            HeapChoice::UpTo(most) => HeapChoice::UpTo(most.positive("the largest number of heaps in a move", lookup)?),
            HeapChoice::UpToAll => HeapChoice::UpToAll,
            HeapChoice::Largest => HeapChoice::Largest,
            HeapChoice::Every => HeapChoice::Every,
        })
    }
}

impl NumberExpr {
    fn bind(&self, lookup: ValueLookup<'_>) -> Result<u64, BindError> {
        match self {
            NumberExpr::Literal(number) => Ok(*number),
            NumberExpr::Named { name, offset } => match find(name, lookup)? {
                InputValues::Integer(value) => natural(value, name, *offset),
                other => Err(unfit(name, "a number", &other)),
            },
        }
    }

    fn positive(&self, what: &'static str, lookup: ValueLookup<'_>) -> Result<u64, BindError> {
        match self.bind(lookup)? {
            0 => Err(out_of_range(what, "1 or more", 0)),
            number => Ok(number),
        }
    }
}

impl NumberListExpr {
    fn bind(&self, lookup: ValueLookup<'_>) -> Result<Vec<u64>, BindError> {
        match self {
            NumberListExpr::Named(name) => many(name, lookup),
            NumberListExpr::Listed(list) => {
                let mut all = Vec::new();
                for number in list {
                    match number {
                        NumberExpr::Named { name, offset: 0 } => all.extend(many(name, lookup)?),
                        number => all.push(number.bind(lookup)?),
                    }
                }
                Ok(all)
            }
        }
    }
}

/// Returns the numbers in the array `name`. A single number is treated as an array of length 1.
fn many(name: &str, lookup: ValueLookup<'_>) -> Result<Vec<u64>, BindError> {
    match find(name, lookup)? {
        InputValues::Integer(value) => Ok(vec![natural(value, name, 0)?]),
        InputValues::Integers(values) => values.into_iter().map(|value| natural(value, name, 0)).collect(),
        other => Err(unfit(name, "a number or an array of numbers", &other)),
    }
}

fn find(name: &str, lookup: ValueLookup<'_>) -> Result<InputValues, BindError> {
    lookup(name).ok_or_else(|| BindError::Missing(name.to_owned()))
}

/// Returns `value + offset`, or an error if the sum is negative. `name` is the name of the value in the error.
fn natural(value: i64, name: &str, offset: i64) -> Result<u64, BindError> {
    let sum = i128::from(value) + i128::from(offset);
    let what = || if offset == 0 { format!("`{name}`") } else { format!("`{name}{offset:+}`") };
    u64::try_from(sum).map_err(|_| out_of_range(what(), "from 0 to 2^64 - 1", sum))
}

fn unfit(name: &str, expected: &'static str, found: &InputValues) -> BindError {
    let found = match found {
        InputValues::Integer(_) => "a number".to_owned(),
        InputValues::Integers(values) => format!("an array of numbers (length {})", values.len()),
        InputValues::Word(word) => format!("the word `{word}`"),
        InputValues::Words(words) => format!("an array of words (length {})", words.len()),
    };
    BindError::Unfit { name: name.to_owned(), expected, found }
}

fn out_of_range(what: impl Into<String>, expected: impl Into<String>, found: i128) -> BindError {
    BindError::OutOfRange { what: what.into(), expected: expected.into(), found }
}

/// Returns `found` if it is between `least` and `most`, inclusive. `what` describes the number in the error.
fn within<T: TryFrom<i128>>(what: &'static str, found: i128, least: i128, most: i128) -> Result<T, BindError> {
    let error = || out_of_range(what, format!("from {least} to {most}"), found);
    if (least..=most).contains(&found) { T::try_from(found).map_err(|_| error()) } else { Err(error()) }
}

impl PositionSpec {
    /// Returns the start position, its board, and whether empty heaps are part of the position.
    fn bind(&self, lookup: ValueLookup<'_>) -> Result<(Position, Board, bool), BindError> {
        Ok(match self {
            PositionSpec::Heaps { sizes, keep_empty } => {
                (Position::Heaps(sizes.bind(lookup)?), Board::None, *keep_empty)
            }
            PositionSpec::Row(steps) => (Position::Row(steps.bind(lookup)?), Board::None, false),
            PositionSpec::Cells(cells) => {
                let (occupied, board) = cells.bind(lookup)?;
                (Position::Cells(occupied), board, false)
            }
            PositionSpec::Graph { vertices, edges, base } => {
                let vertices = within("the number of vertices", vertices.bind(lookup)?.into(), 0, MOST_CELLS.into())?;
                let edges = ends(edges, vertices, *base, lookup)?;
                if edges.iter().any(|(a, b)| a == b) {
                    return Err(BindError::Cyclic("an edge from a vertex to itself"));
                }
                let all = (BitSet::full(vertices), BitSet::full(edges.len()));
                let position = Position::Graph { vertices: all.0, edges: all.1 };
                (position, Board::Graph(Graph { vertices, edges }), false)
            }
            PositionSpec::Tokens { tokens, vertices, edges, base } => {
                let places = tokens.bind(lookup)?;
                let count = match vertices {
                    Some(number) => number.bind(lookup)?,
                    None => most(&places, edges, *base, lookup)?,
                };
                let count = within("the number of vertices", count.into(), 0, MOST_CELLS.into())?;
                let tokens = places.into_iter().map(|place| vertex(place, count, *base)).collect::<Result<_, _>>()?;
                let edges = ends(edges, count, *base, lookup)?;
                let dag = Dag::new(count, &edges).ok_or(BindError::Cyclic("cycles"))?;
                (Position::Tokens(tokens), Board::Dag(dag), false)
            }
            PositionSpec::Counter(number) => (Position::Counter(number.bind(lookup)?), Board::None, false),
            PositionSpec::Stacks { stacks, tokens } => {
                let heights = heights(stacks, lookup)?;
                (Position::Stacks { heights, tokens: tokens.bind(lookup)? }, Board::None, false)
            }
        })
    }
}

/// Returns the heights of the stacks: the numbers of an array, or one zero for each stack if `stacks` is a number.
fn heights(stacks: &NumberExpr, lookup: ValueLookup<'_>) -> Result<Vec<u64>, BindError> {
    if let NumberExpr::Named { name, offset: 0 } = stacks
        && let InputValues::Integers(_) = find(name, lookup)?
    {
        return many(name, lookup);
    }
    let count: usize = within("the number of stacks", stacks.bind(lookup)?.into(), 0, MOST_CELLS.into())?;
    Ok(vec![0; count])
}

/// Returns the smallest number of vertices of a graph that contains every vertex in `places` and every end of an edge.
/// The first vertex has the number `base`.
fn most(places: &[u64], edges: &(String, String), base: u64, lookup: ValueLookup<'_>) -> Result<u64, BindError> {
    let (tails, heads) = (many(&edges.0, lookup)?, many(&edges.1, lookup)?);
    let largest = places.iter().chain(&tails).chain(&heads).max();
    Ok(largest.map_or(0, |largest| (largest + 1).saturating_sub(base)))
}

fn vertex(number: u64, count: usize, base: u64) -> Result<usize, BindError> {
    let last = i128::from(base) + count as i128 - 1;
    let index: i128 = within("a vertex number", number.into(), base.into(), last)?;
    within("a vertex number", index - i128::from(base), 0, count as i128)
}

fn ends(
    names: &(String, String),
    vertices: usize,
    base: u64,
    lookup: ValueLookup<'_>,
) -> Result<Vec<(usize, usize)>, BindError> {
    let (tails, heads) = (many(&names.0, lookup)?, many(&names.1, lookup)?);
    if tails.len() != heads.len() {
        let expected = format!("{}, the length of `{}`", tails.len(), names.0);
        return Err(out_of_range(format!("the length of `{}`", names.1), expected, heads.len() as i128));
    }
    let pairs = tails.into_iter().zip(heads);
    pairs.map(|(a, b)| Ok((vertex(a, vertices, base)?, vertex(b, vertices, base)?))).collect()
}

impl CellsSpec {
    fn bind(&self, lookup: ValueLookup<'_>) -> Result<(BitSet, Board), BindError> {
        let picture = self.picture.as_deref().map(|name| self.read(name, lookup)).transpose()?;
        let sides = match (&self.size, &picture) {
            (Some(size), _) => size.bind(lookup)?,
            (None, Some((_, sides))) => sides.clone(),
            (None, None) => return Err(BindError::Contradiction("`cells: full` requires a `size`")),
        };
        let cells = sides.iter().try_fold(1_u64, |all, side| all.checked_mul(*side)).unwrap_or(u64::MAX);
        let cells: usize = within("the number of cells", cells.into(), 0, MOST_CELLS.into())?;
        let occupied = match picture {
            None => BitSet::full(cells),
            Some((marks, _)) if marks.len() == cells => marks
                .iter()
                .enumerate()
                .filter(|(_, mark)| **mark)
                .map(|(cell, _)| cell)
                .fold(BitSet::empty(cells), BitSet::with),
            Some((marks, _)) => {
                return Err(out_of_range("the number of cells in the picture", cells.to_string(), marks.len() as i128));
            }
        };
        let sides: Vec<usize> = sides.into_iter().filter_map(|side| usize::try_from(side).ok()).collect();
        match (self.circle, sides.as_slice()) {
            (true, [length]) => Ok((occupied, Board::Circle(*length))),
            (true, sides) => Err(out_of_range("the number of dimensions of a circle", "1", sides.len() as i128)),
            (false, _) => Ok((occupied, Board::Grid(sides))),
        }
    }

    /// Returns whether each cell of a picture is occupied, and the side lengths of the picture.
    fn read(&self, name: &str, lookup: ValueLookup<'_>) -> Result<(Vec<bool>, Vec<u64>), BindError> {
        let marks = |word: &str| word.chars().map(|mark| mark == self.occupied).collect::<Vec<bool>>();
        match find(name, lookup)? {
            InputValues::Word(word) => {
                let marks = marks(&word);
                let length = marks.len() as u64;
                Ok((marks, vec![length]))
            }
            InputValues::Integers(numbers) => {
                Ok((numbers.iter().map(|number| *number != 0).collect(), vec![numbers.len() as u64]))
            }
            InputValues::Words(words) => {
                let width = words.first().map_or(0, |word| word.chars().count());
                if let Some(other) = words.iter().map(|word| word.chars().count()).find(|other| *other != width) {
                    let what = format!("the length of each row of the picture `{name}`");
                    return Err(out_of_range(what, width.to_string(), other as i128));
                }
                Ok((words.iter().flat_map(|word| marks(word)).collect(), vec![words.len() as u64, width as u64]))
            }
            other => Err(unfit(name, "a picture (a word, an array of words, or an array of zeros and ones)", &other)),
        }
    }
}
