//! The strength of a problem's tests: how many mutants of the reference they kill.
//!
//! The reference is changed in one small place at a time ([`crate::mutants`]), the mutants are built in bulk ([`build`])
//! and run against the tests. For each that no test kills an input is looked for that would. A mutant for which none is
//! found is probably equivalent to the reference, and counted apart.

pub mod build;
mod field;
mod hunt;
mod kill;
mod measure;
mod reach;
mod report;

pub use measure::Strength;
pub(super) use measure::check;
