//! Test support: compares closed forms with the exhaustive solver, position by position.

use crate::{BoundRules, Move, Position, Solver};

/// Ranges of heap positions, as (number of heaps, largest size). Most tests use this list.
pub(super) const STANDARD_RANGES: &[(usize, u64)] = &[(0, 0), (1, 200), (2, 127), (3, 40), (4, 15), (5, 8), (6, 5)];
/// Larger ranges, for tests that run on demand.
pub(super) const EXTENDED_RANGES: &[(usize, u64)] = &[(2, 300), (3, 80), (4, 25), (5, 13), (6, 8), (7, 5)];
/// Smaller ranges, for rules with many moves.
pub(super) const SMALL: &[(usize, u64)] = &[(0, 0), (1, 60), (2, 31), (3, 14), (4, 8), (5, 5), (6, 3)];

/// A closed form that returns all winning moves.
type WinningMovesFn = fn(&[u64]) -> Vec<Move>;

/// The solver with which closed forms are compared.
pub(super) struct ClosedFormProof {
    solver: Solver,
}

impl ClosedFormProof {
    pub(super) fn new(rules: BoundRules) -> ClosedFormProof {
        ClosedFormProof { solver: Solver::new(rules, 20_000_000) }
    }

    pub(super) fn positions(&self) -> usize {
        self.solver.positions()
    }

    /// Checks the winner, and all winning moves if `moves` is not `None`, that a closed form returns for each multiset
    /// of heaps in `ranges`.
    pub(super) fn heaps(
        &mut self,
        ranges: &[(usize, u64)],
        wins: impl Fn(&[u64]) -> bool,
        moves: Option<WinningMovesFn>,
    ) {
        for heaps in ranges.iter().flat_map(|(count, most)| multisets(*count, *most)) {
            let position = Position::Heaps(heaps.clone());
            self.check(&position, wins(&heaps), moves.map(|moves| moves(&heaps)));
        }
    }

    /// Checks the results of a closed form on one position.
    pub(super) fn check(&mut self, position: &Position, wins: bool, moves: Option<Vec<Move>>) {
        assert_eq!(self.solver.wins(position).unwrap(), wins, "the winner of {position}");
        let Some(mut moves) = moves else { return };
        let mut truth = self.solver.winning_moves(position).unwrap();
        truth.sort();
        moves.sort();
        assert_eq!(truth, moves, "the winning moves of {position}");
    }
}

/// Returns all non-decreasing lists of `count` numbers up to `most`.
pub(super) fn multisets(count: usize, most: u64) -> Vec<Vec<u64>> {
    let mut all = vec![Vec::new()];
    for _ in 0..count {
        let longer = |list: Vec<u64>| {
            (list.last().copied().unwrap_or(0)..=most).map(move |next| {
                let mut list = list.clone();
                list.push(next);
                list
            })
        };
        all = all.into_iter().flat_map(longer).collect();
    }
    all
}

/// Returns all lists of `count` numbers up to `most`.
pub(super) fn sequences(count: usize, most: u64) -> Vec<Vec<u64>> {
    let mut all = vec![Vec::new()];
    for _ in 0..count {
        let longer = |list: Vec<u64>| {
            (0..=most).map(move |next| {
                let mut list = list.clone();
                list.push(next);
                list
            })
        };
        all = all.into_iter().flat_map(longer).collect();
    }
    all
}
