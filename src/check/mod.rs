//! The built-in checkers, which compare an output with the answer.
//!
//! Except for the unordered comparison, they compare two streams in bounded memory and stop reading when the verdict is
//! certain. They use neither processes nor files.

use nimatron_model as model;

mod comparer;
mod excerpt;
mod lines;
mod notation;
mod number;
mod pair;
mod scan;
mod stable_key;
mod tokens;
mod unordered;
mod window;

#[cfg(test)]
mod naive;
#[cfg(test)]
mod tests;

pub use comparer::{Comparer, ComparisonResult, ComparisonRule};
pub use notation::{CHECKER_NAMES, NotationError};
