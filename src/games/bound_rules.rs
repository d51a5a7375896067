//! Rules with an input's values put in: what a search or a player needs.

use super::graph::{Dag, Graph};
use super::position::Position;
use super::rules::{Choice, Kind, LastMover, Payoff};

/// A bound game: its laws and the position it starts from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    /// What may be done.
    pub laws: Laws,
    /// Where it begins.
    pub start: Position,
}

/// Bound rules. Two inputs with equal laws can share one [`Solver`](super::Solver).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Laws {
    /// What the pieces stand on.
    pub arena: Arena,
    /// The kinds of moves.
    pub kinds: Vec<Kind<u64, Vec<u64>>>,
    /// Who wins at the end.
    pub last_mover: LastMover,
    /// How many players take turns.
    pub players: u32,
    /// What they play for.
    pub payoff: Payoff,
    /// Whether empty heaps make a difference.
    pub keep_empty: bool,
    /// How many tokens a turn places on one stack, as long as there are tokens.
    pub place: u64,
}

/// What the pieces of a game stand on; it does not change while the game is played.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Arena {
    /// Nothing in particular.
    Table,
    /// A board with sides of these lengths, the last one running fastest.
    Board(Vec<usize>),
    /// A circle of this many cells.
    Circle(usize),
    /// A graph that is taken apart.
    Graph(Graph),
    /// A graph that tokens walk on.
    Dag(Dag),
}

impl Game {
    /// A game that is the same but for the names of its cells, and shared by more boards than it was: the axes of a full
    /// board have no order, and no move runs along a side of one.
    #[must_use]
    pub fn plain(mut self) -> Game {
        let Position::Cells(cells) = &self.start else { return self };
        let Arena::Board(sides) = &mut self.laws.arena else { return self };
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

impl Laws {
    /// Nim's laws, the ground that other laws on heaps are made from.
    pub fn nim() -> Laws {
        Laws {
            arena: Arena::Table,
            kinds: vec![Kind::Take { amount: super::Taking::Any, from: Choice::One, same: false }],
            last_mover: LastMover::Wins,
            players: 2,
            payoff: Payoff::Outcome,
            keep_empty: false,
            place: 1,
        }
    }

    /// The same laws in misère play.
    #[must_use]
    pub fn misere(mut self) -> Laws {
        self.last_mover = LastMover::Loses;
        self
    }

    /// The same laws with these kinds of moves.
    #[must_use]
    pub fn with(mut self, kinds: Vec<Kind<u64, Vec<u64>>>) -> Laws {
        self.keep_empty |= kinds.iter().any(|kind| matches!(kind, Kind::Take { from: Choice::Every, .. }));
        self.kinds = kinds;
        self
    }

    /// Whether every move touches one heap and is not restricted by the others.
    pub fn heaps_are_apart(&self) -> bool {
        !self.keep_empty
            && self.kinds.iter().all(|kind| match kind {
                Kind::Take { from, .. } => matches!(from, Choice::One | Choice::UpTo(1)),
                Kind::Split { .. } | Kind::Octal(_) => true,
                _ => false,
            })
    }
}

#[cfg(test)]
mod tests {
    use super::super::bits::Bits;
    use super::super::rules::{Removal, Taking};
    use super::super::solve::Solver;
    use super::*;

    fn full(sides: &[usize]) -> Game {
        let laws = Laws { arena: Arena::Board(sides.to_vec()), ..Laws::nim() };
        let laws = laws.with(vec![Kind::Remove(Removal::Run(Taking::UpTo(2)))]);
        Game { laws, start: Position::Cells(Bits::full(sides.iter().product())) }
    }

    #[test]
    fn a_plain_board_is_the_same_game() {
        for sides in [&[3, 2][..], &[1, 3, 1, 2], &[2, 1, 2, 2], &[1, 1], &[5, 1]] {
            let (written, plain) = (full(sides), full(sides).plain());
            let value = |game: &Game| {
                let mut solver = Solver::new(game.laws.clone(), 100_000);
                (solver.grundy(&game.start), solver.winning_moves(&game.start).map(|moves| moves.len()))
            };
            assert_eq!(value(&written), value(&plain), "{sides:?}");
        }
        assert_eq!(full(&[3, 1, 2]).plain(), full(&[2, 3]));
        assert_eq!(full(&[1, 1]).plain(), full(&[1]));
        let Position::Cells(cells) = full(&[3, 2]).start else { return };
        let part = Game { start: Position::Cells(cells.without(0)), ..full(&[3, 2]) };
        assert_eq!(part.clone().plain(), part, "a board with gaps keeps its cells' names");
    }
}
