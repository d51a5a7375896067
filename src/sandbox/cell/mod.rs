//! The inside: the tiny single-threaded process that starts and watches the programs of one room.
//!
//! It is our own binary, executed anew (so it inherits nothing of the judge's memory), speaks to the judge over the
//! socket that it gets as standard input, and ends when that socket closes.

mod clone_ns;
mod dir_cleanup;
mod landlock;
mod oom;
mod rootfs;
mod seccomp;
mod serve;
mod strict;
mod supervise;
mod usage;
mod wall_clock;

pub(super) use dir_cleanup::{FOLDER, PRIVATE, empty};
pub use serve::cell_main;
