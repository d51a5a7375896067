//! Measures the strength of tests by the share of mutants of the reference solution that they kill.
//!
//! Each mutant changes the reference in one small place ([`crate::mutants`]). Mutants are built in bulk ([`build`]) and
//! run on the tests. For each surviving mutant, the module searches for an input that kills it. A mutant without such
//! an input is probably equivalent to the reference, and is counted separately.

pub mod build;
mod field;
mod hunt;
mod kill;
mod measure;
mod reach;
mod report;

pub use measure::Strength;
pub(super) use measure::check;
