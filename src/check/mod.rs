//! Checkers: bytes in, finding out.
//!
//! Every comparison but the unordered one runs over two streams in bounded memory and reads no more than it needs.
//! Nothing here knows of processes or files.

mod comparer;
mod excerpt;
mod lines;
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

pub use comparer::{Comparer, Finding, Rule};
