//! `nimatron verify`: everything a setter must know before trusting a problem.

mod check_result;
mod expectation;
mod problem;
mod statement;
pub mod strength;

pub use check_result::{Check, Status};
pub use expectation::{EXPECTATIONS, Expectation};
pub use problem::{Matrix, Row, verify};
pub use strength::Strength;
