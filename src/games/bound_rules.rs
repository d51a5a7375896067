//! Rules whose numbers are bound to the values of an input. The solver and the perfect player use bound rules.

use super::graph::{Dag, Graph};
use super::position::Position;
use super::rules_spec::{BoundMoveRule, HeapChoice, LastMover, MoveRule, Payoff};

/// A game: bound rules and a start position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    /// The bound rules.
    pub rules: BoundRules,
    /// The start position.
    pub start: Position,
}

/// Rules bound to an input. Inputs with equal rules can share one [`Solver`](super::Solver).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct BoundRules {
    /// The board of the game; [`Board::None`] for heaps, rows, stacks and counters.
    pub board: Board,
    /// The kinds of moves that a player may make.
    pub move_rules: Vec<BoundMoveRule>,
    /// Whether the last mover wins or loses.
    pub last_mover: LastMover,
    /// The number of players, 2 to 64.
    pub players: u32,
    /// The objective of the players.
    pub payoff: Payoff,
    /// Whether empty heaps are part of the position. This is always the case if a move must take from every heap.
    pub keep_empty: bool,
    /// The number of tokens that a move places on one stack while there are tokens to place.
    pub place: u64,
}

/// The board of a game. It does not change during play.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Board {
    /// No board, as for heaps, rows, stacks and counters.
    None,
    /// A grid with these side lengths. Cells are numbered row by row: the coordinate along the last side varies
    /// fastest.
    Grid(Vec<usize>),
    /// A circle with this number of cells.
    Circle(usize),
    /// An undirected graph whose vertices or edges are removed.
    Graph(Graph),
    /// A directed acyclic graph along whose edges tokens move.
    Dag(Dag),
}

impl Game {
    /// Returns the game with a full grid normalized: its sides are sorted, and sides of length 1 are dropped (all but
    /// one if every side has length 1). Other games are returned unchanged.
    ///
    /// The axes of a full grid have no order, and no move runs along a side of length 1, so the game stays the same up
    /// to the numbering of its cells. Boards of different shapes can then share a solver.
    #[must_use]
    pub fn normalized(mut self) -> Game {
        let Position::Cells(cells) = &self.start else { return self };
        let Board::Grid(sides) = &mut self.rules.board else { return self };
        if cells.count() == sides.iter().product::<usize>() {
            sides.retain(|side| *side > 1);
            sides.sort_unstable();
            if sides.is_empty() {
                sides.push(1);
            }
        }
        self
    }
}

impl BoundRules {
    /// Returns the rules of Nim in normal play.
    pub fn nim() -> BoundRules {
        BoundRules {
            board: Board::None,
            move_rules: vec![MoveRule::Take { amount: super::AllowedAmounts::Any, from: HeapChoice::One, same: false }],
            last_mover: LastMover::Wins,
            players: 2,
            payoff: Payoff::Outcome,
            keep_empty: false,
            place: 1,
        }
    }

    /// Returns the rules with misère play: the last mover loses.
    #[must_use]
    pub fn misere(mut self) -> BoundRules {
        self.last_mover = LastMover::Loses;
        self
    }

    /// Returns the rules with `move_rules` as the kinds of moves.
    #[must_use]
    pub fn with(mut self, move_rules: Vec<BoundMoveRule>) -> BoundRules {
        self.keep_empty |=
            move_rules.iter().any(|move_rule| matches!(move_rule, MoveRule::Take { from: HeapChoice::Every, .. }));
        self.move_rules = move_rules;
        self
    }

    /// Returns true if every move changes a single heap and does not depend on the other heaps, and empty heaps are not
    /// part of the position.
    pub fn has_independent_heaps(&self) -> bool {
        !self.keep_empty
            && self.move_rules.iter().all(|move_rule| match move_rule {
                MoveRule::Take { from, .. } => matches!(from, HeapChoice::One | HeapChoice::UpTo(1)),
                MoveRule::Split { .. } | MoveRule::Octal(_) => true,
                _ => false,
            })
    }
}

#[cfg(test)]
mod tests {
    use super::super::bit_set::BitSet;
    use super::super::rules_spec::{AllowedAmounts, RemovalRule};
    use super::super::solver::Solver;
    use super::*;

    fn full(sides: &[usize]) -> Game {
        let rules = BoundRules { board: Board::Grid(sides.to_vec()), ..BoundRules::nim() };
        let rules = rules.with(vec![MoveRule::Remove(RemovalRule::Run(AllowedAmounts::UpTo(2)))]);
        Game { rules, start: Position::Cells(BitSet::full(sides.iter().product())) }
    }

    #[test]
    fn normalizing_a_board_keeps_its_values() {
        for sides in [&[3, 2][..], &[1, 3, 1, 2], &[2, 1, 2, 2], &[1, 1], &[5, 1]] {
            let (written, plain) = (full(sides), full(sides).normalized());
            let value = |game: &Game| {
                let mut solver = Solver::new(game.rules.clone(), 100_000);
                (solver.grundy(&game.start), solver.winning_moves(&game.start).map(|moves| moves.len()))
            };
            assert_eq!(value(&written), value(&plain), "{sides:?}");
        }
        assert_eq!(full(&[3, 1, 2]).normalized(), full(&[2, 3]));
        assert_eq!(full(&[1, 1]).normalized(), full(&[1]));
        let Position::Cells(cells) = full(&[3, 2]).start else { return };
        let part = Game { start: Position::Cells(cells.without(0)), ..full(&[3, 2]) };
        assert_eq!(part.clone().normalized(), part, "the cells of a board with gaps keep their numbers");
    }
}
