//! Positions and their canonical form.

use super::bit_set::BitSet;
use super::bound_rules::{Board, BoundRules};
use super::cell_lines::{circle_runs, runs};
use std::fmt;

/// A position. Its parts are numbered from 0. In a start position, they have the order of the input.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Position {
    /// The sizes of the heaps.
    Heaps(Vec<u64>),
    /// The number of objects on each step, from the lowest step up.
    Row(Vec<u64>),
    /// The occupied cells.
    Cells(BitSet),
    /// The remaining part of a graph.
    Graph {
        /// The vertices that are left.
        vertices: BitSet,
        /// The edges that were not removed by a move. Their ends may have been removed.
        edges: BitSet,
    },
    /// The vertex of each token.
    Tokens(Vec<usize>),
    /// The current number of a counting game.
    Counter(u64),
    /// Stacks on which tokens are placed first, and from which objects are taken when no token is left.
    Stacks {
        /// The heights of the stacks.
        heights: Vec<u64>,
        /// The number of tokens that are still to be placed.
        tokens: u64,
    },
}

impl BoundRules {
    /// Returns the canonical form of a position. It is equal for positions that differ only in details that do not
    /// affect play: the order of heaps, tokens or stacks, empty heaps that are not part of the position, the places of
    /// runs on a line or circle, and edges with a removed end.
    pub fn canonical(&self, position: Position) -> Position {
        match position {
            Position::Heaps(mut sizes) => {
                if !self.keep_empty {
                    sizes.retain(|size| *size > 0);
                }
                sizes.sort_unstable();
                Position::Heaps(sizes)
            }
            Position::Tokens(mut tokens) => {
                tokens.sort_unstable();
                Position::Tokens(tokens)
            }
            Position::Stacks { mut heights, tokens } => {
                heights.sort_unstable();
                Position::Stacks { heights, tokens }
            }
            Position::Cells(cells) => Position::Cells(self.canonical_cells(cells)),
            Position::Graph { vertices, edges } => self.canonical_graph(vertices, edges),
            Position::Row(_) | Position::Counter(_) => position,
        }
    }

    /// Returns the canonical form of cells. On a line, and on a circle that is not full, only the lengths of the runs
    /// matter, so the runs are placed from the longest to the shortest with one empty cell after each.
    fn canonical_cells(&self, cells: BitSet) -> BitSet {
        let (length, mut runs) = match &self.board {
            Board::Circle(length) if cells.count() < *length => (*length, circle_runs(&cells, *length)),
            Board::Grid(sides) => match sides.as_slice() {
                [length] => (*length, runs(&cells, *length)),
                _ => return cells,
            },
            _ => return cells,
        };
        runs.sort_unstable_by_key(|(_, run)| std::cmp::Reverse(*run));
        let mut laid = BitSet::empty(length);
        let mut place = 0;
        for (_, run) in runs {
            laid = (place..place + run).fold(laid, BitSet::with);
            place += run + 1;
        }
        laid
    }

    /// Returns the position without the edges that have a removed vertex as an endpoint.
    fn canonical_graph(&self, vertices: BitSet, edges: BitSet) -> Position {
        let Board::Graph(graph) = &self.board else { return Position::Graph { vertices, edges } };
        let alive = graph.alive(&vertices, &edges).fold(BitSet::empty(graph.edges.len()), BitSet::with);
        Position::Graph { vertices, edges: alive }
    }

    /// Returns the independent parts of a position: no move changes two of them. Heaps and tokens keep their order;
    /// runs and components are ordered by their first cell or vertex. Returns `None` if the position cannot be split
    /// into parts.
    ///
    /// In normal play with two players, the Grundy value of a position is the nim-sum of the values of its parts
    /// (Sprague 1935, Grundy 1939).
    pub fn parts(&self, position: &Position) -> Option<Vec<Position>> {
        match (position, &self.board) {
            (Position::Heaps(sizes), _) if self.has_independent_heaps() => {
                Some(sizes.iter().map(|size| Position::Heaps(vec![*size])).collect())
            }
            (Position::Tokens(tokens), _) => Some(tokens.iter().map(|place| Position::Tokens(vec![*place])).collect()),
            (Position::Cells(cells), Board::Circle(length)) if cells.count() < *length => {
                let parts = circle_runs(cells, *length);
                Some(parts.into_iter().map(|(start, run)| stretch(start, run, *length)).collect())
            }
            (Position::Cells(cells), Board::Grid(sides)) if sides.len() == 1 => {
                let length = sides[0];
                Some(runs(cells, length).into_iter().map(|(start, run)| stretch(start, run, length)).collect())
            }
            (Position::Graph { vertices, edges }, Board::Graph(graph)) => {
                let parts = graph.components(vertices, edges).into_iter().map(|part| Position::Graph {
                    vertices: part.into_iter().fold(BitSet::empty(graph.vertices), BitSet::with),
                    edges: edges.clone(),
                });
                Some(parts.collect())
            }
            _ => None,
        }
    }
}

impl Position {
    /// Returns the approximate number of 64-bit words that the position occupies.
    pub(super) fn width(&self) -> usize {
        match self {
            Position::Heaps(parts) | Position::Row(parts) | Position::Stacks { heights: parts, .. } => parts.len(),
            Position::Cells(cells) => cells.width(),
            Position::Graph { vertices, edges } => vertices.width() + edges.width(),
            Position::Tokens(tokens) => tokens.len(),
            Position::Counter(_) => 1,
        }
    }
}

/// Returns a position with a single run of occupied cells on a line or circle.
fn stretch(start: usize, run: usize, length: usize) -> Position {
    Position::Cells((start..start + run).map(|cell| cell % length).fold(BitSet::empty(length), BitSet::with))
}

impl fmt::Display for Position {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Position::Heaps(numbers) | Position::Row(numbers) => list(out, numbers.iter()),
            Position::Cells(cells) => list(out, cells.iter().map(|cell| cell + 1)),
            Position::Graph { vertices, edges } => {
                list(out, vertices.iter().map(|vertex| vertex + 1))?;
                let count = edges.count();
                write!(out, " with {count} edge{}", if count == 1 { "" } else { "s" })
            }
            Position::Tokens(tokens) => list(out, tokens.iter().map(|vertex| vertex + 1)),
            Position::Counter(number) => write!(out, "{number}"),
            Position::Stacks { heights, tokens } => {
                list(out, heights.iter())?;
                if *tokens > 0 { write!(out, " and {tokens} to place") } else { Ok(()) }
            }
        }
    }
}

fn list<T: fmt::Display>(out: &mut fmt::Formatter<'_>, items: impl Iterator<Item = T>) -> fmt::Result {
    out.write_str("(")?;
    for (index, item) in items.enumerate() {
        write!(out, "{}{item}", if index > 0 { " " } else { "" })?;
    }
    out.write_str(")")
}
