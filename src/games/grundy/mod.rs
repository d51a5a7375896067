//! Tables of Grundy values: minimal excludants, octal games, subtraction sets, splitting games, tokens on a graph,
//! and periods with their certificates.

mod dag;
mod heap;
mod mex;
mod octal;
mod period;
mod sparse;
mod table;
#[cfg(test)]
mod tables_tests;

pub use dag::dag_values;
pub use heap::{HeapGame, TableError};
pub use mex::{Stamps, mex};
pub use octal::{Octal, OctalError};
pub use period::{Certificate, Period, find_period};
pub use sparse::grundys_game;
pub use table::{Table, TooFar};
