//! Mutants: programs that differ from a right one in one small place, to see whether tests notice.
//!
//! [`mutants`] finds them on the syntax tree of a Rust program and changes the text by byte spans, so that formatting and
//! comments stay. [`with_switches`] puts many into one program that decides when it runs which of them it is, so that one
//! compilation builds them all; [`with_modules`] does it for those that can't be decided so late (constants, patterns).

mod combined_program;
mod drop_code;
mod find;
mod modules;
mod mutant;
mod operators;
mod replace;
mod switches;

#[cfg(test)]
mod properties;

pub use combined_program::CombinedProgram;
pub use find::{MutateError, mutants};
pub use modules::with_modules;
pub use mutant::{Mutant, MutationOperator, SwitchSite};
pub use switches::with_switches;
