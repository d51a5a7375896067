//! Run programs we did not write. The only module that starts processes, and the only one with `unsafe`.
//!
//! A [`Sandbox`] opens [`Cell`]s: rooms prepared once for a program and used for many runs, one run at a time.
//! Nothing here judges: a run's facts are an [`Execution`](crate::model::Execution); a failure of ours is a
//! [`Fault`](crate::model::Fault).

mod cancel;
mod cell;
mod contained;
mod den;
mod drain;
mod finding;
mod group;
mod keeper;
mod message;
mod owner;
mod plain;
mod script;
mod sys;
mod system;
mod task;
mod wire;

pub use cancel::Cancel;
pub use cell::cell_main;
pub use contained::{Contained, IsolationRequirement, best};
pub use keeper::stay_with_slot;
pub use owner::Owner;
pub use plain::Plain;
pub use script::Script;
pub use system::{is_system_path, machine_time, no_instruction_counter, system_paths};
pub use task::{Cell, CellCommand, CellSpec, Input, Mount, Output, Run, Sandbox};
