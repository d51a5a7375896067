//! The changes to a job, and the conditions under which a store applies them. All stores use [`JobRow::change`], so
//! that their decisions agree.

use std::sync::Arc;

use super::job::{JobAnswer, JobHolder, JobNumber, JobRow, JobStage, WorkerId};
use super::moment::Moment;

/// A change to a job. Except for [`JobChange::Claim`], a change that specifies an epoch applies only if the job has
/// this epoch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JobChange {
    /// Assigns a queued job to a worker, with a new epoch.
    Claim {
        /// The new epoch, which must be one more than the current one.
        epoch: u64,
        /// The worker's request to which the job is granted.
        holder: JobHolder,
        /// The time at which the lease ends.
        lease: Moment,
    },
    /// Extends the lease of a running job.
    Renew {
        /// The epoch with which the job was granted to the worker.
        epoch: u64,
        /// The worker that has the job.
        worker: WorkerId,
        /// The new time at which the lease ends.
        lease: Moment,
    },
    /// Takes a running job from its worker and queues it again.
    Requeue {
        /// The epoch with which the job was granted to the worker.
        epoch: u64,
        /// The earliest time at which the job may be granted again.
        due: Moment,
        /// The worker that is avoided in further attempts, if any.
        avoid: Option<WorkerId>,
        /// The reason for the failure of the attempt; `None` if the worker released the job, which does not count as an
        /// attempt.
        reason: Option<Arc<str>>,
    },
    /// Ends a running job without a result.
    Park {
        /// The epoch with which the job was granted to the worker.
        epoch: u64,
        /// The reason why the job is not tried again.
        reason: Arc<str>,
    },
    /// Ends a running job with a result.
    Finish {
        /// The epoch with which the job was granted to the worker.
        epoch: u64,
        /// The worker that has the job.
        worker: WorkerId,
        /// The result of the job.
        answer: JobAnswer,
    },
    /// Ends an open job because a person cancelled it.
    Cancel,
}

/// The effect of a change on a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Transition {
    /// The change applies, and this is the new row of the job.
    To(Box<JobRow>),
    /// The change has no effect, because it was already applied (a message or a transaction was repeated), or because
    /// the job already has a lease that ends at the same time or later.
    Already,
    /// The change does not apply to the current state of the job.
    Conflict,
}

/// A change to the stored state of a worker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WorkerChange {
    /// Excludes the worker from receiving jobs. Contains the reason.
    SetAside(Arc<str>),
    /// Permits a worker that was set aside to receive jobs again.
    Readmit,
}

/// A change to one row of the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoreChange {
    /// A change to a job.
    Job(JobNumber, JobChange),
    /// A change to the state of a worker.
    Worker(WorkerId, WorkerChange),
}

impl JobRow {
    /// Returns the effect of `change` on this job at the time `now`. For [`JobChange::Finish`], the new row contains
    /// the result in the change; the store replaces it with the first result of the same key and conditions if the
    /// outcomes differ.
    pub fn change(&self, change: &JobChange, now: Moment) -> Transition {
        let held = |worker: &WorkerId| self.holder.as_ref().is_some_and(|holder| holder.worker == *worker);
        let running = |epoch: u64| self.stage == JobStage::Running && self.epoch == epoch;
        let ended = |stage: JobStage| JobRow { stage, ended: Some(now), ..self.clone() };
        let row = match change {
            JobChange::Claim { epoch, holder, lease } => {
                if running(*epoch) && self.holder.as_ref() == Some(holder) {
                    return Transition::Already;
                }
                if self.stage != JobStage::Queued || self.epoch + 1 != *epoch {
                    return Transition::Conflict;
                }
                let attempts = self.attempts + 1;
                let holder = Some(holder.clone());
                JobRow { stage: JobStage::Running, epoch: *epoch, attempts, holder, lease: *lease, ..self.clone() }
            }
            JobChange::Renew { epoch, worker, lease } => {
                if !self.is_held(worker, *epoch) {
                    return Transition::Conflict;
                }
                if self.lease >= *lease {
                    return Transition::Already;
                }
                JobRow { lease: *lease, ..self.clone() }
            }
            JobChange::Requeue { epoch, due, avoid, reason } => {
                if self.stage == JobStage::Queued && self.epoch == *epoch && *epoch > 0 {
                    return Transition::Already;
                }
                if !running(*epoch) {
                    return Transition::Conflict;
                }
                let mut row = JobRow { stage: JobStage::Queued, holder: None, due: *due, ..self.clone() };
                row.avoid.extend(avoid.clone());
                match reason {
                    Some(reason) => row.reason = Some(reason.clone()),
                    None => row.attempts = row.attempts.saturating_sub(1),
                }
                row
            }
            JobChange::Park { epoch, reason } => {
                if self.stage == JobStage::Parked && self.epoch == *epoch {
                    return Transition::Already;
                }
                if !running(*epoch) {
                    return Transition::Conflict;
                }
                JobRow { reason: Some(reason.clone()), ..ended(JobStage::Parked) }
            }
            JobChange::Finish { epoch, worker, answer } => {
                if self.stage == JobStage::Finished && self.epoch == *epoch && held(worker) {
                    return Transition::Already;
                }
                if !self.is_held(worker, *epoch) {
                    return Transition::Conflict;
                }
                JobRow { answer: Some(answer.clone()), ..ended(JobStage::Finished) }
            }
            JobChange::Cancel => {
                if self.stage == JobStage::Cancelled {
                    return Transition::Already;
                }
                if !self.stage.is_open() {
                    return Transition::Conflict;
                }
                ended(JobStage::Cancelled)
            }
        };
        Transition::To(Box::new(row))
    }
}
