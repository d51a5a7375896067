//! `nimatron verify`: everything a setter must know before trusting a problem.

mod check_result;
mod expectation;
mod oracle;
mod package;
mod problem;
mod promise;
mod statement;
pub mod strength;

pub use check_result::{Check, Status};
pub use expectation::{EXPECTATIONS, Expectation};
pub use oracle::{Disagreement, POSITIONS, Proof, prove};
pub use package::verify_package;
pub use problem::{Matrix, Row, verify};
pub use strength::Strength;
