//! Submissions that other machines judge. The queue stores and publishes the reported events and results.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::model::{Event, Failure, Fault, FaultKind, LogEntry, TimeSpan};
use crate::queue::DispatchView;
use crate::service::{JudgeService, RunReport};

use super::finder::{FoundProblem, ProblemFinder};
use super::id::SubmissionId;
use super::program_order::ProgramOrder;
use super::queue_state::{QueueShared, RunningSubmission};
use super::record::{JudgingState, NewSubmission, StoredEvent};
use super::run_log::{RunLog, live_event};
use super::store::SubmissionEnd;
use super::worker::{ending, is_recorded, record};

/// The machines that judge the submissions of a queue. `submit` and `cancel` return immediately; the results are
/// reported to the [`RemoteResults`].
pub trait RemotePool: Send + Sync {
    /// Passes a stored submission to the machines. A submission that was passed before, even by an earlier process, is
    /// not judged again.
    fn submit(&self, id: &SubmissionId);

    /// Cancels submissions. The requests to cancel them must already be stored.
    fn cancel(&self, ids: &[SubmissionId]);

    /// Returns the state of the queue and of the machines; `None` if it is currently unknown. The call may take up to
    /// two seconds.
    fn view(&self) -> Option<DispatchView>;

    /// Stops the threads of the pool within a few seconds. The pool reports no results afterwards.
    fn shutdown(&self);
}

/// A function that starts a pool, whose threads report to [`RemoteResults`].
pub type PoolStart = Box<dyn FnOnce(RemoteResults) -> Result<Box<dyn RemotePool>, Failure>>;

/// The outcome of a submission that was passed to other machines.
#[derive(Debug)]
pub enum RemoteEnd {
    /// The program was judged.
    Judged(Box<RunReport>),
    /// The program can't be judged, or the judge failed.
    Failed(Failure),
    /// The submission was cancelled.
    Cancelled,
}

/// The receiver of a [`RemotePool`]'s reports on submissions. Its reporting functions must be called from a single
/// thread.
pub struct RemoteResults {
    shared: Arc<QueueShared>,
    runs: Mutex<HashMap<SubmissionId, RemoteRun>>,
}

/// A submission that runs on another machine.
struct RemoteRun {
    task: Arc<RunningSubmission>,
    /// The number of the attempt to judge the submission. Events of other attempts are ignored.
    attempt: u64,
    log: RunLog,
    /// The number of the next event of the run. Events after a gap are ignored, since the report of the run contains
    /// them.
    next: u64,
}

impl RemoteResults {
    pub(super) fn new(shared: Arc<QueueShared>) -> RemoteResults {
        RemoteResults { shared, runs: Mutex::default() }
    }

    fn runs(&self) -> MutexGuard<'_, HashMap<SubmissionId, RemoteRun>> {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the service of the queue.
    pub fn service(&self) -> &JudgeService {
        &self.shared.service
    }

    /// Returns the [`ProblemFinder`] of the queue.
    pub fn finder(&self) -> &Arc<dyn ProblemFinder> {
        &self.shared.finder
    }

    /// Returns a submission with its judging request; `None` if the submission does not exist or has ended.
    ///
    /// # Errors
    /// Fails if the store can't be read. The inner result is an error if the program can't be judged as requested.
    #[expect(clippy::type_complexity, reason = "the two kinds of errors have different consequences")]
    pub fn submission(
        &self,
        id: &SubmissionId,
    ) -> Result<Option<(NewSubmission, std::result::Result<ProgramOrder, Failure>)>, Failure> {
        if !self.shared.is_open(id) {
            return Ok(None);
        }
        let Some(new) = self.shared.store.submitted(id)? else { return Ok(None) };
        let order = ProgramOrder::of(&self.shared, &new);
        Ok(Some((new, order)))
    }

    /// Records that an attempt to judge a submission has started.
    ///
    /// # Errors
    /// Fails if the store can't be read or written, or if no file descriptor is available. The call may be repeated.
    pub fn started(&self, id: &SubmissionId, attempt: u64) -> Result<(), Failure> {
        if !self.shared.is_open(id) || self.runs().get(id).is_some_and(|run| run.attempt == attempt) {
            return Ok(());
        }
        self.requeued(id)?;
        self.shared.store.start(id)?;
        let run = RemoteRun { attempt, ..self.open_run(id)? };
        self.runs().insert(id.clone(), run);
        self.shared.changed(id);
        Ok(())
    }

    /// Stores and publishes events of a run. Events of another attempt, and events after a gap in the numbers, are
    /// ignored.
    ///
    /// # Errors
    /// Fails if the store can't be written. The missing events are later taken from the report of the run.
    pub fn events(&self, id: &SubmissionId, attempt: u64, events: Vec<Event>) -> Result<(), Failure> {
        let mut runs = self.runs();
        let Some(run) = runs.get_mut(id).filter(|run| run.attempt == attempt) else { return Ok(()) };
        let stored = run.take(&self.shared, events);
        if stored.is_err() {
            // The next call to `started` or `ended` opens the log again, and continues it after the last stored event.
            runs.remove(id);
        }
        drop(runs);
        self.shared.changed(id);
        stored
    }

    /// Records that a submission is queued again because an attempt to judge it failed.
    ///
    /// # Errors
    /// Fails if the store can't be written. The call may be repeated.
    pub fn requeued(&self, id: &SubmissionId) -> Result<(), Failure> {
        if self.runs().contains_key(id) {
            self.shared.store.requeue(id)?;
            self.runs().remove(id);
            self.shared.release_remote(id, true);
            self.shared.changed(id);
        }
        Ok(())
    }

    /// Stores the ends of submissions in one transaction. Submissions whose end is already stored are ignored.
    ///
    /// # Errors
    /// Fails if the store can't be read or written, or if no file descriptor is available. The call may be repeated.
    pub fn ended(&self, ends: &[(SubmissionId, RemoteEnd)]) -> Result<(), Failure> {
        let mut tasks = Vec::new();
        let mut stored = Vec::new();
        let mut recorded = Vec::new();
        // After a failed call, the list may contain the end of a submission twice.
        let mut seen = HashSet::new();
        for (id, end) in ends.iter().filter(|(id, _)| self.shared.is_open(id) && seen.insert(id)) {
            let Some(new) = self.shared.store.submitted(id)? else { continue };
            // If the end can't be stored, the next call opens the log again.
            let known = self.runs().remove(id);
            let mut run = known.map_or_else(|| self.open_run(id), Ok)?;
            let (events, ending) = self.last_of(&mut run, &new, end)?;
            stored.push((id.clone(), events, ending));
            tasks.push((run.task, new.person.clone()));
            if let RemoteEnd::Judged(report) = end
                && is_recorded(&self.shared, &new)
            {
                recorded.push((new, report));
            }
        }
        if stored.is_empty() {
            return Ok(());
        }
        self.shared.store.end_all(&stored)?;
        self.shared.clear_fault();
        for ((id, events, _), (task, person)) in stored.iter().zip(tasks) {
            self.shared.storage.add(&self.shared.store, &person, id);
            task.live.extend(events.iter().map(live_event));
            self.shared.release_remote(id, false);
            self.shared.changed(id);
        }
        recorded.iter().for_each(|(new, report)| self.record(new, report));
        Ok(())
    }

    fn open_run(&self, id: &SubmissionId) -> Result<RemoteRun, Failure> {
        let log = RunLog::open(&self.shared.store, id)?;
        Ok(RemoteRun { task: self.shared.start_remote(id), attempt: 0, log, next: 0 })
    }

    /// Returns the last events of a submission's log and the submission's final record, none of which are stored yet.
    fn last_of(
        &self,
        run: &mut RemoteRun,
        new: &NewSubmission,
        end: &RemoteEnd,
    ) -> Result<(Vec<StoredEvent>, SubmissionEnd), Failure> {
        let cancelled = || Fault::new(FaultKind::Cancelled, "the submission was cancelled before it was judged").into();
        let (state, judged) = match end {
            RemoteEnd::Judged(report) => (JudgingState::Finished, Ok(&**report)),
            RemoteEnd::Failed(reason) => (JudgingState::Finished, Err(reason.clone())),
            RemoteEnd::Cancelled => (JudgingState::Cancelled, Err(cancelled())),
        };
        match &judged {
            Ok(report) => run.take(&self.shared, events_of(report))?,
            Err(failure) => run.log.close(&self.shared.service, new, failure),
        }
        Ok((run.log.last_events(), ending(state, judged.as_ref().copied())?))
    }

    /// Records a run of the local person in the history. A failure to do so does not affect the result of the
    /// submission.
    fn record(&self, new: &NewSubmission, report: &RunReport) {
        let prepared = self.shared.finder.find(&new.problem).and_then(|FoundProblem { source, key }| {
            let problem = self.shared.service.prepare(&source)?;
            Ok((problem, key))
        });
        match prepared {
            Ok((problem, key)) => record(&self.shared, new, (&problem, key), report),
            Err(failure) => self.shared.note(&failure),
        }
    }

    /// Reports a failure that occurred outside of a run, such as an unreachable queue. The failure is shown until the
    /// result of a submission is stored the next time.
    pub fn note(&self, failure: &Failure) {
        self.shared.note(failure);
    }
}

impl RemoteRun {
    /// Stores and publishes the numbered events that continue the run without a gap, and publishes the progress events.
    fn take(&mut self, shared: &QueueShared, events: Vec<Event>) -> Result<(), Failure> {
        let mut taken = Vec::new();
        for event in events {
            match event.number {
                Some(number) if number != self.next => continue,
                Some(_) => self.next += 1,
                None => {}
            }
            taken.push(event);
        }
        self.log.take(&shared.store, &self.task, taken)
    }
}

/// Returns the numbered events of a report.
fn events_of(report: &RunReport) -> Vec<Event> {
    let event = |entry: &LogEntry| Event {
        run: report.run.clone(),
        number: Some(entry.number),
        at: TimeSpan::ZERO,
        kind: entry.kind.clone(),
    };
    report.log.iter().map(event).collect()
}
