//! Bare folders of tests. Inputs and answers are paired by their names, and the guess is reported to the user.

mod names;
mod read;

pub(super) use read::{is_package, read};
