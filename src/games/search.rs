//! The search itself: one depth-first walk over a game, for any evaluator of its positions.
//!
//! The walk keeps its own stack, so that a game of a million moves needs memory and not the thread's stack.

use super::bound_rules::BoundRules;
use super::moves::Move;
use super::position::Position;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::ControlFlow;

/// Why a search did not end with a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// More positions than allowed.
    #[error("the search needs more than the {allowed} positions allowed")]
    Positions {
        /// The budget.
        allowed: usize,
    },
    /// More moves than allowed from one position.
    #[error("one position has more than the {allowed} moves allowed")]
    Moves {
        /// The budget.
        allowed: usize,
    },
}

/// What is to be known of each position, worked out from the positions its moves lead to.
pub(super) trait Evaluator {
    /// What is known.
    type Value: Clone;
    /// What has been gathered from some of the moves.
    type Accumulator;

    /// Before the first move is looked at.
    fn start(&self) -> Self::Accumulator;
    /// One more move; answers whether the other moves can change nothing.
    fn add_move(&self, part: &mut Self::Accumulator, taken: u64, after: &Self::Value) -> bool;
    /// The value, when all moves that matter are gathered.
    fn finish(&self, part: Self::Accumulator) -> Self::Value;
}

/// A hash for canonical positions: multiply and rotate. They come from our own enumeration, not from an attacker.
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

/// What is known so far.
pub(super) type SolverMemo<V> = HashMap<Position, V, BuildHasherDefault<PositionHasher>>;

/// A position whose moves are being looked at.
struct SearchFrame<P> {
    position: Position,
    moves: Vec<(u64, Position)>,
    next: usize,
    part: P,
}

/// The value of a canonical position, with all values found on the way kept in `memo`.
///
/// # Errors
/// When `memo` would hold more than `budget` positions, or a position has more than `budget` moves.
pub(super) fn search<M: Evaluator>(
    rules: &BoundRules,
    evaluator: &M,
    memo: &mut SolverMemo<M::Value>,
    budget: usize,
    root: &Position,
) -> Result<M::Value, SolveError> {
    if let Some(value) = memo.get(root) {
        return Ok(value.clone());
    }
    let mut stack = vec![open(rules, evaluator, budget, root.clone())?];
    loop {
        let depth = stack.len();
        let Some(frame) = stack.last_mut() else { return Err(SolveError::Positions { allowed: budget }) };
        let waits = advance(evaluator, memo, frame);
        if let Some(position) = waits {
            // Open positions count as well: rules with a cycle would open them for ever.
            if memo.len() + depth >= budget {
                return Err(SolveError::Positions { allowed: budget });
            }
            stack.push(open(rules, evaluator, budget, position)?);
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

/// Gathers known values; answers the first position whose value is needed and not known.
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
    budget: usize,
    position: Position,
) -> Result<SearchFrame<M::Accumulator>, SolveError> {
    let mut moves = Vec::new();
    each_step(rules, &position, budget, &mut |step, next| {
        // What is done to one of two equal heaps can be done to the other: of a canonical position these are neighbours.
        if !touches_a_twin(&step, &position) {
            moves.push((step.taken(), rules.canonical(next)));
        }
    })?;
    Ok(SearchFrame { position, moves, next: 0, part: evaluator.start() })
}

/// Whether a move touches only a heap that is as large as the one before it.
fn touches_a_twin(step: &Move, position: &Position) -> bool {
    let (Position::Heaps(sizes), Move::Take { heap, .. } | Move::Split { heap, .. }) = (position, step) else {
        return false;
    };
    *heap > 0 && sizes[*heap] == sizes[*heap - 1]
}

/// The moves of a position with the canonical positions they lead to.
pub(super) fn canonical_moves(
    rules: &BoundRules,
    position: &Position,
    budget: usize,
) -> Result<Vec<(Move, Position)>, SolveError> {
    let mut moves = Vec::new();
    each_step(rules, position, budget, &mut |step, next| moves.push((step, rules.canonical(next))))?;
    Ok(moves)
}

/// Tells every move, and the position after it as it is written.
///
/// # Errors
/// When there are too many.
fn each_step(
    rules: &BoundRules,
    position: &Position,
    budget: usize,
    visit: &mut dyn FnMut(Move, Position),
) -> Result<(), SolveError> {
    // A wide position is as heavy as several narrow ones: the budget is for narrow ones.
    let most = budget / (position.width() / 16).max(1);
    let mut told = 0;
    let flow = rules.each_move(position, &mut |step, next| {
        if told >= most {
            return ControlFlow::Break(());
        }
        told += 1;
        visit(step, next);
        ControlFlow::Continue(())
    });
    if flow.is_break() { Err(SolveError::Moves { allowed: budget }) } else { Ok(()) }
}
