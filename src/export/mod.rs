//! A problem as another judge's package: everything that leaves is first one neutral description, which each format renders
//! into paths and contents without running or writing anything.

mod checker;
mod cms;
mod dmoj;
mod format;
mod fps;
mod html;
mod hydro;
mod icpc;
mod latex;
mod legacy;
mod naming;
mod polygon;
mod program;
mod statement;
mod subject;
mod text;

#[cfg(test)]
mod validator_tests;

pub use format::{Format, Rendered, render};
pub use program::Program;
pub use statement::{Section, Statement};
pub use subject::{Solution, Subject, Tests};
