//! The integration tests: one binary that runs the real `nimatron`.

mod broken;
mod checkers;
mod endurance;
mod face;
mod foreign;
mod grundy;
mod languages;
mod packages;
mod play;
mod project;
mod sandbox;
mod tidy;
mod verdicts;
mod verify;
