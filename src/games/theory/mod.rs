//! The closed forms: who wins, by which moves, and why it is known.
//!
//! Every function says whose theorem it is, or that it is a pattern and how far it has been checked. The tests beside
//! them compare each with the exhaustive [`Solver`](super::Solver).
//!
//! Heaps are `u64`; where a sum or product could leave that range the arithmetic is done in `u128`. Heaps, steps and
//! cells count from 0. "Wins" means: the player to move wins. Moves come in the order of heaps.

mod nim;
#[cfg(test)]
mod proof;
mod split;
mod staircase;
mod subtraction;
mod sums;

pub use nim::{misere_nim_moves, misere_nim_wins, nim_moves, nim_sum, nim_wins};
pub use split::{split_nim_move, split_nim_value, split_nim_wins};
pub use staircase::{staircase_moves, staircase_wins};
pub use subtraction::{bounded_misere_wins, bounded_moves, bounded_value, bounded_wins};
pub use sums::{sum_winning_values, sum_wins};
