//! The HTML report: an overview, and a page for each problem and each student, without scripts.

mod chart;
mod groups;
mod index;
mod pages;
mod problem;
mod similarity;
mod statistics;
mod student;
mod style;
mod write;

pub use write::{GradeReport, file_name};
