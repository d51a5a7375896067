//! The integration tests: one binary that runs the real `nimatron`.

mod broken;
mod face;
mod foreign;
mod languages;
mod project;
mod sandbox;
mod strength;
mod tidy;
mod verdicts;
