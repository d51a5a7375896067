//! Mutants: copies of a correct program with one small change, to measure whether tests detect the change.
//!
//! [`mutants`] finds the mutants in the syntax tree of a program. Each mutant replaces a byte range of the text, so
//! that formatting and comments stay unchanged. [`combine`] builds one program that contains many mutants and selects
//! one of them at run time, so that one compilation is enough. [`combine_copies`] builds a program from whole copies,
//! for changes that a switch inside the code cannot select, such as changes to constants and patterns.
//!
//! Programs in Rust are parsed by `syn`. Programs in other languages are parsed by this module, which recognizes only
//! the syntax that is relevant to mutants.

use nimatron_lang as lang;
use nimatron_model as model;

mod class_copies;
mod combine;
mod combined_program;
mod drop_code;
mod find;
mod function_copies;
mod language;
mod modules;
mod mutant;
mod operators;
mod patches;
mod replace;
mod switches;
mod ternary_switches;
mod tree;
mod tree_finder;
mod tree_operators;
mod tree_replace;

#[cfg(test)]
mod hostile_texts;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod tree_properties;

pub use combine::{combine, combine_copies, copies_per_program};
pub use combined_program::CombinedProgram;
pub use find::{MutateError, mutants};
pub use language::MutantLanguage;
pub use mutant::{Mutant, MutationOperator, SwitchForm, SwitchSite};
pub use patches::CHECK;
