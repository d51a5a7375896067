//! The queue of the service: the assignment of programs to workers, and the stores that hold the jobs.
//!
//! [`Dispatch`] makes the decisions. It is a state machine without a clock, I/O or random numbers: its inputs are
//! events, and its outputs are decisions. A [`Coordinator`] carries out the decisions in a [`QueueStore`], which is
//! authoritative: a job in the store survives the end of every process, and only one result of the job is accepted.
//! Workers may be threads of the same process or other machines; the messages to and from them are [`DispatchOutput`]
//! and [`DispatchInput`], and [`WorkerSession`] is the state machine of the worker's side.
//!
//! A job has an epoch, which increases each time the job is granted to a worker, and the store accepts a result only
//! with the current epoch. Messages may therefore be lost, repeated, late or out of order, and workers and coordinators
//! may be stopped and started at any time. The tests simulate all of these conditions, with seeds that make each
//! simulation reproducible.

mod change;
mod coordinator;
mod dispatch;
mod dispatch_admission;
mod dispatch_inputs;
mod dispatch_view;
mod job;
#[cfg(test)]
mod memory_store;
mod messages;
mod moment;
mod policy;
mod pool_line;
mod pool_standard;
#[cfg(test)]
#[cfg(feature = "cluster")]
mod postgres_server;
#[cfg(feature = "cluster")]
mod postgres_store;
mod priority;
mod program;
#[cfg(test)]
mod simulation;
mod sql;
mod sql_rows;
mod sql_store;
mod sqlite_store;
mod store;
#[cfg(test)]
mod store_tests;
mod worker_session;
mod worker_traits;

pub use change::{JobChange, StoreChange, Transition, WorkerChange};
pub use coordinator::Coordinator;
pub use dispatch::{Dispatch, PoolCounts};
pub use dispatch_view::{AttemptCounts, DispatchView, PoolView, WorkerState, WorkerView};
pub use job::{JobAnswer, JobHolder, JobNumber, JobRow, JobSpec, JobStage, WorkerId};
pub use messages::{Denial, DispatchInput, DispatchOutput, DispatchStep, WorkerHello};
pub use moment::Moment;
pub use policy::DispatchPolicy;
#[cfg(feature = "cluster")]
pub use postgres_store::PostgresQueueStore;
pub use priority::Priority;
pub use program::NewProgram;
pub use sqlite_store::{SUBMISSION_STEPS, SqliteQueueStore};
pub use store::{Applied, KeyDifference, KeyResult, QueueStore, QueueStoreError, Rejudging};
pub use worker_session::{WorkerAct, WorkerAlarm, WorkerSession};
pub use worker_traits::{CanaryResult, WorkerTraits};
