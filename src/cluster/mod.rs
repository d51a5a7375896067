//! The communication between the coordinator and the workers over NATS JetStream.
//!
//! The stream is a doorbell, not a store: a ring announces that a job waits. The store of the queue is authoritative,
//! so the server may lose all messages and the stream; a ring is repeated until a worker answers it. A worker's
//! messages name the worker in their subject, so that the permissions of the worker's credential decide under which
//! name it may send; the payload is JSON.
//!
//! [`CoordinatorEdge`] and [`run_worker`] only transfer messages. [`Coordinator`](nimatron_queue::Coordinator) and
//! [`WorkerSession`](nimatron_queue::WorkerSession) make the decisions.

mod admission;
mod connect;
mod coordinator_edge;
mod doorbell;
mod intake;
mod subject;
mod wire_message;
mod worker_edge;

pub use async_nats::Client;
pub use connect::{ConnectError, NatsAddress, UserKey, connect};
pub use coordinator_edge::{ClusterRequestError, CoordinatorEdge, CoordinatorHooks, ReceivedEvents};
pub use doorbell::{OLDEST_SERVER, check_server};
pub use wire_message::{FromWorker, GrantedJob, JobEvents, ToWorker, WireError};
pub use worker_edge::{HeldJob, JobRunner, StopFlag, Upkeep, WorkerError, run_worker};
