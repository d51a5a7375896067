//! Library for problem authors: generators, validators, checkers and interactors in Rust.
//!
//! This is a separate crate, `nimatron_kit`, without dependencies. The judge embeds its source and links it to a
//! problem's programs; the judge itself does not use it. It must compile with Rust 1.63 in edition 2021.
//!
//! The random numbers for a seed, and the results of the functions that use them, must never change, because test data
//! depends on them. A function with different results must have a new name.

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
