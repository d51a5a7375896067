//! Formats TeX formulas as readable Unicode text for terminals.

mod parse;
mod render;
mod scripts;
mod symbols;

pub(super) use render::{display, inline};
