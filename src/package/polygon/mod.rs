//! Polygon packages: `problem.xml`, with checkers, validators and interactors that use testlib.

mod grading;
mod problem_xml;
mod programs;

pub(super) use problem_xml::{is_package, read};
