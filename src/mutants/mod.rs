//! Mutants: copies of a correct program with one small change, to measure whether tests detect the change.
//!
//! [`mutants`] finds them on the syntax tree of a Rust program and edits the text by byte ranges, so that formatting
//! and comments stay. [`with_switches`] builds one program that contains many mutants and selects one at run time, so
//! one compilation is enough. [`with_modules`] does this for mutants that cannot be selected at run time (in constants
//! and patterns).

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
