//! Runs untrusted programs under limits.
//!
//! A [`Sandbox`] opens [`Cell`]s. A cell is prepared once and then runs commands, one at a time. A run returns an
//! [`Execution`](crate::model::Execution), which contains no verdict, or a [`Fault`](crate::model::Fault) if the
//! sandbox itself failed. This is the only module that starts untrusted programs, and the only module with `unsafe`
//! code.

use nimatron_model as model;

mod cancel;
mod cell;
mod cell_client;
mod cell_process;
mod cgroup;
mod child_process;
mod fork_server;
mod host;
mod interface;
mod memory_file;
mod message;
mod mock;
mod namespaced;
mod outcome;
mod placement;
mod probe;
mod process_id;
mod rlimit_only;
mod shared;
mod stream_capture;
mod sys;
mod temp_dir;
mod wire;

pub use cancel::Cancel;
pub use cell::cell_main;
pub use fork_server::ForkServer;
pub use host::{
    host_cpu_time, instruction_counter_error, is_system_path, raise_descriptor_limit, runnable_threads, system_paths,
};
pub use interface::{Cell, CellCommand, CellOutput, CellSpec, Input, Mount, Output, Sandbox};
pub use memory_file::memory_file;
pub use mock::MockSandbox;
pub use namespaced::{IsolationRequirement, Namespaced, best_available};
pub use placement::start_on_other_cpu;
pub use process_id::ProcessId;
pub use rlimit_only::RlimitOnly;
pub use shared::{pin_beside_slot, pin_to_slot};
pub use sys::StartHook;
pub use temp_dir::TempFolder;
pub use wire::MORE_PIPES_MAX;
