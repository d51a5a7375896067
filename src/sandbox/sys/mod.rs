//! The system calls that no safe crate wraps: the only unsafe code of the project.

mod raw;
mod spawn;

pub(super) use raw::{
    MountChange, Reaped, change_mounts, forgo_privileges, fork_into, landlock_enter, landlock_version, own_cpu,
    process_cpu, quit, reap, reset_signals, send_signal, try_instruction_counter,
};
pub(super) use spawn::{Launch, spawn, step_name};
