//! Judging on other machines: the coordinator in the process of `nimatron serve`, the worker, and the client with which
//! `nimatron grade` judges the submissions of a class on a server.
//!
//! Submissions stay in the store of [`submissions`](crate::submissions). The queue of the cluster
//! ([`queue`](crate::queue)) has a job for each submission, and decides which worker judges it; the crate
//! `nimatron-cluster` sends the messages. A worker receives a [`WorkOrder`](work_order::WorkOrder) with each job. From
//! the coordinator, it fetches the program and the files of the problem, which the order identifies by their hashes; it
//! then checks the hashes, and judges the submission with the [`service`](crate::service).
//!
//! Only the parts that use the network are asynchronous.

mod blob_client;
mod blob_server;
mod blob_store;
mod canary;
mod canary_problem;
mod cluster_hooks;
mod compiler_check;
mod conditions;
mod coordinator;
mod forwarded_job;
mod forwarder_backlog;
mod http_client;
mod machine_traits;
mod order_secret;
mod problem_bundle;
mod problem_cache;
mod remote_judge;
mod storage_limit;
mod submission_forwarder;
mod transfer;
mod user_key;
mod work_order;
mod worker;
mod worker_drain;
mod worker_judge;
mod worker_upkeep;

pub use coordinator::{ClusterSettings, cluster_pool};
pub use nimatron_cluster::NatsAddress;
pub use remote_judge::{RemoteJudge, ServeAddress};
pub use user_key::create_user_key;
pub use worker::{WorkerSettings, run_cluster_worker};
pub use worker_drain::drain_worker;
