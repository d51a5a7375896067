//! The inside: the tiny single-threaded process that starts and watches the programs of one room.
//!
//! It is our own binary, executed anew (so it inherits nothing of the judge's memory), speaks to the judge over the
//! socket that it gets as standard input, and ends when that socket closes.

mod anew;
mod birth;
mod clean;
mod filter;
mod landlock;
mod meter;
mod patience;
mod root;
mod score;
mod serve;
mod supervise;

pub(super) use clean::{FOLDER, PRIVATE, empty};
pub use serve::cell_main;
