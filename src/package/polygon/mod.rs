//! Packages of Polygon: `problem.xml`, with checkers, validators and interactors made with testlib.

mod grading;
mod problem_xml;
mod programs;

pub(super) use problem_xml::{is_package, read};
