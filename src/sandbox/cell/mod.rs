//! The cell process: a single-threaded process that starts and supervises the programs of one cell.
//!
//! The cell executes nimatron's binary anew, so it inherits no memory of the judge. It communicates with the judge over
//! the socket that is its standard input, and exits when that socket is closed.

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

pub(super) use dir_cleanup::{OPEN_DIR, PRIVATE, empty};
pub use serve::cell_main;
