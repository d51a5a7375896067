//! Nimatron: an online judge on your own machine.
//!
//! [`service::JudgeService`] judges programs on problems. It prepares a problem, starts runs, and returns the events
//! and the report of each run. This example judges a program on a built-in problem and prints the events:
//!
#![doc = "```"]
#![doc = include_str!("example.rs")]
#![doc = "```"]
//!
//! The modules form layers. The pure core (`judge`, `check`, `games`) makes the decisions; the sandbox and the runner
//! execute programs; the service connects them; front ends such as the command line use the service. `ARCHITECTURE.md`
//! lists the layers: a module uses only modules of lower layers.

#[doc(inline)]
pub use nimatron_check as check;
#[doc(inline)]
pub use nimatron_checktestdata as checktestdata;
#[doc(inline)]
pub use nimatron_database as database;
#[doc(inline)]
pub use nimatron_games as games;
#[doc(inline)]
pub use nimatron_input as input;
#[doc(inline)]
pub use nimatron_lang as lang;
#[doc(inline)]
pub use nimatron_model as model;
#[doc(inline)]
pub use nimatron_mutants as mutants;
#[doc(inline)]
pub use nimatron_package as package;
#[doc(inline)]
pub use nimatron_problem as problem;
#[doc(inline)]
pub use nimatron_report as report;
#[doc(inline)]
pub use nimatron_sandbox as sandbox;
#[doc(inline)]
pub use nimatron_unzip as unzip;
#[doc(inline)]
pub use nimatron_yaml as yaml;

pub mod catalog;
#[cfg(feature = "cli")]
pub mod cli;
pub mod clock;
pub mod data;
pub mod export;
pub mod grade;
pub mod history;
pub mod judge;
pub mod listen;
pub mod play;
pub mod runner;
pub mod service;
pub mod stress;
pub mod verify;
pub mod workers;
