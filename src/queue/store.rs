//! The interface of the queue's store.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::change::StoreChange;
use super::job::{JobAnswer, JobHolder, JobNumber, JobRow, JobSpec, WorkerId};
use super::moment::Moment;
use super::{JobChange, NewProgram};

/// An error of the store. The changes of the failed call may or may not have been stored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct QueueStoreError(pub String);

/// The effect of a change to the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Applied {
    /// The change is stored. Holds the job as stored; `None` for a change to the state of a worker.
    Stored(Option<Box<JobRow>>),
    /// The change does not apply to the current state of the job. Holds the job as stored; `None` if there is no such
    /// job.
    Refused(Option<Box<JobRow>>),
}

/// The first result that was stored for a key and conditions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyResult {
    /// The job that produced the result.
    pub job: JobNumber,
    /// The result of that job.
    pub answer: JobAnswer,
}

/// A later result whose outcome differs from that of the first result with the same key and conditions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyDifference {
    /// The key of both results.
    pub key: String,
    /// The job that produced the later result.
    pub job: JobNumber,
    /// The worker that reported the later result.
    pub worker: WorkerId,
    /// The outcome of the later result.
    pub outcome: Arc<str>,
}

/// The treatment of the earlier results and of the event log of a submission that is judged again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rejudging {
    /// The first results are retained. A new result with another outcome is recorded as a difference.
    Compare,
    /// The first results and the log of the submission's events are removed, and the new results and events replace
    /// them.
    Replace,
}

/// The durable state of the queue: submissions, jobs, events, workers and results.
///
/// When a function returns, its changes are on the disk. Each function is one transaction. The store is authoritative:
/// a coordinator may be killed at any time, because its state is read from the store or reported again by workers.
pub trait QueueStore {
    /// Adds submissions with their jobs, and returns the jobs. A submission that is in the store already, because the
    /// same request arrived twice, is not added, and its latest job is returned.
    ///
    /// # Errors
    /// Fails if the store can't be written.
    fn submit(&self, programs: &[NewProgram], now: Moment) -> Result<Vec<JobRow>, QueueStoreError>;

    /// Applies changes, and returns their effects in the order of `changes`. Changes to the same job are also applied
    /// in this order. A change that does not apply is skipped, and the other changes are still applied.
    ///
    /// # Errors
    /// Fails if the store can't be written.
    fn apply(&self, changes: &[StoreChange], now: Moment) -> Result<Vec<Applied>, QueueStoreError>;

    /// Adds a job for each submission, with the priority of rejudging, and returns the jobs. Submissions that are not
    /// in the store or that have an open job are skipped.
    ///
    /// # Errors
    /// Fails if the store can't be written.
    fn rejudge(
        &self,
        submissions: &[String],
        rejudging: Rejudging,
        now: Moment,
    ) -> Result<Vec<JobRow>, QueueStoreError>;

    /// Returns the queued and running jobs, in the order of their numbers.
    ///
    /// # Errors
    /// Fails if the store can't be read.
    fn open_jobs(&self) -> Result<Vec<JobRow>, QueueStoreError>;

    /// Returns the jobs that changed at the time `since` or later, in the order of their numbers.
    ///
    /// # Errors
    /// Fails if the store can't be read.
    fn changed_since(&self, since: Moment) -> Result<Vec<JobRow>, QueueStoreError>;

    /// Returns the job with the number `number`; `None` if there is no such job.
    ///
    /// # Errors
    /// Fails if the store can't be read.
    fn job(&self, number: JobNumber) -> Result<Option<JobRow>, QueueStoreError>;

    /// Returns the latest job of a submission; `None` if the submission is not in the store.
    ///
    /// # Errors
    /// Fails if the store can't be read.
    fn job_of(&self, submission: &str) -> Result<Option<JobRow>, QueueStoreError>;

    /// Returns the program of a submission; `None` if the submission is not in the store.
    ///
    /// # Errors
    /// Fails if the store can't be read.
    fn program(&self, submission: &str) -> Result<Option<NewProgram>, QueueStoreError>;

    /// Returns the workers that are set aside, with the reasons.
    ///
    /// # Errors
    /// Fails if the store can't be read.
    fn set_aside(&self) -> Result<BTreeMap<WorkerId, Arc<str>>, QueueStoreError>;

    /// Adds events to the log of a job's submission if the job is running with the epoch `epoch`. Returns whether the
    /// job is running with this epoch. Skips events whose numbers are already in the log or do not directly follow the
    /// last number in the log.
    ///
    /// # Errors
    /// Fails if the store can't be written.
    fn append_events(&self, job: JobNumber, epoch: u64, events: &[(u64, String)]) -> Result<bool, QueueStoreError>;

    /// Returns at most `limit` events of a submission in the order of their numbers, beginning after the number
    /// `after`, or with the first event if `after` is `None`.
    ///
    /// # Errors
    /// Fails if the store can't be read.
    fn events_since(
        &self,
        submission: &str,
        after: Option<u64>,
        limit: u32,
    ) -> Result<Vec<(u64, String)>, QueueStoreError>;

    /// Returns the first result for a key and conditions; `None` if there is no result.
    ///
    /// # Errors
    /// Fails if the store can't be read.
    fn result(&self, key: &str, conditions: &str) -> Result<Option<KeyResult>, QueueStoreError>;

    /// Returns the later results whose outcomes differ from those of the first results of their keys and conditions.
    ///
    /// # Errors
    /// Fails if the store can't be read.
    fn differences(&self) -> Result<Vec<KeyDifference>, QueueStoreError>;

    /// Removes at most `most` jobs that ended before the time `before`, with their results, programs, events and
    /// differences. A submission is removed with its last job. The job with the highest number is retained, so that no
    /// number is used twice. Returns the number of removed jobs.
    ///
    /// # Errors
    /// Fails if the store can't be written.
    fn remove_ended(&self, before: Moment, most: u32) -> Result<u64, QueueStoreError>;

    /// Grants a queued job to the worker in `holder`, and sets the job's epoch to `epoch`. Never waits for another
    /// process that is changing the job.
    ///
    /// # Errors
    /// Fails if the store can't be written.
    fn claim(
        &self,
        job: JobNumber,
        epoch: u64,
        holder: JobHolder,
        lease: Moment,
        now: Moment,
    ) -> Result<Applied, QueueStoreError> {
        self.one(job, JobChange::Claim { epoch, holder, lease }, now)
    }

    /// Extends the lease of a running job.
    ///
    /// # Errors
    /// Fails if the store can't be written.
    fn renew(
        &self,
        job: JobNumber,
        epoch: u64,
        worker: WorkerId,
        lease: Moment,
        now: Moment,
    ) -> Result<Applied, QueueStoreError> {
        self.one(job, JobChange::Renew { epoch, worker, lease }, now)
    }

    /// Stores the result of a job, if the job is granted to `worker` with the epoch `epoch`.
    ///
    /// # Errors
    /// Fails if the store can't be written.
    fn finish(
        &self,
        job: JobNumber,
        epoch: u64,
        worker: WorkerId,
        answer: JobAnswer,
        now: Moment,
    ) -> Result<Applied, QueueStoreError> {
        self.one(job, JobChange::Finish { epoch, worker, answer }, now)
    }

    /// Cancels an open job.
    ///
    /// # Errors
    /// Fails if the store can't be written.
    fn cancel(&self, job: JobNumber, now: Moment) -> Result<Applied, QueueStoreError> {
        self.one(job, JobChange::Cancel, now)
    }

    /// Applies a single change to a job in its own transaction.
    ///
    /// # Errors
    /// Fails if the store can't be written.
    fn one(&self, job: JobNumber, change: JobChange, now: Moment) -> Result<Applied, QueueStoreError> {
        let applied = self.apply(&[StoreChange::Job(job, change)], now)?;
        let missing = || QueueStoreError(format!("the store returned no effect for the change to job {}", job.0));
        applied.into_iter().next().ok_or_else(missing)
    }
}

/// Returns the constant part of a job that rejudges a submission. `spec` is that of the submission's earlier job.
pub(super) fn again(spec: &JobSpec) -> JobSpec {
    JobSpec { priority: super::Priority::Rejudge, ..spec.clone() }
}

/// Makes the result of a finished job agree with the first result of its key and conditions. If their outcomes differ,
/// replaces the job's result with the first one and returns the difference; otherwise returns `None` and leaves the job
/// unchanged.
pub(super) fn settle(row: &mut JobRow, first: Option<&KeyResult>) -> Option<KeyDifference> {
    let first = first?;
    let answer = row.answer.as_mut()?;
    if answer.outcome == first.answer.outcome {
        return None;
    }
    let worker = row.holder.as_ref()?.worker.clone();
    let later = std::mem::replace(answer, first.answer.clone());
    Some(KeyDifference { key: row.spec.key.clone(), job: row.number, worker, outcome: later.outcome })
}
