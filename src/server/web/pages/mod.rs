//! HTML pages, one module for each.

pub(super) mod assignments;
pub(super) mod classes;
pub(super) mod cluster;
pub(super) mod game;
pub(super) mod games;
mod layout;
pub(super) mod octal;
pub(super) mod people;
pub(super) mod problem;
pub(super) mod problems;
pub(super) mod submission;
pub(super) mod submissions;
pub(super) mod theory;

pub(super) use layout::{encoded, error_page};
