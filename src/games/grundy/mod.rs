//! Grundy values: mex, octal games, subtraction sets, splitting games, tokens on a graph, and periods with
//! certificates.

mod dag;
mod heap;
mod mex;
mod octal_code;
mod period;
mod sparse_space;
mod table;
#[cfg(test)]
mod table_tests;

pub use dag::dag_values;
pub use heap::{HeapGame, TableError};
pub use mex::{StampedSet, mex};
pub use octal_code::{OctalCode, OctalCodeError};
pub use period::{Certificate, Period, find_period};
pub use sparse_space::grundys_game;
pub use table::{GrundyTable, TableTooLarge};
