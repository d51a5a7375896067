//! The messages between the coordinators and the workers, as JSON.

use std::collections::BTreeSet;
use std::sync::Arc;

use nimatron_queue::{
    CanaryResult, Denial, DispatchInput, DispatchOutput, JobAnswer, JobHolder, JobNumber, JobRow, JobSpec, JobStage,
    Moment, Priority, WorkerHello, WorkerId, WorkerTraits,
};
use serde::{Deserialize, Serialize};

/// The reason why a message can't be read or written.
#[derive(Debug, thiserror::Error)]
pub enum WireError {
    /// The text is not a message of this version, or the message can't be written as JSON.
    #[error("invalid cluster message: {0}")]
    Json(#[from] serde_json::Error),
}

/// A message from a worker to the coordinators. The worker's name is not in the message but in its NATS subject.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "message", rename_all = "snake_case", deny_unknown_fields)]
pub enum FromWorker {
    /// The worker registers, as [`WorkerHello`].
    Hello {
        /// A number that differs between machines; 0 if it is unknown.
        #[serde(default)]
        machine: u64,
        /// The number of the worker's process, which increases with each restart.
        instance: u64,
        /// The pool whose jobs the worker judges.
        pool: String,
        /// Maximum number of jobs that the worker runs concurrently.
        slots: usize,
        /// The languages whose programs the worker can run.
        languages: BTreeSet<String>,
        /// Whether the worker is draining and accepts no further jobs.
        draining: bool,
        /// The properties of the worker that affect results.
        #[serde(default)]
        traits: Arc<WorkerTraits>,
        /// The result of the last canary run; `None` before the first.
        #[serde(default)]
        canary: Option<Arc<CanaryResult>>,
    },
    /// The worker requests a job for a free slot.
    Start {
        /// The number of the worker's process.
        instance: u64,
        /// The number of the request, which is the same when the request is sent again.
        request: u64,
        /// The number of the job whose ring the worker answers, if any.
        rung: Option<u64>,
    },
    /// The worker reports that it is alive.
    Beat {
        /// The number of the worker's process.
        instance: u64,
        /// Whether the worker is draining and accepts no further jobs.
        draining: bool,
        /// The jobs that the worker holds, each as its number and its epoch.
        running: Vec<(u64, u64)>,
    },
    /// The worker reports the result of a job.
    Done {
        /// The number of the job.
        job: u64,
        /// The epoch with which the job was granted to the worker.
        epoch: u64,
        /// The part of the result's key that the worker determines.
        conditions: String,
        /// The part of the result that must be equal for equal keys and conditions.
        outcome: String,
        /// The whole report.
        report: String,
    },
    /// The worker reports that the judge failed on a job.
    Faulted {
        /// The number of the job.
        job: u64,
        /// The epoch with which the job was granted to the worker.
        epoch: u64,
        /// The reason why the judge failed.
        reason: String,
    },
    /// The worker releases a job.
    Released {
        /// The number of the job.
        job: u64,
        /// The epoch with which the job was granted to the worker.
        epoch: u64,
    },
}

/// A job that is granted to a worker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GrantedJob {
    /// The number of the job.
    pub job: u64,
    /// The epoch with which the job is granted to the worker.
    pub epoch: u64,
    /// The number of the process that sent the request.
    pub instance: u64,
    /// The number of the request.
    pub request: u64,
    /// The id of the submission.
    pub submission: String,
    /// The pool of the job.
    pub pool: String,
    /// The priority of the job.
    pub priority: Priority,
    /// The id of the person who submitted the program.
    pub owner: String,
    /// The languages that the job needs.
    pub needs: BTreeSet<String>,
    /// The key of the result.
    pub key: String,
    /// The content of the job, which only the coordinator's process and the [`JobRunner`](super::JobRunner) read.
    pub order: String,
}

/// Events of a running job, which are sent to all coordinators. The loss of events is harmless, because the report of
/// the job repeats them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JobEvents {
    /// The number of the job.
    pub job: u64,
    /// The epoch with which the job was granted to the worker.
    pub epoch: u64,
    /// The events, each as JSON, in the order in which they occurred.
    pub events: Vec<String>,
}

/// A message to a worker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "message", rename_all = "snake_case", deny_unknown_fields)]
pub enum ToWorker {
    /// The worker is granted a job, in response to its request.
    Grant(GrantedJob),
    /// A request, a heartbeat or a registration is refused.
    Refuse {
        /// The number of the process that sent the message.
        instance: u64,
        /// The number of the request; `None` if the worker sent a heartbeat or registered.
        request: Option<u64>,
        /// The name of a [`Denial`], such as `unknown`.
        reason: String,
    },
    /// The process must end, because its messages are invalid or another machine has a worker with its name.
    Reject {
        /// The number of the process that sent the message.
        instance: u64,
        /// The cause of the rejection, and how to resolve it.
        reason: String,
    },
    /// The worker may receive jobs, or is excluded for the reason `reason`.
    Admission {
        /// The number of the worker's process.
        instance: u64,
        /// The reason why the worker receives no jobs; `None` if it receives jobs.
        reason: Option<String>,
    },
    /// The report on a job was handled, so the worker may forget the job.
    Settled {
        /// The number of the job.
        job: u64,
        /// The epoch of the report.
        epoch: u64,
    },
    /// The worker must stop and forget a job that has ended or was taken from the worker.
    Cancel {
        /// The number of the job.
        job: u64,
        /// The epoch with which the job was granted to the worker.
        epoch: u64,
    },
}

/// The denials, each with its name in messages. A worker reads an unknown name as [`Denial::Nothing`], which only ends
/// the request.
const DENIALS: [(Denial, &str); 7] = [
    (Denial::Unknown, "unknown"),
    (Denial::Superseded, "superseded"),
    (Denial::Repeated, "repeated"),
    (Denial::Full, "full"),
    (Denial::Excluded, "excluded"),
    (Denial::Nothing, "nothing"),
    (Denial::Again, "again"),
];

impl FromWorker {
    /// Returns the message that reports an event, without the worker's name; `None` if the event does not come from a
    /// worker.
    pub fn of(input: &DispatchInput) -> Option<FromWorker> {
        Some(match input.clone() {
            DispatchInput::Hello(hello) => {
                let WorkerHello { worker: _, machine, instance, pool, slots, languages, draining, traits, canary } =
                    hello;
                FromWorker::Hello { machine, instance, pool, slots, languages, draining, traits, canary }
            }
            DispatchInput::Start { worker: _, instance, request, rung } => {
                FromWorker::Start { instance, request, rung: rung.map(|job| job.0) }
            }
            DispatchInput::Beat { worker: _, instance, draining, running } => {
                let running = running.into_iter().map(|(job, epoch)| (job.0, epoch)).collect();
                FromWorker::Beat { instance, draining, running }
            }
            DispatchInput::Done { worker: _, job, epoch, answer } => FromWorker::Done {
                job: job.0,
                epoch,
                conditions: answer.conditions.as_ref().to_owned(),
                outcome: answer.outcome.as_ref().to_owned(),
                report: answer.report.as_ref().to_owned(),
            },
            DispatchInput::Faulted { worker: _, job, epoch, reason } => {
                FromWorker::Faulted { job: job.0, epoch, reason: reason.as_ref().to_owned() }
            }
            DispatchInput::Released { worker: _, job, epoch } => FromWorker::Released { job: job.0, epoch },
            DispatchInput::Submitted(_)
            | DispatchInput::Cancel(_)
            | DispatchInput::Readmit(_)
            | DispatchInput::Tick => return None,
        })
    }

    /// Returns the coordinator's event for this message. `worker` is the worker that sent the message.
    pub fn into_input(self, worker: &str) -> DispatchInput {
        let worker = WorkerId::new(worker);
        match self {
            FromWorker::Hello { machine, instance, pool, slots, languages, draining, traits, canary } => {
                let hello = WorkerHello { worker, machine, instance, pool, slots, languages, draining, traits, canary };
                DispatchInput::Hello(hello)
            }
            FromWorker::Start { instance, request, rung } => {
                DispatchInput::Start { worker, instance, request, rung: rung.map(JobNumber) }
            }
            FromWorker::Beat { instance, draining, running } => {
                let running = running.into_iter().map(|(job, epoch)| (JobNumber(job), epoch)).collect();
                DispatchInput::Beat { worker, instance, draining, running }
            }
            FromWorker::Done { job, epoch, conditions, outcome, report } => {
                let (conditions, outcome, report) = (conditions.into(), outcome.into(), report.into());
                let answer = JobAnswer { conditions, outcome, report };
                DispatchInput::Done { worker, job: JobNumber(job), epoch, answer }
            }
            FromWorker::Faulted { job, epoch, reason } => {
                DispatchInput::Faulted { worker, job: JobNumber(job), epoch, reason: reason.into() }
            }
            FromWorker::Released { job, epoch } => DispatchInput::Released { worker, job: JobNumber(job), epoch },
        }
    }
}

impl ToWorker {
    /// Returns the message for an output, with the worker that receives it; `None` if the output is not a message to
    /// one worker. `order` returns the content of a granted job.
    pub fn of(output: &DispatchOutput, order: impl FnOnce(&JobRow) -> String) -> Option<(WorkerId, ToWorker)> {
        match output.clone() {
            DispatchOutput::Grant(row) => {
                let order = order(&row);
                let JobHolder { worker, instance, request } = row.holder?;
                let JobSpec { submission, pool, priority, owner, needs, key } = (*row.spec).clone();
                let (job, epoch) = (row.number.0, row.epoch);
                let granted =
                    GrantedJob { job, epoch, instance, request, submission, pool, priority, owner, needs, key, order };
                Some((worker, ToWorker::Grant(granted)))
            }
            DispatchOutput::Refuse { worker, instance, request, reason } => {
                let reason = DENIALS.iter().find(|(denial, _)| *denial == reason)?.1.to_owned();
                Some((worker, ToWorker::Refuse { instance, request, reason }))
            }
            DispatchOutput::Reject { worker, instance, reason } => {
                Some((worker, ToWorker::Reject { instance, reason: reason.as_ref().to_owned() }))
            }
            DispatchOutput::Admission { worker, instance, reason } => {
                let reason = reason.map(|reason| reason.as_ref().to_owned());
                Some((worker, ToWorker::Admission { instance, reason }))
            }
            DispatchOutput::Settled { worker, job, epoch } => Some((worker, ToWorker::Settled { job: job.0, epoch })),
            DispatchOutput::Cancel { worker, job, epoch } => Some((worker, ToWorker::Cancel { job: job.0, epoch })),
            DispatchOutput::Ring { .. } | DispatchOutput::Changed(_) | DispatchOutput::SetAside(..) => None,
        }
    }

    /// Returns the coordinator's output from which this message was created. `worker` is the worker that received the
    /// message. The row of a granted job contains only the data of the message.
    pub fn into_output(self, worker: &WorkerId) -> DispatchOutput {
        let worker = worker.clone();
        match self {
            ToWorker::Grant(granted) => {
                let GrantedJob {
                    job,
                    epoch,
                    instance,
                    request,
                    submission,
                    pool,
                    priority,
                    owner,
                    needs,
                    key,
                    order: _,
                } = granted;
                let spec = JobSpec { submission, pool, priority, owner, needs, key };
                let holder = Some(JobHolder { worker, instance, request });
                let row = JobRow::queued(JobNumber(job), spec, Moment::default());
                DispatchOutput::Grant(Box::new(JobRow { stage: JobStage::Running, epoch, holder, ..row }))
            }
            ToWorker::Refuse { instance, request, reason } => {
                let known = DENIALS.iter().find(|(_, name)| *name == reason);
                let reason = known.map_or(Denial::Nothing, |(denial, _)| *denial);
                DispatchOutput::Refuse { worker, instance, request, reason }
            }
            ToWorker::Reject { instance, reason } => DispatchOutput::Reject { worker, instance, reason: reason.into() },
            ToWorker::Admission { instance, reason } => {
                DispatchOutput::Admission { worker, instance, reason: reason.map(Arc::from) }
            }
            ToWorker::Settled { job, epoch } => DispatchOutput::Settled { worker, job: JobNumber(job), epoch },
            ToWorker::Cancel { job, epoch } => DispatchOutput::Cancel { worker, job: JobNumber(job), epoch },
        }
    }
}

/// Writes a message as JSON.
pub(super) fn to_json(message: &impl Serialize) -> Result<Vec<u8>, WireError> {
    Ok(serde_json::to_vec(message)?)
}

/// Returns the reason with which a worker reports a fault on a job whose thread has panicked.
pub(super) fn panicked() -> Arc<str> {
    "a thread of the worker panicked while it judged the program".into()
}

#[cfg(test)]
#[path = "wire_message_tests.rs"]
mod tests;
