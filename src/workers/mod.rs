//! The worker threads of this process: which CPUs they may use, and how work is spread over them.

mod gate;
mod parallel;
mod slots;

pub use gate::{ExclusiveGate, GateGuard};
pub use parallel::{in_parallel, on_each_worker};
pub use slots::{SlotLease, WorkerSlots};
