//! Likeness of programs: what two of them share, whatever they call it and in whatever order it stands. A list for a
//! person to look through; whether anybody copied from anybody it can't know.

mod class;
mod matching;
mod pairs;
mod tokens;
mod winnow;

pub use class::{Finding, Given, Member, Review, csv, json};
pub use matching::{Part, Shared, shared};
pub use pairs::{Alike, Findings, MOST_PAIRS, SHORTEST, compare};
pub use tokens::{Program, Token};
pub use winnow::{RUN, WINDOW};

#[cfg(test)]
#[path = "similarity_tests.rs"]
mod tests;
