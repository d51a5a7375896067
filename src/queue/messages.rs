//! The events that the dispatch handles, and the decisions that it makes.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::change::StoreChange;
use super::job::{JobAnswer, JobNumber, JobRow, WorkerId};
use super::worker_traits::{CanaryResult, WorkerTraits};

/// The registration of a worker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerHello {
    /// The name of the worker.
    pub worker: WorkerId,
    /// A number that differs between machines and does not change when the worker is restarted; 0 if it is unknown.
    pub machine: u64,
    /// The number of the worker's process, which increases with each restart.
    pub instance: u64,
    /// The pool whose jobs the worker takes.
    pub pool: String,
    /// Maximum number of jobs that the worker runs concurrently.
    pub slots: usize,
    /// The languages whose programs the worker can run.
    pub languages: BTreeSet<String>,
    /// Whether the worker takes no more jobs, because its process is about to end.
    pub draining: bool,
    /// The properties on which results depend, and in which the workers of a pool must agree.
    pub traits: Arc<WorkerTraits>,
    /// Result of the last canary run; `None` before the first run.
    pub canary: Option<Arc<CanaryResult>>,
}

/// An event that the dispatch handles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DispatchInput {
    /// A job was added to the store.
    Submitted(JobRow),
    /// A worker registers, because it has started, because it was requested to register, or because its properties have
    /// changed.
    Hello(WorkerHello),
    /// A worker with a free slot requests a job.
    Start {
        /// The worker that sends the request.
        worker: WorkerId,
        /// The number of the worker's process.
        instance: u64,
        /// The number of the request, which increases within an instance. A request that is sent again has the same
        /// number, and is answered with the same job.
        request: u64,
        /// The job whose notification ([`DispatchOutput::Ring`]) prompted the request; `None` if no notification did.
        rung: Option<JobNumber>,
    },
    /// A worker reports that it is alive.
    Beat {
        /// The worker that sends the heartbeat.
        worker: WorkerId,
        /// The number of the worker's process.
        instance: u64,
        /// Whether the worker takes no more jobs.
        draining: bool,
        /// The jobs that the worker has, with their epochs.
        running: Vec<(JobNumber, u64)>,
    },
    /// A worker reports the result of a job.
    Done {
        /// The worker that judged the program.
        worker: WorkerId,
        /// The job that ended.
        job: JobNumber,
        /// The epoch with which the job was granted to the worker.
        epoch: u64,
        /// The result of the job.
        answer: JobAnswer,
    },
    /// A worker reports that the judge failed on a job.
    Faulted {
        /// The worker on which the judge failed.
        worker: WorkerId,
        /// The job on which the judge failed.
        job: JobNumber,
        /// The epoch with which the job was granted to the worker.
        epoch: u64,
        /// The reason why the judge failed.
        reason: Arc<str>,
    },
    /// A worker releases a job that was granted to a request for which the worker no longer expects an answer.
    Released {
        /// The worker that releases the job.
        worker: WorkerId,
        /// The job that is released.
        job: JobNumber,
        /// The epoch with which the job was granted to the worker.
        epoch: u64,
    },
    /// A person cancels a job.
    Cancel(JobNumber),
    /// A person readmits a worker that was set aside.
    Readmit(WorkerId),
    /// One second has passed.
    Tick,
}

/// The reason why a request, a heartbeat or a registration of a worker is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Denial {
    /// This process of the worker has not registered with the dispatch, and must do so.
    Unknown,
    /// A later process of the same worker has registered.
    Superseded,
    /// A job was already granted to this request or to a later request.
    Repeated,
    /// The worker has no free slot.
    Full,
    /// The worker is draining, is set aside, or is not admitted to its pool.
    Excluded,
    /// There is no waiting job that this worker may start.
    Nothing,
    /// The store refused the grant, because the job had changed in the meantime. The worker may request a job again.
    Again,
}

/// An effect of a decision: a message to workers, or a notice to the coordinator's process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DispatchOutput {
    /// A notification to the workers of a pool that a job is waiting.
    Ring {
        /// The pool of the job.
        pool: String,
        /// The job that is waiting.
        job: JobNumber,
        /// Number of this notification. A repeated notification for the same job has a new number.
        ring: u64,
    },
    /// The grant of a job to a worker, in answer to its request.
    Grant(Box<JobRow>),
    /// The refusal of a request, a heartbeat or a registration of a worker.
    Refuse {
        /// The worker whose request, heartbeat or registration is refused.
        worker: WorkerId,
        /// The number of the worker's process.
        instance: u64,
        /// The number of the request; `None` if the worker sent a heartbeat or registered.
        request: Option<u64>,
        /// The reason for the refusal.
        reason: Denial,
    },
    /// An order to a process of a worker to end, because its messages are invalid or another machine has a worker with
    /// its name.
    Reject {
        /// The name of the worker.
        worker: WorkerId,
        /// The number of the process that must end.
        instance: u64,
        /// The cause of the rejection, and how to resolve it.
        reason: Arc<str>,
    },
    /// A notice to a worker about whether it receives jobs, which is sent in answer to each registration and after each
    /// change.
    Admission {
        /// The worker that receives the notice.
        worker: WorkerId,
        /// The number of the worker's process.
        instance: u64,
        /// The reason why the worker receives no jobs; `None` if it receives jobs.
        reason: Option<Arc<str>>,
    },
    /// The confirmation to a worker that its report on a job was handled, so that the worker may forget the job.
    Settled {
        /// The worker that sent the report.
        worker: WorkerId,
        /// The job of the report.
        job: JobNumber,
        /// The epoch of the report.
        epoch: u64,
    },
    /// An order to a worker to stop and forget a job that has ended or was taken from the worker.
    Cancel {
        /// The worker that has or had the job.
        worker: WorkerId,
        /// The job to stop.
        job: JobNumber,
        /// The epoch with which the job was granted to the worker.
        epoch: u64,
    },
    /// The state of a job changed in the store.
    Changed(JobNumber),
    /// A worker was set aside, and receives no more jobs. Contains the worker and the reason.
    SetAside(WorkerId, Arc<str>),
}

/// A decision: an optional change to the store, and the effects, which depend on whether the store accepts the change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DispatchStep {
    /// The change; `None` if the decision does not change the store.
    pub change: Option<StoreChange>,
    /// The effects after the change is stored.
    pub then: Vec<DispatchOutput>,
    /// The effects if the store refuses the change.
    pub otherwise: Vec<DispatchOutput>,
}
