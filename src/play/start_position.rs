//! Start positions: parsed from text, or trimmed to a size that a user can play.

use crate::games::{BitSet, Board, BoundRules, Game, HeapChoice, MoveRule, Position};

/// Maximum number of heaps, steps, stacks or tokens in a position that is easy to play.
const MOST_PARTS: usize = 6;

/// Maximum number of objects in a heap or step of a trimmed position.
const MOST_OBJECTS: u64 = 12;

/// Parses a position of `game`: sizes of heaps or steps, a number, vertices of tokens, heights of stacks (followed by
/// `+` and the tokens to place), or for cells either their numbers or a picture such as `##.#`.
///
/// # Errors
/// Returns a message if the text does not describe a position of the game.
pub fn parse_position(game: &Game, text: &str) -> Result<Position, String> {
    let (head, placed) = text.split_once('+').unwrap_or((text, "0"));
    let words: Vec<&str> =
        head.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty()).collect();
    let number =
        |word: &str| word.parse::<u64>().map_err(|_| format!("expected numbers from 0 to 2^64 - 1, found `{word}`"));
    let numbers = || words.iter().map(|word| number(word)).collect::<Result<Vec<u64>, _>>();
    let stacks_only = || Err("`+` is valid only in a game with stacks".to_owned());
    let plain = || if text.contains('+') { stacks_only() } else { numbers() };
    let index = |number: u64, count: usize, what: &str| {
        let place =
            usize::try_from(number).ok().and_then(|number| number.checked_sub(1)).filter(|place| *place < count);
        place.ok_or_else(|| format!("expected {what} from 1 to {count}, found {number}"))
    };
    match &game.start {
        Position::Heaps(sizes) => {
            let numbers = plain()?;
            if every(&game.rules) && numbers.len() != sizes.len() {
                return Err(format!(
                    "expected {} heap sizes because a move can take from every heap, found {}",
                    sizes.len(),
                    numbers.len()
                ));
            }
            Ok(Position::Heaps(numbers))
        }
        Position::Row(_) => plain().map(Position::Row),
        Position::Counter(_) => match plain()?.as_slice() {
            [number] => Ok(Position::Counter(*number)),
            other => Err(format!("expected one number, found {} numbers", other.len())),
        },
        Position::Stacks { .. } => Ok(Position::Stacks { heights: numbers()?, tokens: number(placed.trim())? }),
        Position::Tokens(_) => {
            let Board::Dag(dag) = &game.rules.board else { return Err("the game has no graph".to_owned()) };
            let places = plain()?.into_iter().map(|place| index(place, dag.heads.len(), "vertices"));
            places.collect::<Result<_, _>>().map(Position::Tokens)
        }
        Position::Cells(_) => {
            let count = match &game.rules.board {
                Board::Circle(length) => *length,
                Board::Grid(sides) => sides.iter().product(),
                _ => 0,
            };
            cells(&words, count, index)
        }
        Position::Graph { .. } => Err("the position of a game on a graph cannot be specified as text".to_owned()),
    }
}

fn cells(
    words: &[&str],
    count: usize,
    index: impl Fn(u64, usize, &str) -> Result<usize, String>,
) -> Result<Position, String> {
    let picture = words.concat();
    if picture.contains('#') {
        let marks: Vec<char> = picture.chars().collect();
        if marks.len() != count {
            return Err(format!("expected a picture of {count} cells, found a picture of {} cells", marks.len()));
        }
        let occupied = marks.iter().enumerate().filter(|(_, mark)| **mark == '#').map(|(cell, _)| cell);
        return Ok(Position::Cells(occupied.fold(BitSet::empty(count), BitSet::with)));
    }
    let mut occupied = BitSet::empty(count);
    for word in words {
        let number = word.parse().map_err(|_| {
            format!(
                "expected the numbers of the occupied cells, such as `1 2 4`, or a picture with at least one `#`, such as \
                 `##.#`, found `{word}`"
            )
        })?;
        occupied = occupied.with(index(number, count, "cells")?);
    }
    Ok(Position::Cells(occupied))
}

fn every(rules: &BoundRules) -> bool {
    rules.move_rules.iter().any(|move_rule| matches!(move_rule, MoveRule::Take { from: HeapChoice::Every, .. }))
}

/// Truncates a position of heaps or steps to the first five, unless a move takes from every heap, and reduces sizes
/// over 12. Returns positions of other kinds unchanged.
pub fn trim_position(rules: &BoundRules, position: Position) -> Position {
    let smaller = |mut sizes: Vec<u64>| {
        if !every(rules) {
            sizes.truncate(MOST_PARTS - 1);
        }
        sizes.iter().map(|size| if *size > MOST_OBJECTS { 1 + size % MOST_OBJECTS } else { *size }).collect()
    };
    match position {
        Position::Heaps(sizes) => Position::Heaps(smaller(sizes)),
        Position::Row(steps) => Position::Row(smaller(steps)),
        other => other,
    }
}

/// Returns whether the position is small enough for a user and has at least four legal moves.
pub fn easy_to_play(rules: &BoundRules, position: &Position) -> bool {
    let small = match position {
        Position::Heaps(sizes) | Position::Row(sizes) | Position::Stacks { heights: sizes, .. } => {
            sizes.len() <= MOST_PARTS && sizes.iter().all(|size| *size <= 2 * MOST_OBJECTS)
        }
        Position::Tokens(tokens) => tokens.len() <= MOST_PARTS,
        Position::Cells(cells) => cells.count() <= 30,
        Position::Graph { vertices, .. } => vertices.count() <= 16,
        Position::Counter(number) => rules.move_rules.iter().all(|move_rule| match move_rule {
            MoveRule::Add { limit, .. } => limit.saturating_sub(*number) <= 100,
            _ => true,
        }),
    };
    small && rules.moves(position, 4).len() == 4
}
