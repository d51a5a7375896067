//! The state that the threads of a judging queue share.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};

use crate::model::{Failure, Fault};
use crate::queue::Priority;
use crate::sandbox::Cancel;
use crate::service::JudgeService;

use super::fair_queue::{FairQueue, QueueEntry};
use super::finder::ProblemFinder;
use super::history_backlog::HistoryBacklog;
use super::id::SubmissionId;
use super::live::LiveLog;
use super::person_storage::PersonStorage;
use super::queue::{LocalHistory, QueueLimits, SubmitError};
use super::record::NewSubmission;
use super::store::SubmissionStore;

/// Interval at which an idle thread checks whether the service was cancelled or a retry is due.
const TICK: Duration = Duration::from_millis(500);
/// Maximum number of retries after failures of the store, for a submission that was not cancelled. If all retries fail,
/// the submission is judged after the next start.
const RETRIES: u32 = 5;
/// Delay of the first retry; the delay doubles with each further retry, at most [`RETRIES`] times.
const FIRST_RETRY: Duration = Duration::from_secs(1);

/// Function that is called with the id of a submission whose state or events changed.
pub(super) type ChangeCallback = Arc<dyn Fn(&SubmissionId) + Send + Sync>;

/// The state that the threads of a judging queue share.
pub(super) struct QueueShared {
    /// The service that judges programs. Its runs are cancelled with `cancel`.
    pub service: JudgeService,
    pub cancel: Cancel,
    pub finder: Arc<dyn ProblemFinder>,
    pub store: SubmissionStore,
    pub limits: QueueLimits,
    pub storage: PersonStorage,
    /// Maximum number of programs that are judged concurrently.
    pub at_once: usize,
    /// The runs that have not been recorded in the history yet.
    pub backlog: HistoryBacklog,
    state: Mutex<QueueState>,
    /// The condition that is signaled when a submission may be started, and when the queue is shut down.
    startable: Condvar,
    callbacks: RwLock<Vec<ChangeCallback>>,
    fault: Mutex<Option<Fault>>,
}

struct QueueState {
    queue: FairQueue,
    running: HashMap<SubmissionId, Arc<RunningSubmission>>,
    /// For each person, the number of the person's submissions that are being written to the store.
    admitted: HashMap<String, usize>,
    /// The retries of submissions whose end could not be stored.
    retries: Vec<Retry>,
    stopping: bool,
}

/// A submission that is judged or cancelled again because the store failed.
struct Retry {
    entry: QueueEntry,
    /// The number of retries, including this one.
    attempts: u32,
    /// Whether a user cancelled the submission. A cancelled submission is retried until the cancellation is stored.
    cancelled: bool,
    /// The time at which the submission is queued again; `None` if it has already been queued again.
    due: Option<Instant>,
}

/// The next task of a thread of the queue.
pub(super) enum QueueWork {
    /// Judging a submission.
    Judge(Arc<RunningSubmission>),
    /// Recording the runs that are missing from the history.
    Record,
    /// No work: the queue is shut down.
    End,
}

/// A running submission.
#[derive(Debug)]
pub(super) struct RunningSubmission {
    pub id: SubmissionId,
    pub live: LiveLog,
    /// The handle that cancels the preparation of the problem and the run.
    pub cancel: Cancel,
    /// Whether a person cancelled the submission.
    cancel_requested: AtomicBool,
    phase: Mutex<RunningPhase>,
    /// Maximum number of slots of the run.
    pub slots: usize,
}

/// The phase of a running submission. It determines which thread records that the submission has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RunningPhase {
    /// The problem is being prepared. If the submission is cancelled in this phase, the cancelling thread stores its
    /// end.
    Preparing,
    /// The program is being judged. The queue thread that runs the submission stores its end.
    Judging,
    /// The submission was cancelled while its problem was being prepared, and its end is stored.
    Ended,
}

impl QueueShared {
    /// Creates the shared state of a queue without submissions.
    pub(super) fn new(
        service: JudgeService,
        cancel: Cancel,
        finder: Arc<dyn ProblemFinder>,
        store: SubmissionStore,
        (limits, history): (QueueLimits, Option<LocalHistory>),
    ) -> QueueShared {
        let at_once = limits.at_once.unwrap_or(service.host().jobs()).max(1);
        let queue = FairQueue::new(at_once, limits.per_person);
        let state = QueueState {
            queue,
            running: HashMap::new(),
            admitted: HashMap::new(),
            retries: Vec::new(),
            stopping: false,
        };
        QueueShared {
            service: service.with_cancel(&cancel),
            cancel,
            finder,
            store,
            storage: PersonStorage::new(limits.storage_per_person),
            limits,
            at_once,
            backlog: HistoryBacklog::new(history),
            state: Mutex::new(state),
            startable: Condvar::new(),
            callbacks: RwLock::default(),
            fault: Mutex::default(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reserves a place in the queue for a submission. After success, [`QueueShared::settle`] must be called.
    pub(super) fn admit(&self, new: &NewSubmission) -> Result<(), SubmitError> {
        let mut state = self.lock();
        if state.stopping || self.cancel.is_cancelled() {
            return Err(SubmitError::ShuttingDown);
        }
        let admitted: usize = state.admitted.values().sum();
        if state.queue.waiting() + state.queue.running() + admitted >= self.limits.queued {
            return Err(SubmitError::QueueFull { most: self.limits.queued });
        }
        if new.priority == Priority::Person {
            let own = state.admitted.get(&new.person).copied().unwrap_or(0);
            if state.queue.open_of(&new.person) + own >= self.limits.queued_per_person {
                return Err(SubmitError::TooManyOfPerson { most: self.limits.queued_per_person });
            }
        }
        *state.admitted.entry(new.person.clone()).or_default() += 1;
        Ok(())
    }

    /// Replaces the reserved place with the submission `entry`; if `entry` is `None`, the submission could not be
    /// stored, and the place is freed.
    pub(super) fn settle(&self, person: &str, entry: Option<&QueueEntry>) {
        let mut state = self.lock();
        if let Some(count) = state.admitted.get_mut(person) {
            *count -= 1;
            if *count == 0 {
                state.admitted.remove(person);
            }
        }
        if let Some(entry) = entry {
            state.queue.push(entry);
            self.startable.notify_one();
        }
    }

    /// Adds stored submissions to the queue.
    pub(super) fn push_all<'e>(&self, entries: impl IntoIterator<Item = &'e QueueEntry>) {
        let mut state = self.lock();
        entries.into_iter().for_each(|entry| state.queue.push(entry));
        self.startable.notify_all();
    }

    /// Waits for the next task of a thread, and returns it.
    pub(super) fn next_work(&self) -> QueueWork {
        let mut state = self.lock();
        loop {
            if state.stopping || self.cancel.is_cancelled() {
                return QueueWork::End;
            }
            state.queue_due_retries();
            // If no file descriptor is available for the handle, the submission stays in the queue.
            if let Some(cancel) = self.cancel_handle(&state)
                && let Some(id) = state.queue.start_next()
            {
                let slots = self.slots(&state.queue);
                let is_cancelled = state.retries.iter().any(|retry| retry.entry.id == id && retry.cancelled);
                let task = RunningSubmission {
                    id: id.clone(),
                    live: LiveLog::default(),
                    cancel,
                    cancel_requested: AtomicBool::new(is_cancelled),
                    phase: Mutex::new(RunningPhase::Preparing),
                    slots,
                };
                let task = Arc::new(task);
                state.running.insert(id, task.clone());
                return QueueWork::Judge(task);
            }
            let (woken, waited) = self.startable.wait_timeout(state, TICK).unwrap_or_else(PoisonError::into_inner);
            if waited.timed_out() && !self.backlog.is_empty() {
                return QueueWork::Record;
            }
            state = woken;
        }
    }

    fn cancel_handle(&self, state: &QueueState) -> Option<Cancel> {
        if state.queue.waiting() == 0 {
            return None;
        }
        self.cancel.child().map_err(|fault| self.note(&fault.into())).ok()
    }

    /// Returns the maximum number of slots of a run that starts now: the configured number, or an equal share of all
    /// slots.
    fn slots(&self, queue: &FairQueue) -> usize {
        let active = (queue.running() + queue.waiting()).clamp(1, self.at_once);
        self.limits.slots_per_run.unwrap_or(self.service.host().jobs() / active).max(1)
    }

    /// Marks a submission as running on another machine, and returns it.
    pub(super) fn start_remote(&self, id: &SubmissionId) -> Arc<RunningSubmission> {
        let task = Arc::new(RunningSubmission {
            id: id.clone(),
            live: LiveLog::default(),
            // No program runs on this machine, so the task needs no cancel handle of its own.
            cancel: self.cancel.clone(),
            cancel_requested: AtomicBool::new(false),
            phase: Mutex::new(RunningPhase::Judging),
            slots: 1,
        });
        let mut state = self.lock();
        state.queue.start(id);
        state.running.insert(id.clone(), task.clone());
        task
    }

    /// Removes a submission that was running on another machine or waiting for one. If `waits` is true, the submission
    /// is queued again.
    pub(super) fn release_remote(&self, id: &SubmissionId, waits: bool) {
        let mut state = self.lock();
        if let Some(task) = state.running.remove(id) {
            task.live.end();
        }
        let entry = state.queue.finish(id).or_else(|| state.queue.cancel(id));
        if let Some(entry) = entry.filter(|_| waits) {
            state.queue.push(&entry);
        }
    }

    /// Returns whether the submission is waiting or running.
    pub(super) fn is_open(&self, id: &SubmissionId) -> bool {
        self.lock().queue.contains(id)
    }

    /// Removes a running submission from memory, so that its state is read from the store. If `stored` is false, its
    /// end could not be stored, and the submission is retried later: without limit if it was cancelled, and otherwise
    /// at most [`RETRIES`] times.
    pub(super) fn release(&self, task: &RunningSubmission, stored: bool) {
        task.live.end();
        let mut state = self.lock();
        state.running.remove(&task.id);
        let entry = state.queue.finish(&task.id);
        let attempts = state.retries.iter().find(|retry| retry.entry.id == task.id).map_or(0, |retry| retry.attempts);
        state.retries.retain(|retry| retry.entry.id != task.id);
        let cancelled = task.is_cancel_requested();
        if let (false, Some(entry), true) = (stored, entry, attempts < RETRIES || cancelled) {
            state.retries.push(Retry::after(entry, attempts, cancelled));
        }
        // The end of one program may allow several others to start.
        self.startable.notify_all();
    }

    /// Removes and returns a submission that is waiting in the queue or waiting to be retried; `None` if it is not
    /// waiting.
    pub(super) fn take_queued(&self, id: &SubmissionId) -> Option<QueueEntry> {
        let mut state = self.lock();
        let waits = |retry: &Retry| retry.due.is_some() && retry.entry.id == *id;
        match state.retries.iter().position(waits) {
            Some(place) => Some(state.retries.swap_remove(place).entry),
            None => state.queue.cancel(id),
        }
    }

    /// Schedules the cancellation of a submission that was removed from the queue and whose end could not be stored.
    pub(super) fn cancel_later(&self, entry: QueueEntry) {
        self.lock().retries.push(Retry::after(entry, 0, true));
    }

    /// Returns the running submission with this id; `None` if it is not running.
    pub(super) fn running(&self, id: &SubmissionId) -> Option<Arc<RunningSubmission>> {
        self.lock().running.get(id).cloned()
    }

    /// Returns the position of a submission as [`FairQueue::position`] does; `None` if it is not waiting.
    pub(super) fn position(&self, id: &SubmissionId) -> Option<usize> {
        self.lock().queue.position(id)
    }

    /// Returns the numbers of waiting and of running submissions.
    pub(super) fn counts(&self) -> (usize, usize) {
        let state = self.lock();
        (state.queue.waiting(), state.queue.running())
    }

    /// Stops the threads and the running programs.
    pub(super) fn stop(&self) {
        self.lock().stopping = true;
        self.cancel.cancel();
        self.startable.notify_all();
    }

    /// Adds a callback for changes to submissions.
    pub(super) fn on_change(&self, callback: ChangeCallback) {
        self.callbacks.write().unwrap_or_else(PoisonError::into_inner).push(callback);
    }

    /// Calls the callbacks for a submission that changed. The caller must hold no locks.
    pub(super) fn changed(&self, id: &SubmissionId) {
        let callbacks = self.callbacks.read().unwrap_or_else(PoisonError::into_inner).clone();
        callbacks.iter().for_each(|callback| callback(id));
    }

    /// Records a failure outside of a run, such as a failure of the store, for
    /// [`JudgingQueue::fault`](super::JudgingQueue::fault).
    pub(super) fn note(&self, failure: &Failure) {
        *self.fault.lock().unwrap_or_else(PoisonError::into_inner) = Some(failure.to_fault());
    }

    /// Clears the failure that [`QueueShared::note`] recorded. Called after a successful write to the store.
    pub(super) fn clear_fault(&self) {
        *self.fault.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Returns the recorded failure outside of a run or, if there is none, the failure to write to the history.
    pub(super) fn fault(&self) -> Option<Fault> {
        let fault = self.fault.lock().unwrap_or_else(PoisonError::into_inner).clone();
        fault.or_else(|| self.backlog.fault())
    }
}

impl Retry {
    /// Creates the next retry of a submission that has already been retried `attempts` times.
    fn after(entry: QueueEntry, attempts: u32, cancelled: bool) -> Retry {
        let due = Some(Instant::now() + FIRST_RETRY * 2_u32.pow(attempts.min(RETRIES)));
        Retry { entry, attempts: attempts + 1, cancelled, due }
    }
}

impl QueueState {
    fn queue_due_retries(&mut self) {
        let now = Instant::now();
        for retry in self.retries.iter_mut().filter(|retry| retry.due.is_some_and(|due| due <= now)) {
            retry.due = None;
            self.queue.push(&retry.entry);
        }
    }
}

impl RunningSubmission {
    /// Cancels the submission on behalf of a person.
    pub(super) fn cancel(&self) {
        self.cancel_requested.store(true, Ordering::SeqCst);
        self.cancel.cancel();
    }

    /// Returns whether a person cancelled the submission.
    pub(super) fn is_cancel_requested(&self) -> bool {
        self.cancel_requested.load(Ordering::SeqCst)
    }

    /// Returns whether the submission was cancelled while its problem was being prepared, so that its end is already
    /// stored.
    pub(super) fn has_ended(&self) -> bool {
        *self.phase.lock().unwrap_or_else(PoisonError::into_inner) == RunningPhase::Ended
    }

    /// Enters the judging phase, in which [`RunningSubmission::end_preparing`] no longer stores the end. Returns false
    /// if the submission has already ended because it was cancelled.
    pub(super) fn begin_judging(&self) -> bool {
        let mut phase = self.phase.lock().unwrap_or_else(PoisonError::into_inner);
        if *phase == RunningPhase::Preparing {
            *phase = RunningPhase::Judging;
        }
        *phase == RunningPhase::Judging
    }

    /// Ends the submission by calling `store_end` if its problem is still being prepared. The caller ends it because
    /// the preparing thread can't be interrupted while waiting for another thread that builds the same program. Returns
    /// whether the submission has ended.
    pub(super) fn end_preparing(&self, store_end: impl FnOnce() -> Result<(), Failure>) -> Result<bool, Failure> {
        let mut phase = self.phase.lock().unwrap_or_else(PoisonError::into_inner);
        if *phase == RunningPhase::Preparing {
            store_end()?;
            *phase = RunningPhase::Ended;
            self.live.end();
        }
        Ok(*phase == RunningPhase::Ended)
    }
}
