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
    /// A number that differs between machines, and is the same after a restart; 0 if it is unknown.
    pub machine: u64,
    /// The number of the worker's process, which increases with each restart.
    pub instance: u64,
    /// The pool whose jobs the worker takes.
    pub pool: String,
    /// Maximum number of jobs that the worker runs at once.
    pub slots: usize,
    /// The languages whose programs the worker can run.
    pub languages: BTreeSet<String>,
    /// Whether the worker takes no more jobs, because it is about to end.
    pub draining: bool,
    /// The properties on which results depend. They must be the same for all workers of a pool.
    pub traits: Arc<WorkerTraits>,
    /// Result of the last canary run; `None` before the first.
    pub canary: Option<Arc<CanaryResult>>,
}

/// An event that the dispatch handles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DispatchInput {
    /// A job was added to the store.
    Submitted(JobRow),
    /// A worker has started, was asked to register, or has news about itself.
    Hello(WorkerHello),
    /// A worker with a free slot requests a job.
    Start {
        /// The worker that sends the request.
        worker: WorkerId,
        /// The number of the worker's process.
        instance: u64,
        /// The number of the request, which increases within an instance. A request that is sent again has the same
        /// number, and gets the same job.
        request: u64,
        /// The job whose ring the worker answers; `None` if the worker requests a job without a ring.
        rung: Option<JobNumber>,
    },
    /// A worker reports that it is alive.
    Beat {
        /// The worker that sends the beat.
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
        /// The epoch with which the worker got the job.
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
        /// The epoch with which the worker got the job.
        epoch: u64,
        /// The reason why the judge failed.
        reason: Arc<str>,
    },
    /// A worker gives back a job whose request is no longer open.
    Released {
        /// The worker that gives the job back.
        worker: WorkerId,
        /// The job that is given back.
        job: JobNumber,
        /// The epoch with which the worker got the job.
        epoch: u64,
    },
    /// A person cancels a job.
    Cancel(JobNumber),
    /// A person lets a worker that was set aside take jobs again.
    Readmit(WorkerId),
    /// A second has passed.
    Tick,
}

/// The reason why a worker gets no job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Denial {
    /// This process of the worker has not registered with the dispatch, and must do so.
    Unknown,
    /// A later process of the same worker has registered.
    Superseded,
    /// A job was granted to this request, or to a later one, before.
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
    /// Tell the workers of a pool that a job waits.
    Ring {
        /// The pool of the job.
        pool: String,
        /// The job that waits.
        job: JobNumber,
        /// Number of this notification. A repeated notification for the same job gets a new number.
        ring: u64,
    },
    /// Give a job to a worker, in answer to its request.
    Grant(Box<JobRow>),
    /// Refuse a request, a beat or a registration of a worker.
    Refuse {
        /// The worker that sent the message.
        worker: WorkerId,
        /// The number of the process that sent the message.
        instance: u64,
        /// The number of the request; `None` if the worker sent a beat or registered.
        request: Option<u64>,
        /// The reason for the refusal.
        reason: Denial,
    },
    /// Tell a process of a worker to end, because its messages are invalid or another machine has its name.
    Reject {
        /// The name of the worker.
        worker: WorkerId,
        /// The number of the process that must end.
        instance: u64,
        /// What is wrong, and what to do.
        reason: Arc<str>,
    },
    /// Tell a worker whether it gets jobs, in answer to its registration, and when that changes.
    Admission {
        /// The worker.
        worker: WorkerId,
        /// The number of the worker's process.
        instance: u64,
        /// The reason why the worker gets no jobs; `None` if it gets jobs.
        reason: Option<Arc<str>>,
    },
    /// Tell a worker that its report on a job was handled, so that the worker may forget the job.
    Settled {
        /// The worker that sent the report.
        worker: WorkerId,
        /// The job of the report.
        job: JobNumber,
        /// The epoch of the report.
        epoch: u64,
    },
    /// Tell a worker to stop and forget a job that has ended or was taken from the worker.
    Cancel {
        /// The worker that has the job, or had it.
        worker: WorkerId,
        /// The job to stop.
        job: JobNumber,
        /// The epoch with which the worker got the job.
        epoch: u64,
    },
    /// The state of a job changed in the store.
    Changed(JobNumber),
    /// A worker gets no more jobs, for this reason.
    SetAside(WorkerId, Arc<str>),
}

/// A decision: a change of the store, and the effects that follow from the change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DispatchStep {
    /// The change; `None` if the store stays as it is.
    pub change: Option<StoreChange>,
    /// The effects after the change is stored.
    pub then: Vec<DispatchOutput>,
    /// The effects if the store refuses the change instead.
    pub otherwise: Vec<DispatchOutput>,
}
