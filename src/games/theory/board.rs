//! Nim on a grid: a move removes a run of adjacent cells from one line.

/// Returns whether the player to move wins on a full grid. This is the case iff no side is 0 and at most one side is
/// even.
///
/// With one even side, the first player takes the whole central line along it; without even sides, the central cell.
/// Every move of the opponent is then answered by its point reflection. With two or more even sides, no line meets its
/// own reflection, so the second player can reflect from the start.
pub fn board_wins(sides: &[u64]) -> bool {
    !sides.contains(&0) && even_sides(sides) <= 1
}

/// Returns whether the player to move wins on a full grid in misère play. The result is the same as in normal play,
/// except that a single cell is lost and an empty grid is won. (This is a pattern and not a theorem. It was checked by
/// search on 37 grids of up to 20 cells; the tests cover grids of up to 12 cells, and of up to 20 on demand.)
pub fn board_misere_wins(sides: &[u64]) -> bool {
    match sides.iter().all(|side| *side == 1) {
        true => false,
        false => sides.contains(&0) || board_wins(sides),
    }
}

fn even_sides(sides: &[u64]) -> usize {
    sides.iter().filter(|side| side.is_multiple_of(2)).count()
}

/// A run of adjacent cells along one side of the grid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardRun {
    /// Coordinates of the first cell, from 0.
    pub start: Vec<u64>,
    /// Index of the side along which the run extends.
    pub side: usize,
    /// Number of cells.
    pub length: u64,
}

impl BoardRun {
    /// Returns the numbers of the run's cells on a grid with these side lengths. The coordinate along the last side
    /// varies fastest.
    pub(crate) fn cells(&self, sides: &[u64]) -> Vec<usize> {
        let cell = |step: u64| {
            let places = self.start.iter().enumerate().map(|(side, at)| at + if side == self.side { step } else { 0 });
            places.zip(sides).fold(0, |cell, (at, side)| cell * side + at) as usize
        };
        (0..self.length).map(cell).collect()
    }
}

/// Returns a winning first move on a full grid, or `None` if there is none. The move removes the central cell, or the
/// central line along the even side.
pub fn board_move(sides: &[u64]) -> Option<BoardRun> {
    if !board_wins(sides) {
        return None;
    }
    let mut start: Vec<u64> = sides.iter().map(|side| side / 2).collect();
    match sides.iter().position(|side| side.is_multiple_of(2)) {
        Some(side) => {
            start[side] = 0;
            Some(BoardRun { start, side, length: sides[side] })
        }
        None => Some(BoardRun { start, side: 0, length: 1 }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AllowedAmounts, BitSet, Board, BoundRules, Move, MoveRule, Position, RemovalRule, Solver};

    fn rules(sides: &[u64]) -> BoundRules {
        let sides = sides.iter().map(|side| *side as usize).collect();
        BoundRules { board: Board::Grid(sides), ..BoundRules::nim() }
            .with(vec![MoveRule::Remove(RemovalRule::Run(AllowedAmounts::Any))])
    }

    fn boards(most: u64) -> Vec<Vec<u64>> {
        let mut all: Vec<Vec<u64>> = (1..=most).map(|side| vec![side]).collect();
        let mut next = 0;
        while let Some(board) = all.get(next).cloned() {
            next += 1;
            let cells: u64 = board.iter().product();
            let smallest = board[board.len() - 1].max(2);
            if board[0] >= 2 && board.len() < 4 {
                all.extend((smallest..=most / cells).map(|side| [board.clone(), vec![side]].concat()));
            }
        }
        all
    }

    fn prove(most: u64) -> usize {
        let boards = boards(most);
        for sides in &boards {
            let cells: u64 = sides.iter().product();
            let full = Position::Cells(BitSet::full(cells as usize));
            let mut solver = Solver::new(rules(sides), 20_000_000);
            assert_eq!(solver.wins(&full).unwrap(), board_wins(sides), "{sides:?}");
            if let Some(run) = board_move(sides) {
                let moves = solver.winning_moves(&full).unwrap();
                assert!(moves.contains(&Move::Cells(run.cells(sides))), "{sides:?} {run:?}");
            }
            let misere = Solver::new(rules(sides).misere(), 20_000_000).wins(&full).unwrap();
            assert_eq!(misere, board_misere_wins(sides), "misère {sides:?}");
        }
        boards.len()
    }

    #[test]
    fn full_boards_are_proved_with_a_first_move() {
        assert!(prove(12) > 20);
    }

    #[test]
    #[ignore = "takes minutes: searches grids of up to 20 cells"]
    fn long_larger_boards_are_proved() {
        assert!(prove(20) >= 37);
    }

    #[test]
    fn a_row_is_a_heap_of_nim() {
        let mut solver = Solver::new(rules(&[14]), 1_000_000);
        for length in 0..=14 {
            let row = (0..length).fold(BitSet::empty(14), BitSet::with);
            assert_eq!(solver.grundy(&Position::Cells(row)).unwrap() as usize, length);
        }
    }
}
