//! Nimatron: an online judge on your own machine.
//!
//! The house has one idea: **decide, do, tell**. A pure core decides, an executor does, a reporter tells.
//! `ARCHITECTURE.md` has the layers; a module uses only modules of the layers below its own.

pub mod check;
pub mod data;
pub mod export;
pub mod games;
pub mod grade;
pub mod input;
pub mod judge;
pub mod lang;
pub mod model;
pub mod mutants;
pub mod package;
pub mod play;
pub mod problem;
pub mod report;
pub mod runner;
pub mod sandbox;
pub mod stress;
pub mod unzip;
pub mod verify;
pub mod yaml;

/// The kit for setters' programs is a crate of its own, carried as text by `lang`; it is here for its tests alone.
#[cfg(test)]
#[path = "../kit/lib.rs"]
pub mod kit;
