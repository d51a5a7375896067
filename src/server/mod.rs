//! The server of Nimatron: pages and an API over HTTP, classes, and judging on other machines.
//!
//! The crate `nimatron` does not contain it, so that `nimatron` is built quickly by those who judge on their own machine
//! only. The executable `nimatron-server` has all commands, and `nimatron` executes it for `nimatron serve`, `nimatron
//! worker` and `nimatron grade --cluster`.

// The modules name those of `nimatron` by paths such as `crate::model`.
use nimatron::{
    catalog, cli, clock, database, games, grade, history, input, model, package, play, problem, report, runner,
    sandbox, service, stress, unzip, yaml,
};
#[cfg(feature = "cluster")]
use nimatron::{data, lang};
use nimatron_queue as queue;

pub mod classes;
mod commands;
#[cfg(feature = "cluster")]
pub mod machines;
pub mod people;
pub mod searches;
pub mod submissions;
pub mod web;

pub use commands::COMMANDS;
