//! The thread that hands submissions to the queue of the cluster, and reports what happens to their jobs.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use nimatron_cluster::{CoordinatorEdge, JobEvents};
use tokio::runtime::Handle;

use crate::clock::now_ms;
use crate::model::{Digest, Event, Failure, Fault, FaultKind};
use crate::queue::{JobNumber, JobRow, JobSpec, JobStage, Moment, NewProgram};
use crate::service::{JudgeOptions, ProblemSource, SourceBundle};
use crate::submissions::{RemoteDesk, RemoteEnd, SubmissionId};

use super::cluster_hooks::{ClusterHooks, queue_failure};
use super::work_order::{JobRequest, WorkResult};

/// Maximum number of messages that are handled together.
const BATCH: usize = 1_000;
/// The time after which work that failed is tried again, and after which changes of other coordinators are read.
const TICK: Duration = Duration::from_secs(1);
/// The age, in milliseconds, up to which changes of other coordinators are read again, because a transaction becomes
/// visible later than the time that it records, and clocks differ.
const OVERLAP_MS: u64 = 10_000;

/// A message to the thread.
#[derive(Debug)]
pub(super) enum DeskMessage {
    /// A submission was stored.
    Submitted(SubmissionId),
    /// The cancellation of submissions was stored.
    Cancelled(Vec<SubmissionId>),
    /// A job changed in the queue.
    Changed(JobNumber),
    /// A worker sent events of a job.
    Events(JobEvents),
    /// The process is about to end.
    End,
}

/// The thread between the submissions and the queue of the cluster. What fails because of a fault is tried again.
pub(super) struct DeskThread {
    pub desk: RemoteDesk,
    pub hooks: Arc<ClusterHooks>,
    pub edge: Arc<CoordinatorEdge>,
    pub runtime: Handle,
    pub pool: String,
    /// Whether other coordinators use the queue too.
    pub is_shared: bool,
    /// The submissions that are not in the queue yet.
    pub waiting: BTreeSet<SubmissionId>,
    /// The submissions whose cancellation the queue has not stored yet.
    pub cancelled: BTreeSet<SubmissionId>,
    /// The jobs of submissions that have not ended.
    pub jobs: BTreeMap<JobNumber, SubmissionId>,
    /// The numbers of these jobs by their submissions.
    pub numbers: HashMap<SubmissionId, JobNumber>,
    /// The jobs whose state in the queue was not reported yet.
    pub changed: BTreeSet<JobNumber>,
    /// The ends that could not be stored.
    pub ends: Vec<(SubmissionId, RemoteEnd)>,
}

impl DeskThread {
    /// Handles messages until the process is about to end.
    pub(super) fn run(mut self, inbox: &Receiver<DeskMessage>) {
        let mut read = Instant::now();
        loop {
            let first = match inbox.recv_timeout(TICK) {
                Ok(message) => Some(message),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => return,
            };
            for message in first.into_iter().chain(inbox.try_iter().take(BATCH - 1)) {
                match message {
                    DeskMessage::Submitted(id) => _ = self.waiting.insert(id),
                    DeskMessage::Cancelled(ids) => self.cancelled.extend(ids),
                    DeskMessage::Changed(job) => _ = self.changed.insert(job),
                    DeskMessage::Events(events) => self.events(events),
                    DeskMessage::End => return,
                }
            }
            if self.is_shared && read.elapsed() >= TICK {
                read = Instant::now();
                self.read_others();
            }
            self.submit();
            self.cancel();
            self.report();
            self.store_ends();
        }
    }

    /// Hands the waiting submissions to the queue, in one transaction.
    fn submit(&mut self) {
        let mut programs = Vec::new();
        let mut ids = Vec::new();
        for id in self.waiting.clone() {
            match self.program(&id) {
                Ok(Some(program)) => {
                    programs.push(program);
                    ids.push(id);
                }
                Ok(None) => _ = self.waiting.remove(&id),
                Err(failure @ Failure::Complaint(_)) => {
                    self.waiting.remove(&id);
                    self.ends.push((id, RemoteEnd::Failed(failure)));
                }
                Err(fault) => self.desk.note(&fault),
            }
        }
        if programs.is_empty() {
            return;
        }
        match self.runtime.block_on(self.edge.submit(programs)) {
            Ok(numbers) => {
                for (id, number) in ids.into_iter().zip(numbers) {
                    self.waiting.remove(&id);
                    self.jobs.insert(number, id.clone());
                    self.numbers.insert(id, number);
                    // A job of an earlier process may have ended.
                    self.changed.insert(number);
                }
            }
            Err(error) => self.desk.note(&Failure::fault(FaultKind::Data, error.to_string())),
        }
    }

    /// Returns the program of a submission for the queue; `None` if the submission does not exist.
    fn program(&self, id: &SubmissionId) -> Result<Option<NewProgram>, Failure> {
        let Some((new, options)) = self.desk.submission(id)? else { return Ok(None) };
        let options: JudgeOptions = options?;
        let source = SourceBundle { language: new.language.clone(), ..SourceBundle::of_text(&new.name, &*new.source) };
        let located = self.desk.finder().find(&new.problem)?.source;
        let problem = self.hooks.bundles.bundle(&located, false)?;
        let needs = self.needs(&located, problem, &source)?;
        let request = serde_json::to_vec(&JobRequest { source, options })
            .map_err(|error| Fault::io(FaultKind::Data, &error.into()).context("cannot write a request"))?;
        let parts = [self.pool.as_bytes(), problem.bytes(), &request];
        let spec = JobSpec {
            submission: id.to_string(),
            pool: self.pool.clone(),
            priority: new.priority,
            owner: new.person,
            needs,
            key: Digest::of_parts(parts).to_string(),
        };
        let (name, language, kind) = (new.name, new.language, new.kind.name().to_owned());
        let problem = new.problem.to_string();
        Ok(Some(NewProgram { spec, problem, name, language, kind, source: request, input: None, reuse: None }))
    }

    /// Returns the languages that a worker must have: those of the problem's own programs, and that of the submission.
    fn needs(
        &self,
        located: &ProblemSource,
        problem: Digest,
        source: &SourceBundle,
    ) -> Result<BTreeSet<String>, Failure> {
        let mut needs = self.hooks.languages(located, problem)?;
        match (self.desk.service().host().languages().from_bundle(source), located) {
            (Ok(program), _) => _ = needs.insert(program.language().id.clone()),
            // In a package, answers may be submitted instead of a program.
            (Err(_), ProblemSource::Package(_)) => {}
            (Err(failure), _) => return Err(failure),
        }
        Ok(needs)
    }

    /// Cancels the jobs of submissions whose cancellation is stored, in one transaction.
    fn cancel(&mut self) {
        let mut jobs = Vec::new();
        let mut known = Vec::new();
        for id in &self.cancelled {
            match self.numbers.get(id) {
                Some(number) => {
                    jobs.push(*number);
                    known.push(id.clone());
                }
                // The job may be in the queue since an earlier process, so its number is needed first.
                None => _ = self.waiting.insert(id.clone()),
            }
        }
        if jobs.is_empty() {
            return;
        }
        match self.runtime.block_on(self.edge.cancel(jobs.clone())) {
            Ok(()) => {
                self.changed.extend(jobs);
                known.iter().for_each(|id| _ = self.cancelled.remove(id));
            }
            Err(error) => self.desk.note(&Failure::fault(FaultKind::Data, error.to_string())),
        }
    }

    /// Notes which jobs of this process any coordinator has changed.
    fn read_others(&mut self) {
        let now = u64::try_from(now_ms()).unwrap_or_default();
        match self.hooks.store.changed_since(Moment(now.saturating_sub(OVERLAP_MS))) {
            Ok(rows) => {
                let own = rows.iter().map(|row| row.number).filter(|number| self.jobs.contains_key(number));
                self.changed.extend(own.collect::<Vec<_>>());
            }
            Err(error) => self.desk.note(&queue_failure(error)),
        }
    }

    /// Reports the states of the jobs that have changed.
    fn report(&mut self) {
        for number in std::mem::take(&mut self.changed) {
            if let Err(failure) = self.report_job(number) {
                self.desk.note(&failure);
                self.changed.insert(number);
            }
        }
    }

    fn report_job(&mut self, number: JobNumber) -> Result<(), Failure> {
        let Some(id) = self.jobs.get(&number) else { return Ok(()) };
        let Some(row) = self.hooks.store.job(number).map_err(queue_failure)? else { return Ok(()) };
        let end = match row.stage {
            JobStage::Queued => return self.desk.requeued(id),
            JobStage::Running => return self.desk.started(id, row.epoch),
            JobStage::Finished => result_of(&row),
            JobStage::Parked => {
                let reason = row.reason.as_deref().unwrap_or("the judge failed");
                RemoteEnd::Failed(Failure::fault(FaultKind::Internal, reason))
            }
            JobStage::Cancelled => RemoteEnd::Cancelled,
        };
        self.ends.push((id.clone(), end));
        Ok(())
    }

    fn store_ends(&mut self) {
        if self.ends.is_empty() {
            return;
        }
        match self.desk.ended(&self.ends) {
            Ok(()) => {
                for (id, _) in self.ends.drain(..) {
                    if let Some(number) = self.numbers.remove(&id) {
                        self.jobs.remove(&number);
                    }
                }
            }
            Err(failure) => self.desk.note(&failure),
        }
    }

    fn events(&mut self, events: JobEvents) {
        let number = JobNumber(events.job);
        // A change that is not reported yet, such as the start of the job, is reported before the events.
        if self.changed.remove(&number)
            && let Err(failure) = self.report_job(number)
        {
            self.desk.note(&failure);
            self.changed.insert(number);
        }
        let Some(id) = self.jobs.get(&number) else { return };
        let read: Vec<Event> = events.events.iter().filter_map(|json| serde_json::from_str(json).ok()).collect();
        if let Err(failure) = self.desk.events(id, events.epoch, read) {
            self.desk.note(&failure);
        }
    }
}

/// Returns the end of a submission whose job has a result.
fn result_of(row: &JobRow) -> RemoteEnd {
    let result = row.answer.as_ref().map(|answer| WorkResult::of_text(&answer.report));
    match result {
        Some(Ok(WorkResult::Judged(report))) => RemoteEnd::Judged(report),
        Some(Ok(WorkResult::Refused(reason))) => RemoteEnd::Failed(Failure::complaint(reason)),
        Some(Err(fault)) => RemoteEnd::Failed(fault.into()),
        None => RemoteEnd::Failed(Failure::fault(
            FaultKind::Internal,
            format!("{} is finished, but has no result", row.number),
        )),
    }
}
