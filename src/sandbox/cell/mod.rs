//! The cell process: a single-threaded process that starts and supervises the programs of one cell.
//!
//! The cell is forked by the fork server, which has no memory of the judge later than the judge's start. It communicates
//! with the judge over a socket, and exits when that socket is closed.

mod clone_ns;
mod dir_cleanup;
mod fork_loop;
mod landlock;
mod oom;
mod prestart;
mod pristine;
mod replies;
mod rootfs;
mod seccomp;
mod serve;
mod strict;
mod supervise;
mod usage;
mod wall_clock;

pub(super) use dir_cleanup::{OPEN_DIR, PRIVATE, empty};
pub use fork_loop::cell_main;
pub(super) use fork_loop::run_forked_server;
