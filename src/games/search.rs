//! Depth-first search over all reachable positions, generic over the value that is computed for a position.
//!
//! The search has an explicit stack, so the length of a game is limited by memory and not by the thread's stack.

use super::bound_rules::BoundRules;
use super::moves::{Move, MoveVisitor};
use super::position::Position;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::ControlFlow;

/// The reason why a search ended without a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// The search would store more positions than its budget allows.
    #[error("the search exceeds the limit of {allowed} positions")]
    Positions {
        /// The budget in positions.
        allowed: usize,
    },
    /// A position has more moves than the budget allows.
    #[error("a position has more than {allowed} legal moves, which is the limit of the search")]
    Moves {
        /// The maximum number of moves of this position.
        allowed: usize,
    },
    /// The total size of the enumerated moves exceeds the limit.
    #[error("the total size of the moves enumerated by the search exceeds the limit of {allowed} 64-bit words")]
    Work {
        /// The limit in 64-bit words.
        allowed: u64,
    },
}

/// The computation of the value of a position from the values of the positions to which its moves lead.
pub(super) trait Evaluator {
    /// The value of a position.
    type Value: Clone;
    /// The intermediate result while the moves of a position are processed.
    type Accumulator;

    /// Returns the intermediate result before the first move is added.
    fn start(&self) -> Self::Accumulator;
    /// Adds a move that takes `taken` objects and leads to a position with the value `after`. Returns true if further
    /// moves cannot change the result.
    fn add_move(&self, part: &mut Self::Accumulator, taken: u64, after: &Self::Value) -> bool;
    /// Returns the value of the position after its moves were added.
    fn finish(&self, part: Self::Accumulator) -> Self::Value;
}

/// A fast hasher for canonical positions that rotates, xors and multiplies words. Positions come from the enumeration
/// of moves and not from an attacker, so the hash need not resist attacks.
#[derive(Default)]
pub(super) struct PositionHasher(u64);

impl Hasher for PositionHasher {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 29)
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }
}

/// The values of the positions that were solved so far.
pub(super) type SolverMemo<V> = HashMap<Position, V, BuildHasherDefault<PositionHasher>>;

/// The limits of a search.
#[derive(Debug, Clone, Copy)]
pub(super) struct SearchBounds {
    /// Maximum number of positions that are stored, and of moves of one position.
    pub(super) positions: usize,
    /// Maximum total size of the enumerated moves in 64-bit words, over all searches with these bounds. It limits the
    /// running time, and the memory used by positions whose moves are being processed.
    pub(super) work: u64,
    /// Total size of the moves enumerated so far, in 64-bit words.
    pub(super) worked: u64,
}

impl SearchBounds {
    /// Adds the size of `moves` moves that lead to positions of `width` words. Returns an error if the total exceeds
    /// the limit.
    fn add(&mut self, moves: usize, width: usize) -> Result<(), SolveError> {
        self.worked = self.worked.saturating_add(moves as u64 * (width as u64 + 1));
        if self.worked > self.work { Err(SolveError::Work { allowed: self.work }) } else { Ok(()) }
    }
}

/// A position whose moves are being processed.
struct SearchFrame<P> {
    position: Position,
    moves: Vec<(u64, Position)>,
    next: usize,
    part: P,
}

/// Returns the value of the canonical position `root`. The values of all positions that are solved during the search
/// are stored in `memo`.
///
/// # Errors
/// Fails if `memo` and the stack together would exceed the allowed number of positions, if a position has too many
/// moves, or if the moves of all positions exceed the allowed work.
pub(super) fn search<M: Evaluator>(
    rules: &BoundRules,
    evaluator: &M,
    memo: &mut SolverMemo<M::Value>,
    bounds: &mut SearchBounds,
    root: &Position,
) -> Result<M::Value, SolveError> {
    let budget = bounds.positions;
    if let Some(value) = memo.get(root) {
        return Ok(value.clone());
    }
    let mut stack = vec![open(rules, evaluator, bounds, root.clone())?];
    loop {
        let depth = stack.len();
        let Some(frame) = stack.last_mut() else { return Err(SolveError::Positions { allowed: budget }) };
        let waits = advance(evaluator, memo, frame);
        if let Some(position) = waits {
            // Positions on the stack count too. Otherwise rules with a cycle would make the stack grow without bound.
            if memo.len() + depth >= budget {
                return Err(SolveError::Positions { allowed: budget });
            }
            stack.push(open(rules, evaluator, bounds, position)?);
            continue;
        }
        let Some(done) = stack.pop() else { return Err(SolveError::Positions { allowed: budget }) };
        let value = evaluator.finish(done.part);
        memo.insert(done.position, value.clone());
        if stack.is_empty() {
            return Ok(value);
        }
    }
}

/// Processes the moves of the frame as long as the values of the positions after them are known. Returns the first
/// position whose value is needed but not known, or `None` if the frame is complete.
fn advance<M: Evaluator>(
    evaluator: &M,
    memo: &SolverMemo<M::Value>,
    frame: &mut SearchFrame<M::Accumulator>,
) -> Option<Position> {
    while let Some((taken, position)) = frame.moves.get(frame.next) {
        let Some(value) = memo.get(position) else { return Some(position.clone()) };
        frame.next += 1;
        if evaluator.add_move(&mut frame.part, *taken, value) {
            return None;
        }
    }
    None
}

fn open<M: Evaluator>(
    rules: &BoundRules,
    evaluator: &M,
    bounds: &mut SearchBounds,
    position: Position,
) -> Result<SearchFrame<M::Accumulator>, SolveError> {
    let mut moves = Vec::new();
    each_step(rules, &position, bounds.positions, &mut |step, next| {
        // Equal heaps are adjacent in a canonical position, and moves on them lead to equal positions. Only moves on
        // the first of them are needed.
        if !touches_a_twin(&step, &position) {
            moves.push((step.taken(), rules.canonical(next)));
        }
        ControlFlow::Continue(())
    })?;
    bounds.add(moves.len(), position.width())?;
    Ok(SearchFrame { position, moves, next: 0, part: evaluator.start() })
}

/// Returns true if the move changes only one heap and this heap has the same size as the preceding heap.
fn touches_a_twin(step: &Move, position: &Position) -> bool {
    let (Position::Heaps(sizes), Move::Take { heap, .. } | Move::Split { heap, .. }) = (position, step) else {
        return false;
    };
    *heap > 0 && sizes[*heap] == sizes[*heap - 1]
}

/// Returns the moves of a position, each with the canonical position after it.
pub(super) fn canonical_moves(
    rules: &BoundRules,
    position: &Position,
    budget: usize,
) -> Result<Vec<(Move, Position)>, SolveError> {
    let mut moves = Vec::new();
    each_step(rules, position, budget, &mut |step, next| {
        moves.push((step, rules.canonical(next)));
        ControlFlow::Continue(())
    })?;
    Ok(moves)
}

/// Calls `visit` with each move and the position after it, which need not be canonical, until `visit` returns `Break`.
///
/// # Errors
/// Fails if more moves are visited than the budget allows for a position of this size.
pub(super) fn each_step(
    rules: &BoundRules,
    position: &Position,
    budget: usize,
    visit: MoveVisitor<'_>,
) -> Result<(), SolveError> {
    // The full budget applies to positions of fewer than 32 words. Larger positions need more memory, so fewer moves
    // are allowed.
    let most = budget / (position.width() / 16).max(1);
    let mut told = 0;
    let mut visited = Ok(());
    // `Break` is an error only if the budget is exceeded.
    let _ = rules.each_move(position, &mut |step, next| {
        if told >= most {
            visited = Err(SolveError::Moves { allowed: most });
            return ControlFlow::Break(());
        }
        told += 1;
        visit(step, next)
    });
    visited
}
