//! The worker threads of this process: the CPUs they use, and the distribution of work over them.

mod gate;
mod parallel;
mod slots;

pub use gate::{ExclusiveGate, GateGuard};
pub use parallel::{at_the_same_time, in_parallel, on_each_worker, processor_slots, start_scoped, start_thread};
pub use slots::{SlotLease, WorkerSlots};
