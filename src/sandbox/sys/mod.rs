//! System calls that no safe crate wraps. This is the only unsafe code of the project.

mod raw;
mod spawn;

pub(super) use raw::{
    Counted, Event, MountChange, Reaped, change_mounts, forgo_privileges, fork_into, landlock_enter, landlock_version,
    open_counter, own_cpu, process_cpu, quit, reap, reset_signals, send_signal,
};
pub(super) use spawn::{Launch, Spawned, spawn, step_name};
