//! The integration tests: one binary that runs the real `nimatron`.

mod broken;
mod endurance;
mod face;
mod foreign;
mod grade;
mod grade_large;
mod grundy;
mod languages;
mod play;
mod project;
mod sandbox;
mod stress;
mod strength;
mod tidy;
mod verdicts;
mod verify;
