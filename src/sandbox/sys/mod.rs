//! System calls that no safe crate wraps. This module contains all unsafe code of the project.

mod raw;
mod spawn;
mod start_hook;

pub(super) use raw::{
    CountedProcesses, CounterEvent, MountChange, ReapedProcess, change_mounts, child_signals, clone_into,
    close_other_descriptors, drop_privileges, fork_sibling, fork_sibling_into, landlock_enter, landlock_version,
    open_counter, own_cpu, process_cpu, quit, reap, replace_command_line, reset_signals, send_signal,
    set_thread_affinity,
};
pub(super) use spawn::{Launch, STANDARD_STREAMS, Spawned, spawn, step_description};
pub use start_hook::StartHook;
pub(super) use start_hook::{HOOK_DESCRIPTOR, HOOK_GREETING, HOOK_HEADER, waiting_hook_memory};
