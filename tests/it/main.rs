//! The integration tests: one binary that runs the real `nimatron`.

mod broken;
mod checkers;
mod endurance;
mod export;
mod face;
mod foreign;
mod grade;
mod grade_large;
mod grundy;
mod interactive;
mod languages;
mod moves;
mod packages;
mod packages_fuzz;
mod packages_plain;
mod play;
mod project;
mod sandbox;
mod strength;
mod stress;
mod tidy;
mod verdicts;
mod verify;
