//! The worker's side of the queue: which messages a worker sends, and which jobs it runs.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::job::{JobAnswer, JobNumber, JobRow};
use super::messages::{Denial, DispatchInput, DispatchOutput, WorkerHello};
use super::worker_traits::CanaryResult;

/// The time after which a message without an answer is sent again.
const AGAIN_MS: u64 = 1_500;
/// The time between two beats: a lease lasts more than four of them.
const BEAT_MS: u64 = 3_000;
/// The number of times that a request for a job is sent before the request is given up.
const MAX_UNANSWERED: u32 = 4;

/// An act that a worker's process must carry out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WorkerAct {
    /// Send a message to any one coordinator.
    Send(DispatchInput),
    /// Send a message to all coordinators.
    Publish(DispatchInput),
    /// Call [`WorkerSession::wake`] after this number of milliseconds.
    Wake(u64, WorkerAlarm),
    /// Run a job, and call [`WorkerSession::ended`] at its end.
    Run(Box<JobRow>),
    /// Stop this job, which runs with this epoch, because a result with this epoch no longer counts.
    Stop(JobNumber, u64),
    /// Report to the operator that the worker gets no jobs, with the reason, or that it gets jobs again.
    Tell(Option<Arc<str>>),
    /// End the process: the worker has drained, or a later process of the same worker exists.
    Quit,
    /// End the process with this error.
    Fail(Arc<str>),
}

/// The reason for a call of [`WorkerSession::wake`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WorkerAlarm {
    /// The next beat is due.
    Beat,
    /// The request with this number is sent again, or given up, if it has no answer.
    Request(u64),
    /// The report on a job, given to the worker with this epoch, is sent again if it has no answer.
    Report(JobNumber, u64),
}

/// The state of a worker: a state machine without a clock and I/O, as [`Dispatch`](super::Dispatch) is.
///
/// A worker repeats a report until a coordinator confirms that the report was handled or refused, so that no result is
/// lost. It repeats a request for a job a few times, and then gives the request up, because the coordinator may be
/// down. Its other messages are not repeated: if one is lost, a beat corrects what the coordinators know.
#[derive(Debug)]
pub struct WorkerSession {
    hello: WorkerHello,
    request: u64,
    /// The unanswered requests, by request number: how often each was sent, and the job whose notification caused it,
    /// if any.
    requests: BTreeMap<u64, (u32, Option<JobNumber>)>,
    /// The jobs that the worker has, by number and epoch: `None` while the job runs, and then the report on the job.
    jobs: BTreeMap<(JobNumber, u64), Option<DispatchInput>>,
    /// The reason why the worker gets no jobs; `None` if it gets jobs.
    excluded: Option<Arc<str>>,
}

impl WorkerSession {
    /// Starts a worker. The instance in `hello` must be higher than that of each earlier process of the worker.
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

    /// Returns the number of requests for a job that the worker may send now; 0 if the worker is draining or gets no jobs.
    pub fn free_slots(&self) -> usize {
        let taken = self.jobs.len() + self.requests.len();
        if self.hello.draining || self.excluded.is_some() { 0 } else { self.hello.slots.saturating_sub(taken) }
    }

    /// Stops requesting jobs. The worker quits at the first beat at which it has no job.
    pub fn drain(&mut self) {
        self.hello.draining = true;
    }

    /// Records news about the worker, and registers the worker again if they change what the coordinators know.
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

    /// Requests a job, if a slot is free. `rung` is the job whose ring the request answers, if any.
    pub fn ask(&mut self, rung: Option<JobNumber>) -> Vec<WorkerAct> {
        if self.free_slots() == 0 {
            return Vec::new();
        }
        self.request += 1;
        self.requests.insert(self.request, (1, rung));
        self.send_request(self.request, rung)
    }

    /// Handles a message of a coordinator.
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
            // The request was given up, or the job has ended and its grant arrives again.
            let worker = self.hello.worker.clone();
            return vec![WorkerAct::Send(DispatchInput::Released { worker, job, epoch })];
        }
        self.jobs.insert((job, epoch), None);
        vec![WorkerAct::Run(row)]
    }

    /// Reports the end of a job: its result, or the reason why the judge failed.
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

    /// Handles an alarm.
    pub fn wake(&mut self, alarm: WorkerAlarm) -> Vec<WorkerAct> {
        match alarm {
            WorkerAlarm::Beat => {
                let WorkerHello { worker, instance, draining, .. } = self.hello.clone();
                let running = self.jobs.keys().copied().collect();
                let beat = WorkerAct::Publish(DispatchInput::Beat { worker, instance, draining, running });
                // After the last beat of a drained worker, another machine may use its name.
                let has_drained = draining && self.jobs.is_empty();
                let next = if has_drained { WorkerAct::Quit } else { WorkerAct::Wake(BEAT_MS, WorkerAlarm::Beat) };
                // The message that ends the exclusion may be lost. The answer to a registration has the same content.
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
