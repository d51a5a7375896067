//! Jobs as rows of the store. A job is the task of judging a submission once.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use super::moment::Moment;
use super::priority::Priority;
use super::store::KeyResult;

/// The number of a job. Later jobs have higher numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobNumber(pub u64);

impl fmt::Display for JobNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "job {}", self.0)
    }
}

/// The name of a worker, which does not change when the worker restarts.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WorkerId(pub Arc<str>);

impl WorkerId {
    /// Creates the id of the worker with this name.
    pub fn new(name: &str) -> WorkerId {
        WorkerId(name.into())
    }
}

impl fmt::Display for WorkerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// The part of a job that never changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobSpec {
    /// The id of the submission that is judged.
    pub submission: String,
    /// The pool whose workers may take the job.
    pub pool: String,
    /// The priority. Jobs with a higher priority are granted first.
    pub priority: Priority,
    /// The id of the person who submitted the program. Within a priority, people take turns.
    pub owner: String,
    /// The languages that a worker must have: the language of the program and the languages of the problem's own
    /// programs.
    pub needs: BTreeSet<String>,
    /// The part of the result's key that is known before a worker judges the program, such as a hash of source,
    /// problem, options and pool. Jobs with equal keys and equal [`JobAnswer::conditions`] must have equal outcomes.
    pub key: String,
}

/// The state of a job in the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum JobStage {
    /// The job waits for a worker.
    Queued,
    /// A worker has the job.
    Running,
    /// The job has a result.
    Finished,
    /// All attempts failed. The job has a reason and no result, and a person decides what happens next.
    Parked,
    /// A person cancelled the job.
    Cancelled,
}

impl JobStage {
    /// All states.
    pub const ALL: [JobStage; 5] =
        [JobStage::Queued, JobStage::Running, JobStage::Finished, JobStage::Parked, JobStage::Cancelled];

    /// Returns the name of the state in the store.
    pub const fn name(self) -> &'static str {
        match self {
            JobStage::Queued => "queued",
            JobStage::Running => "running",
            JobStage::Finished => "finished",
            JobStage::Parked => "parked",
            JobStage::Cancelled => "cancelled",
        }
    }

    /// Returns whether the job is queued or running.
    pub const fn is_open(self) -> bool {
        matches!(self, JobStage::Queued | JobStage::Running)
    }
}

/// The request to which a job was granted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobHolder {
    /// The worker that sent the request.
    pub worker: WorkerId,
    /// The number of the worker's process, which increases with each restart.
    pub instance: u64,
    /// The number of the worker's request, which increases within an instance.
    pub request: u64,
}

/// The result of a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobAnswer {
    /// The part of the result's key that the worker determines, such as a hash of the version of Nimatron, the
    /// compilers and the limits in force. Results with other conditions are neither compared nor reused.
    pub conditions: Arc<str>,
    /// The part of the result that must be equal for equal keys and conditions: verdict, score and verdicts of the
    /// cases, without times.
    pub outcome: Arc<str>,
    /// The whole report, which may differ even if the outcomes are equal.
    pub report: Arc<str>,
}

/// A job, as a row of the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobRow {
    /// The number of the job.
    pub number: JobNumber,
    /// The part of the job that never changes.
    pub spec: Arc<JobSpec>,
    /// The state of the job.
    pub stage: JobStage,
    /// The fencing token: the number of times that the job was granted to a worker. Only a result with the current
    /// epoch is accepted.
    pub epoch: u64,
    /// The number of attempts. An assignment to a worker that then released the job does not count as an attempt.
    pub attempts: u32,
    /// The request to which the job was last granted; `None` while the job is queued, and if it ended while it was
    /// queued.
    pub holder: Option<JobHolder>,
    /// The time at which the lease of a running job ends unless the worker renews the lease.
    pub lease: Moment,
    /// The earliest time at which the queued job may be granted to a worker.
    pub due: Moment,
    /// The workers on which the job failed or was lost. Other workers are preferred.
    pub avoid: BTreeSet<WorkerId>,
    /// The reason for the last failed attempt; `None` if no attempt failed.
    pub reason: Option<Arc<str>>,
    /// The result; `None` unless the job is finished.
    pub answer: Option<JobAnswer>,
    /// The time at which the program was submitted, or at which a person requested that it be judged again.
    pub created: Moment,
    /// The time at which the job ended; `None` while the job is open.
    pub ended: Option<Moment>,
}

impl JobRow {
    /// Creates a job that waits for its first attempt.
    pub fn queued(number: JobNumber, spec: JobSpec, now: Moment) -> JobRow {
        JobRow {
            number,
            spec: Arc::new(spec),
            stage: JobStage::Queued,
            epoch: 0,
            attempts: 0,
            holder: None,
            lease: Moment::default(),
            due: Moment::default(),
            avoid: BTreeSet::new(),
            reason: None,
            answer: None,
            created: now,
            ended: None,
        }
    }

    /// Returns the job as finished, with an earlier result for the same key.
    #[must_use]
    pub(super) fn reusing(self, result: &KeyResult, now: Moment) -> JobRow {
        JobRow { stage: JobStage::Finished, answer: Some(result.answer.clone()), ended: Some(now), ..self }
    }

    /// Returns whether the job runs with this epoch on this worker.
    pub fn is_held(&self, worker: &WorkerId, epoch: u64) -> bool {
        let holder = self.holder.as_ref().is_some_and(|holder| holder.worker == *worker);
        self.stage == JobStage::Running && self.epoch == epoch && holder
    }
}
