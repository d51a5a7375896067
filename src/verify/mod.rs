//! Checks a problem: data, statement, solutions, time limit, and strength of the tests.

mod check_result;
mod determinism;
mod expectation;
mod format;
mod judged_program;
mod margins;
mod matrix;
mod oracle;
mod package;
mod page;
mod problem;
mod problem_to_verify;
mod result_cache;
mod solutions;
mod statement;
mod step;
pub mod strength;

pub use check_result::{Check, Status};
pub use matrix::{Matrix, MatrixCell, MatrixRow};
pub use oracle::{Disagreement, Proof, prove};
pub use page::{Verification, headline, page};
pub use problem::VerifyOptions;
pub use problem_to_verify::ProblemToVerify;
pub use step::Step;
pub use strength::Strength;
