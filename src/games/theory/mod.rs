//! Closed forms that determine the winner and the winning moves of a position.
//!
//! The documentation of each function names the source of its theorem, or states that the result is a pattern and in
//! which range it was checked. The tests compare each function with the exhaustive [`Solver`](super::Solver).
//!
//! Heap sizes are `u64`. Sums and products that could overflow are computed in `u128`. Heaps, steps and cells are
//! numbered from 0. "Wins" means that the player to move wins. Moves are listed in the order of the heaps.

mod board;
mod building;
mod candy;
mod circular;
#[cfg(test)]
mod closed_form_proof;
mod counting;
mod graph;
mod greedy;
pub mod grundys_game;
mod moore;
mod multiplayer;
mod nim;
mod split;
mod staircase;
mod subtraction;
mod sums;
mod theorem;
mod wythoff;

pub use board::{BoardRun, board_misere_wins, board_move, board_wins};
pub use building::{building_misere_wins, building_wins};
pub use candy::candy_margin;
pub use circular::{circle_misere_wins, circle_value, circle_wins, row_values};
pub use counting::{counting_multiplayer_step, counting_place, counting_step, counting_wins};
pub use graph::{complete_value, cycle_value, kayles_value, path_value, star_value};
pub use greedy::{GreedyTargets, greedy_misere_move, greedy_misere_wins, greedy_move, greedy_targets, greedy_wins};
pub use moore::{bounded_moore_wins, moore_misere_move, moore_misere_wins, moore_move, moore_wins};
pub use multiplayer::{multiplayer_first_moves, multiplayer_is_last, multiplayer_place, nim3_letter};
pub use nim::{misere_nim_moves, misere_nim_wins, nim_moves, nim_sum, nim_wins};
pub use split::{split_nim_move, split_nim_value, split_nim_wins};
pub use staircase::{staircase_moves, staircase_wins};
pub use subtraction::{bounded_misere_move, bounded_misere_wins, bounded_moves, bounded_value, bounded_wins};
pub use sums::{sum_winning_values, sum_wins};
pub use theorem::Theorem;
pub use wythoff::{equal_nim_wins, wythoff_misere_wins, wythoff_moves, wythoff_partner, wythoff_smaller, wythoff_wins};
