//! The worker's part of the queue protocol: decides which messages a worker sends and which jobs it runs.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::job::{JobAnswer, JobNumber, JobRow};
use super::messages::{Denial, DispatchInput, DispatchOutput, WorkerHello};
use super::worker_traits::CanaryResult;

/// Time, in milliseconds, after which an unanswered message is sent again.
const AGAIN_MS: u64 = 1_500;
/// Interval between two heartbeats, in milliseconds. A lease is longer than four times this interval.
const BEAT_MS: u64 = 3_000;
/// The number of times that a request for a job is sent before the request is given up.
const MAX_UNANSWERED: u32 = 4;

/// An action that a worker's process must carry out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WorkerAct {
    /// Send a message to one coordinator, regardless of which.
    Send(DispatchInput),
    /// Send a message to all coordinators.
    Publish(DispatchInput),
    /// Call [`WorkerSession::wake`] with this alarm after the specified number of milliseconds.
    Wake(u64, WorkerAlarm),
    /// Run a job, and call [`WorkerSession::ended`] when the run has ended.
    Run(Box<JobRow>),
    /// Stop the run of the job with this number and epoch, because its result no longer counts.
    Stop(JobNumber, u64),
    /// Report to the operator the reason why the worker receives no jobs, or, with `None`, that it receives jobs again.
    Tell(Option<Arc<str>>),
    /// End the process: the worker has drained, or a later process of the same worker exists.
    Quit,
    /// End the process with this error.
    Fail(Arc<str>),
}

/// The reason for a call of [`WorkerSession::wake`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WorkerAlarm {
    /// The next heartbeat is due.
    Beat,
    /// The request with this number is sent again, or given up, if it has no answer.
    Request(u64),
    /// The report on the job with this number and this epoch is sent again if it has no answer.
    Report(JobNumber, u64),
}

/// The state of a worker: a state machine without a clock and I/O, like [`Dispatch`](super::Dispatch).
///
/// A worker repeats a report until a coordinator confirms that the report was handled or refused, so that no result is
/// lost. It repeats a request for a job a few times, and then gives the request up, because the coordinator may be
/// down. Its other messages are not repeated: if a message is lost, a later heartbeat corrects the state of the
/// coordinators.
#[derive(Debug)]
pub struct WorkerSession {
    hello: WorkerHello,
    request: u64,
    /// The unanswered requests, by request number: the number of times that each was sent, and the job whose ring
    /// caused it, if any.
    requests: BTreeMap<u64, (u32, Option<JobNumber>)>,
    /// The jobs that the worker holds, by number and epoch. The value is `None` while the job runs, and afterwards the
    /// report on the job, until a coordinator confirms the report.
    jobs: BTreeMap<(JobNumber, u64), Option<DispatchInput>>,
    /// The reason why the worker receives no jobs; `None` if it receives jobs.
    excluded: Option<Arc<str>>,
}

impl WorkerSession {
    /// Creates the session of a worker, and returns it with the first actions: to register and to schedule a heartbeat.
    /// The instance in `hello` must be higher than that of each earlier process of the worker.
    pub fn start(hello: WorkerHello) -> (WorkerSession, Vec<WorkerAct>) {
        let (requests, jobs) = (BTreeMap::new(), BTreeMap::new());
        let session = WorkerSession { hello, request: 0, requests, jobs, excluded: None };
        let acts = vec![session.registration(), WorkerAct::Wake(BEAT_MS, WorkerAlarm::Beat)];
        (session, acts)
    }

    /// Returns the registration of the worker.
    pub fn hello(&self) -> &WorkerHello {
        &self.hello
    }

    /// Returns whether the worker has no jobs.
    pub fn is_idle(&self) -> bool {
        self.jobs.is_empty()
    }

    /// Returns how many more requests for jobs the worker may send now: 0 if the worker is draining or is excluded from
    /// receiving jobs.
    pub fn free_slots(&self) -> usize {
        let taken = self.jobs.len() + self.requests.len();
        if self.hello.draining || self.excluded.is_some() { 0 } else { self.hello.slots.saturating_sub(taken) }
    }

    /// Stops requesting jobs. The worker quits at its first heartbeat without a job.
    pub fn drain(&mut self) {
        self.hello.draining = true;
    }

    /// Records a new calibration and canary result of the worker, and registers the worker again if either has changed.
    pub fn update_traits(&mut self, calibration_us: Option<u64>, canary: Option<CanaryResult>) -> Vec<WorkerAct> {
        let before = self.hello.clone();
        if let Some(calibration_us) = calibration_us {
            Arc::make_mut(&mut self.hello.traits).calibration_us = calibration_us;
        }
        if canary.is_some() {
            self.hello.canary = canary.map(Arc::new);
        }
        if self.hello == before { Vec::new() } else { vec![self.registration()] }
    }

    /// Returns the actions that request a job; none if no slot is free. `rung` is the job whose ring the request
    /// answers, if any.
    pub fn ask(&mut self, rung: Option<JobNumber>) -> Vec<WorkerAct> {
        if self.free_slots() == 0 {
            return Vec::new();
        }
        self.request += 1;
        self.requests.insert(self.request, (1, rung));
        self.send_request(self.request, rung)
    }

    /// Handles a message from a coordinator, and returns the resulting actions.
    pub fn take(&mut self, message: DispatchOutput) -> Vec<WorkerAct> {
        match message {
            DispatchOutput::Grant(row) => self.take_job(row),
            DispatchOutput::Refuse { instance, request, reason, .. } if instance == self.hello.instance => {
                let asked = request.and_then(|request| self.requests.remove(&request));
                match (reason, asked) {
                    (Denial::Unknown, _) => vec![self.registration()],
                    (Denial::Superseded, _) => vec![WorkerAct::Quit],
                    (Denial::Again, Some((_, rung))) => self.ask(rung),
                    _ => Vec::new(),
                }
            }
            DispatchOutput::Reject { instance, reason, .. } if instance == self.hello.instance => {
                vec![WorkerAct::Fail(reason)]
            }
            DispatchOutput::Admission { instance, reason, .. } if instance == self.hello.instance => {
                self.admitted(reason)
            }
            DispatchOutput::Settled { job, epoch, .. } | DispatchOutput::Cancel { job, epoch, .. } => {
                let Some(report) = self.jobs.remove(&(job, epoch)) else { return Vec::new() };
                let stop = report.is_none().then_some(WorkerAct::Stop(job, epoch));
                stop.into_iter().chain(self.ask(None)).collect()
            }
            _ => Vec::new(),
        }
    }

    fn admitted(&mut self, reason: Option<Arc<str>>) -> Vec<WorkerAct> {
        if self.excluded == reason {
            return Vec::new();
        }
        self.excluded.clone_from(&reason);
        std::iter::once(WorkerAct::Tell(reason)).chain(self.ask(None)).collect()
    }

    fn take_job(&mut self, row: Box<JobRow>) -> Vec<WorkerAct> {
        let (job, epoch) = (row.number, row.epoch);
        let Some(holder) = row.holder.as_ref().filter(|holder| holder.instance == self.hello.instance) else {
            return Vec::new();
        };
        if self.jobs.contains_key(&(job, epoch)) {
            return Vec::new();
        }
        if self.requests.remove(&holder.request).is_none() {
            // Either the request was given up, or this is a repeated grant of a job that has ended.
            let worker = self.hello.worker.clone();
            return vec![WorkerAct::Send(DispatchInput::Released { worker, job, epoch })];
        }
        self.jobs.insert((job, epoch), None);
        vec![WorkerAct::Run(row)]
    }

    /// Records that the run of a job has ended, with its result or the reason why the judge failed, and returns the
    /// actions that report it.
    pub fn ended(&mut self, job: JobNumber, epoch: u64, end: Result<JobAnswer, Arc<str>>) -> Vec<WorkerAct> {
        let worker = self.hello.worker.clone();
        let Some(report) = self.jobs.get_mut(&(job, epoch)) else { return Vec::new() };
        let message = match end {
            Ok(answer) => DispatchInput::Done { worker, job, epoch, answer },
            Err(reason) => DispatchInput::Faulted { worker, job, epoch, reason },
        };
        *report = Some(message.clone());
        vec![WorkerAct::Send(message), WorkerAct::Wake(AGAIN_MS, WorkerAlarm::Report(job, epoch))]
    }

    /// Handles an alarm that [`WorkerAct::Wake`] scheduled, and returns the resulting actions.
    pub fn wake(&mut self, alarm: WorkerAlarm) -> Vec<WorkerAct> {
        match alarm {
            WorkerAlarm::Beat => {
                let WorkerHello { worker, instance, draining, .. } = self.hello.clone();
                let running = self.jobs.keys().copied().collect();
                let beat = WorkerAct::Publish(DispatchInput::Beat { worker, instance, draining, running });
                // A drained worker quits after this heartbeat. Another machine may then register under the name of
                // the worker, so no other heartbeat may be sent.
                let has_drained = draining && self.jobs.is_empty();
                let next = if has_drained { WorkerAct::Quit } else { WorkerAct::Wake(BEAT_MS, WorkerAlarm::Beat) };
                // An excluded worker registers again, because the message that ends its exclusion may be lost, and the
                // answer to a registration contains the same information.
                let again = self.excluded.as_ref().map(|_| self.registration());
                std::iter::once(beat).chain(again).chain([next]).collect()
            }
            WorkerAlarm::Request(request) => {
                let Some((sent, rung)) = self.requests.get_mut(&request) else { return Vec::new() };
                if *sent == MAX_UNANSWERED {
                    self.requests.remove(&request);
                    return Vec::new();
                }
                *sent += 1;
                let rung = *rung;
                self.send_request(request, rung)
            }
            WorkerAlarm::Report(job, epoch) => {
                let Some(Some(report)) = self.jobs.get(&(job, epoch)) else { return Vec::new() };
                vec![WorkerAct::Send(report.clone()), WorkerAct::Wake(AGAIN_MS, WorkerAlarm::Report(job, epoch))]
            }
        }
    }

    fn registration(&self) -> WorkerAct {
        WorkerAct::Publish(DispatchInput::Hello(self.hello.clone()))
    }

    fn send_request(&self, request: u64, rung: Option<JobNumber>) -> Vec<WorkerAct> {
        let WorkerHello { worker, instance, .. } = self.hello.clone();
        let start = DispatchInput::Start { worker, instance, request, rung };
        vec![WorkerAct::Send(start), WorkerAct::Wake(AGAIN_MS, WorkerAlarm::Request(request))]
    }
}

#[cfg(test)]
#[path = "worker_session_tests.rs"]
mod tests;
