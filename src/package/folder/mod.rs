//! A bare folder of tests: which files belong together is guessed by their names, and the guess is told.

mod names;
mod read;

pub(super) use read::{is_package, read};
