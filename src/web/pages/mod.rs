//! The pages, one file each.

pub(super) mod game;
pub(super) mod games;
mod layout;
pub(super) mod octal;
pub(super) mod problem;
pub(super) mod problems;
pub(super) mod submission;
pub(super) mod submissions;
pub(super) mod theory;

pub(super) use layout::error_page;
