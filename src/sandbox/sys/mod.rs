//! The system calls that no safe crate wraps: the only unsafe code of the project.

mod raw;
mod spawn;

pub(super) use raw::{Reaped, own_cpu, process_cpu, reap, reset_signals, send_signal};
pub(super) use spawn::{Launch, spawn, step_name};
