//! The thread that adds submissions to the queue of the cluster, and reports the progress of their jobs.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use nimatron_cluster::{CoordinatorEdge, JobEvents, ReceivedEvents};
use tokio::runtime::Handle;

use crate::clock::now_ms;
use crate::model::{Digest, Event, Failure, FaultKind};
use crate::queue::{JobNumber, JobRow, JobSpec, JobStage, Moment, NewProgram};
use crate::service::{ProblemSource, SourceBundle};
use crate::submissions::{NewSubmission, ProgramOrder, RemoteEnd, RemoteResults, SubmissionId};

use super::cluster_hooks::{ClusterHooks, queue_failure};
use super::forwarded_job::ForwardedJob;
use super::forwarder_backlog::ForwarderBacklog;
use super::work_order::WorkResult;

/// Maximum number of messages that are handled together.
const BATCH: usize = 1_000;
/// Maximum number of outcomes that are stored in one transaction, because each may hold a whole report.
const ENDS: usize = 16;
/// Maximum number of submissions that are added to the queue in a single transaction.
const TOGETHER: usize = 200;
/// Total size, in bytes, of the programs in a transaction. Once it is reached, no further submissions are added to the
/// transaction.
const ENOUGH: usize = 16 << 20;
/// Interval at which failed work is retried and changes of other coordinators are read.
const TICK: Duration = Duration::from_secs(1);
/// The time for which the queue retains ended jobs with their programs and results, in milliseconds: seven days.
const KEPT_MS: u64 = 7 * 86_400_000;
/// Interval at which jobs that ended more than [`KEPT_MS`] ago are removed.
const CLEANUP_INTERVAL: Duration = Duration::from_secs(3_600);
/// Maximum number of jobs that are removed in one transaction.
const CLEANUP_BATCH: u32 = 500;
/// The age, in milliseconds, up to which changes of other coordinators are read again, because a transaction becomes
/// visible later than the time that it records, and clocks differ.
const OVERLAP_MS: u64 = 10_000;

/// A message to the forwarder thread.
#[derive(Debug)]
pub(super) enum ForwarderMessage {
    /// A submission was stored.
    Submitted(SubmissionId),
    /// The cancellation of submissions was stored.
    Cancelled(Vec<SubmissionId>),
    /// A job changed in the queue.
    Changed(JobNumber),
    /// A worker sent events of a job.
    Events(ReceivedEvents),
    /// The process is about to end.
    End,
}

/// The state of the thread that adds submissions to the queue of the cluster and returns the results of their jobs. An
/// operation that fails because of a fault is retried.
pub(super) struct SubmissionForwarder {
    pub results: RemoteResults,
    pub hooks: Arc<ClusterHooks>,
    pub edge: Arc<CoordinatorEdge>,
    pub runtime: Handle,
    pub pool: String,
    /// Whether other coordinators use the queue too.
    pub is_shared: bool,
    /// Whether the process is about to end.
    pub is_ending: Arc<AtomicBool>,
    /// The submissions that are not in the queue yet.
    pub backlog: ForwarderBacklog,
    /// The submissions whose cancellation the queue has not stored yet.
    pub cancelled: HashSet<SubmissionId>,
    /// The jobs of submissions that have not ended.
    pub jobs: BTreeMap<JobNumber, ForwardedJob>,
    /// The numbers of the jobs in `jobs`, by submission.
    pub numbers: HashMap<SubmissionId, JobNumber>,
    /// The jobs whose current state in the queue has not been reported yet.
    pub changed: BTreeSet<JobNumber>,
    /// The outcomes of ended submissions that are not stored yet.
    pub ends: Vec<(SubmissionId, RemoteEnd)>,
}

impl SubmissionForwarder {
    /// Handles messages until the process is about to end.
    pub(super) fn run(mut self, inbox: &Receiver<ForwarderMessage>) {
        let mut read = Instant::now();
        let mut cleaned = None::<Instant>;
        loop {
            let first = match inbox.recv_timeout(TICK) {
                Ok(message) => Some(message),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => return,
            };
            for message in first.into_iter().chain(inbox.try_iter().take(BATCH - 1)) {
                match message {
                    ForwarderMessage::Submitted(id) => self.backlog.push(id),
                    ForwarderMessage::Cancelled(ids) => self.cancelled.extend(ids),
                    ForwarderMessage::Changed(job) => _ = self.changed.insert(job),
                    ForwarderMessage::Events(events) => self.events(events),
                    ForwarderMessage::End => return,
                }
            }
            if cleaned.is_none_or(|cleaned| cleaned.elapsed() >= CLEANUP_INTERVAL) {
                cleaned = Some(Instant::now());
                self.remove_ended();
            }
            if self.is_shared && read.elapsed() >= TICK {
                read = Instant::now();
                self.read_others();
            }
            self.cancel();
            while self.submit() {}
            self.report();
        }
    }

    /// Returns whether the process is about to end. If so, no further results may be reported.
    fn is_ending(&self) -> bool {
        self.is_ending.load(Ordering::SeqCst)
    }

    /// Adds the next submissions to the queue, in one transaction. Returns whether submissions were added, so that the
    /// caller may immediately add further submissions.
    fn submit(&mut self) -> bool {
        let (mut ids, mut programs) = (Vec::new(), Vec::new());
        let mut size = 0;
        while ids.len() < TOGETHER
            && size < ENOUGH
            && let Some(id) = self.backlog.next(Instant::now())
        {
            match self.program(&id) {
                Ok(Some(Ok(program))) => {
                    size += program.source.len();
                    programs.push(program);
                    ids.push(id);
                }
                Ok(Some(Err(failure))) => self.unreadable(id, failure),
                Ok(None) => self.backlog.forget(&id),
                Err(fault) => {
                    self.results.note(&fault);
                    self.backlog.postpone(id, Instant::now());
                }
            }
        }
        if programs.is_empty() || self.is_ending() {
            return false;
        }
        match self.runtime.block_on(self.edge.submit(programs)) {
            Ok(numbers) => {
                for (id, number) in ids.into_iter().zip(numbers) {
                    self.backlog.forget(&id);
                    self.follow(id, number);
                }
                true
            }
            Err(error) => {
                self.backlog.put_back(ids);
                self.results.note(&Failure::fault(FaultKind::Data, error.to_string()));
                false
            }
        }
    }

    /// Starts to follow the job of a submission. An earlier process may have created the job, and the job may have
    /// ended.
    fn follow(&mut self, id: SubmissionId, number: JobNumber) {
        self.jobs.entry(number).or_insert_with(|| ForwardedJob { id: id.clone(), attempt: None });
        self.numbers.insert(id, number);
        self.changed.insert(number);
    }

    /// Handles a submission that can't be added to the queue, because its problem or its options can't be read. If an
    /// earlier process added it to the queue, its job is followed. Otherwise, a complaint ends the submission
    /// immediately, and a fault ends it after several attempts.
    fn unreadable(&mut self, id: SubmissionId, failure: Failure) {
        match self.hooks.store.job_of(id.as_str()) {
            Ok(Some(row)) => {
                self.backlog.forget(&id);
                self.follow(id, row.number);
            }
            Ok(None) if matches!(failure, Failure::Fault(_)) && self.backlog.failed(&id, Instant::now()) => {
                self.results.note(&failure);
            }
            Ok(None) => {
                self.backlog.forget(&id);
                self.ends.push((id, RemoteEnd::Failed(failure)));
            }
            Err(error) => {
                self.results.note(&queue_failure(error));
                self.backlog.postpone(id, Instant::now());
            }
        }
    }

    /// Returns the program of a submission for the queue; `None` if the submission does not exist or has ended. The
    /// inner result is an error if the program or its options are invalid, or if its problem can't be read.
    fn program(&self, id: &SubmissionId) -> Result<Option<Result<NewProgram, Failure>>, Failure> {
        let Some((new, order)) = self.results.submission(id)? else { return Ok(None) };
        match order {
            Ok(order) => Ok(Some(self.program_of(id, new, &order))),
            Err(complaint @ Failure::Complaint(_)) => Ok(Some(Err(complaint))),
            Err(fault) => Err(fault),
        }
    }

    fn program_of(&self, id: &SubmissionId, new: NewSubmission, order: &ProgramOrder) -> Result<NewProgram, Failure> {
        let located = self.results.finder().find(&new.problem)?.source;
        let problem = self.hooks.bundles.bundle(&located, false)?;
        let needs = self.needs(&located, problem, &order.source)?;
        let request = order.to_input()?;
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
        Ok(NewProgram { spec, problem, name, language, kind, source: request, input: None, reuse: None })
    }

    /// Returns the languages that a worker must have: the languages of the problem's own programs, and the language of
    /// the submission.
    fn needs(
        &self,
        located: &ProblemSource,
        problem: Digest,
        source: &SourceBundle,
    ) -> Result<BTreeSet<String>, Failure> {
        let mut needs = self.hooks.languages(located, problem)?;
        match (self.results.service().host().languages().from_bundle(source), located) {
            (Ok(program), _) => _ = needs.insert(program.language().id.clone()),
            // In a package, answers may be submitted instead of a program.
            (Err(_), ProblemSource::Package(_)) => {}
            (Err(failure), _) => return Err(failure),
        }
        Ok(needs)
    }

    /// Cancels the jobs of the submissions in `cancelled` in one transaction. Submissions that the queue does not have
    /// end immediately.
    fn cancel(&mut self) {
        let mut jobs = Vec::new();
        let mut known = HashSet::new();
        let mut unknown = HashSet::new();
        for id in &self.cancelled {
            match self.number_of(id) {
                Ok(Some(number)) => {
                    jobs.push(number);
                    known.insert((id.clone(), number));
                }
                Ok(None) => _ = unknown.insert(id.clone()),
                Err(failure) => {
                    self.results.note(&failure);
                    break;
                }
            }
        }
        self.backlog.remove(&unknown);
        self.cancelled.retain(|id| !unknown.contains(id));
        self.ends.extend(unknown.into_iter().map(|id| (id, RemoteEnd::Cancelled)));
        if jobs.is_empty() || self.is_ending() {
            return;
        }
        match self.runtime.block_on(self.edge.cancel(jobs)) {
            Ok(()) => {
                for (id, number) in known {
                    self.cancelled.remove(&id);
                    self.follow(id, number);
                }
            }
            Err(error) => self.results.note(&Failure::fault(FaultKind::Data, error.to_string())),
        }
    }

    /// Returns the number of a submission's job, which an earlier process may have added to the queue; `None` if the
    /// queue does not have the submission.
    fn number_of(&self, id: &SubmissionId) -> Result<Option<JobNumber>, Failure> {
        if let Some(number) = self.numbers.get(id) {
            return Ok(Some(*number));
        }
        let job = self.hooks.store.job_of(id.as_str()).map_err(queue_failure)?;
        Ok(job.map(|row| row.number))
    }

    /// Adds to `changed` the jobs in `jobs` that any coordinator has changed recently.
    fn read_others(&mut self) {
        let now = u64::try_from(now_ms()).unwrap_or_default();
        match self.hooks.store.changed_since(Moment(now.saturating_sub(OVERLAP_MS))) {
            Ok(rows) => {
                let own = rows.iter().map(|row| row.number).filter(|number| self.jobs.contains_key(number));
                self.changed.extend(own.collect::<Vec<_>>());
            }
            Err(error) => self.results.note(&queue_failure(error)),
        }
    }

    /// Removes jobs that ended more than [`KEPT_MS`] ago from the queue. Their results remain in the submission store.
    /// If that store still lists the submission of a removed job as unfinished, the submission is queued again later.
    fn remove_ended(&self) {
        let now = u64::try_from(now_ms()).unwrap_or_default();
        let before = Moment(now.saturating_sub(KEPT_MS));
        loop {
            match self.hooks.store.remove_ended(before, CLEANUP_BATCH) {
                Ok(removed) if removed == u64::from(CLEANUP_BATCH) && !self.is_ending() => {}
                Ok(_) => return,
                Err(error) => return self.results.note(&queue_failure(error)),
            }
        }
    }

    /// Reports the states of the jobs that have changed, and stores the outcomes of ended submissions.
    fn report(&mut self) {
        let mut failed = BTreeSet::new();
        // If outcomes cannot be stored, the remaining jobs are reported in a later call.
        while self.ends.len() < ENDS
            && let Some(number) = self.changed.pop_first()
        {
            if self.is_ending() {
                self.changed.insert(number);
                break;
            }
            if let Err(failure) = self.report_job(number) {
                self.results.note(&failure);
                failed.insert(number);
            }
            if self.ends.len() >= ENDS {
                self.store_ends();
            }
        }
        self.changed.append(&mut failed);
        self.store_ends();
    }

    fn report_job(&mut self, number: JobNumber) -> Result<(), Failure> {
        let Some(job) = self.jobs.get_mut(&number) else { return Ok(()) };
        let Some(row) = self.hooks.store.job(number).map_err(queue_failure)? else { return Ok(()) };
        job.is_now(&row);
        let id = &job.id;
        let end = match row.stage {
            JobStage::Queued => return self.results.requeued(id),
            JobStage::Running => return self.results.started(id, row.epoch),
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
        if self.ends.is_empty() || self.is_ending() {
            return;
        }
        match self.results.ended(&self.ends) {
            Ok(()) => {
                for (id, _) in self.ends.drain(..) {
                    if let Some(number) = self.numbers.remove(&id) {
                        self.jobs.remove(&number);
                    }
                }
            }
            Err(failure) => self.results.note(&failure),
        }
    }

    fn events(&mut self, received: ReceivedEvents) {
        let number = JobNumber(received.events.job);
        // A change that is not reported yet, such as the start of the job, is reported before the events.
        if self.changed.remove(&number)
            && let Err(failure) = self.report_job(number)
        {
            self.results.note(&failure);
            self.changed.insert(number);
        }
        if self.ends.len() >= ENDS {
            self.store_ends();
        }
        let Some(job) = self.jobs.get_mut(&number) else { return };
        if !job.attempt.as_mut().is_some_and(|attempt| attempt.takes(&received.worker, &received.events)) {
            return;
        }
        let JobEvents { epoch, events, .. } = &received.events;
        let read: Vec<Event> = events.iter().filter_map(|json| serde_json::from_str(json).ok()).collect();
        if let Err(failure) = self.results.events(&job.id, *epoch, read) {
            self.results.note(&failure);
        }
    }
}

/// Returns the outcome of a submission whose job has a result.
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
