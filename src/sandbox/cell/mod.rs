//! The cell process: a single-threaded process that starts and supervises the programs of one cell.
//!
//! The cell is a new execution of nimatron's binary, so it inherits no memory from the judge. It communicates with the
//! judge over the socket that is its standard input, and exits when that socket is closed.

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
