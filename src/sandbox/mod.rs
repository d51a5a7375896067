//! Run programs we did not write. The only module that starts processes, and the only one with `unsafe`.
//!
//! A [`Sandbox`] opens [`Cell`]s: rooms prepared once for a program and used for many runs, one run at a time.
//! Nothing here judges: a run's facts are an [`Execution`](crate::model::Execution); a failure of ours is a
//! [`Fault`](crate::model::Fault).

mod cancel;
mod cell;
mod cell_client;
mod cgroup;
mod host;
mod interface;
mod message;
mod mock;
mod namespaced;
mod outcome;
mod process_id;
mod rlimit_only;
mod stream_capture;
mod sys;
mod temp_dir;
mod wire;

pub use cancel::Cancel;
pub use cell::cell_main;
pub use cell_client::pin_to_slot;
pub use host::{host_cpu_time, instruction_counter_error, is_system_path, system_paths};
pub use interface::{Cell, CellCommand, CellOutput, CellSpec, Input, Mount, Output, Sandbox};
pub use mock::MockSandbox;
pub use namespaced::{IsolationRequirement, Namespaced, best_available};
pub use process_id::ProcessId;
pub use rlimit_only::RlimitOnly;
