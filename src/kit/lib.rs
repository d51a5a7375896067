//! The kit for setters' programs: generators, validators, checkers and interactors in Rust.
//!
//! It is a crate of its own, `nimatron_kit`, without dependencies, carried by the judge as text and linked to a problem's
//! programs. The judge itself does not use it. It must compile with old compilers: Rust 1.63 and edition 2021.
//!
//! The stream of numbers that a seed gives never changes, nor do the functions that draw from it: test data depends on
//! them. What should be drawn otherwise gets another name.

mod args;
mod complaint;
mod counts;
mod graphs;
mod nim;
mod play;
mod random;
mod reader;
mod text;
mod verdict;

pub use args::Args;
pub use complaint::{Complaint, Whose};
pub use counts::{composition, distinct, partition, permutation};
pub use graphs::{Edges, Tree, dag, relabel, tree};
pub use nim::{mex, nim_sum, piles, piles_with_nim_sum, set_nim_sum};
pub use play::{Case, Talk, checker, generator, interactor, validator};
pub use random::{Int, Random};
pub use reader::Reader;
pub use text::joined;
pub use verdict::{Verdict, accept, again, malformed, partial, wrong};
