//! Packages of Polygon: `problem.xml`, with checkers, validators and interactors made with testlib.

mod grading;
mod programs;
mod read;

pub(super) use read::{is_package, read};
