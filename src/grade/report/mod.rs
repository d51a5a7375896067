//! The static report: an overview, a page for each problem, a page for each student. Plain HTML without scripts.

mod chart;
mod index;
mod pages;
mod problem;
mod similarity;
mod statistics;
mod student;
mod style;
mod write;

pub use write::{Report, file_name};
