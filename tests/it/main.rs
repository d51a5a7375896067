//! The integration tests: one binary that runs the real `nimatron`.

mod broken;
mod checkers;
mod face;
mod foreign;
mod languages;
mod packages;
mod project;
mod sandbox;
mod tidy;
mod verdicts;
