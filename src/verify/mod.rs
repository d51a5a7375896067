//! `nimatron verify`: everything a setter must know before trusting a problem.

mod check_result;
mod expectation;
mod oracle;
mod problem;
mod statement;
pub mod strength;

pub use check_result::{Check, Status};
pub use expectation::{EXPECTATIONS, Expectation};
pub use oracle::{Disagreement, POSITIONS, Proof, prove};
pub use problem::{Matrix, Row, verify};
pub use strength::Strength;
