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
