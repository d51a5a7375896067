//! Mutants: programs that differ from a right one in one small place, to see whether tests notice.
//!
//! [`mutants`] finds them on the syntax tree of a Rust program and changes the text by byte spans, so that formatting and
//! comments stay. [`switched`] puts many into one program that decides when it runs which of them it is, so that one
//! compilation builds them all; [`side_by_side`] does it for those that can't be decided so late (constants, patterns).

mod drop_code;
mod find;
mod modules;
mod mutant;
mod operators;
mod replace;
mod switch;
mod together;

#[cfg(test)]
mod laws;

pub use find::{NotRust, mutants};
pub use modules::side_by_side;
pub use mutant::{Mutant, Operator, Site};
pub use switch::switched;
pub use together::Together;
