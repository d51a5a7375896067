//! System calls that no safe crate wraps. This module contains all unsafe code of the project.

mod raw;
mod spawn;

pub(super) use raw::{
    CountedProcesses, CounterEvent, MountChange, ReapedProcess, change_mounts, clone_into, drop_privileges,
    landlock_enter, landlock_version, open_counter, own_cpu, process_cpu, quit, reap, reset_signals, send_signal,
};
pub(super) use spawn::{Launch, STANDARD_STREAMS, Spawned, spawn, step_description};
