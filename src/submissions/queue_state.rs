//! What the threads of the judging queue share.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};

use crate::model::{Failure, Fault};
use crate::sandbox::Cancel;
use crate::service::JudgeService;

use super::fair_queue::{FairQueue, QueueEntry};
use super::finder::ProblemFinder;
use super::history_backlog::HistoryBacklog;
use super::id::SubmissionId;
use super::live::LiveLog;
use super::queue::{LocalHistory, QueueLimits, SubmitError};
use super::record::{NewSubmission, Priority};
use super::store::SubmissionStore;

/// Interval at which a thread without work looks whether the service was cancelled, or a submission is due again.
const TICK: Duration = Duration::from_millis(500);
/// How often a submission is tried again after the store failed. After that it waits for the next start.
const RETRIES: u32 = 5;
/// The time to the first retry; each of the next [`RETRIES`] takes twice as long.
const FIRST_RETRY: Duration = Duration::from_secs(1);

/// Called with a submission whose state or events changed.
pub(super) type ChangeCallback = Arc<dyn Fn(&SubmissionId) + Send + Sync>;

/// What the threads of a judging queue share.
pub(super) struct QueueShared {
    /// The service whose runs `cancel` ends.
    pub service: JudgeService,
    pub cancel: Cancel,
    pub finder: Arc<dyn ProblemFinder>,
    pub store: SubmissionStore,
    pub limits: QueueLimits,
    /// The number of programs that are judged at once.
    pub at_once: usize,
    /// The runs that go to the history.
    pub backlog: HistoryBacklog,
    state: Mutex<QueueState>,
    /// Signalled when a submission may be started, and at the end.
    startable: Condvar,
    callbacks: RwLock<Vec<ChangeCallback>>,
    fault: Mutex<Option<Fault>>,
}

struct QueueState {
    queue: FairQueue,
    running: HashMap<SubmissionId, Arc<Task>>,
    /// The number of submissions of each person that are being written to the store.
    admitted: HashMap<String, usize>,
    /// The submissions at whose end the store failed.
    retries: Vec<Retry>,
    stopping: bool,
}

/// A submission that is judged or cancelled again because the store failed.
struct Retry {
    entry: QueueEntry,
    /// The number of times that it was tried.
    attempts: u32,
    /// Whether a person cancelled it. It is then tried until its end is stored.
    cancelled: bool,
    /// When it is queued again; `None` once it was.
    due: Option<Instant>,
}

/// What a thread of the queue does next.
pub(super) enum QueueWork {
    /// Judges a submission.
    Judge(Arc<Task>),
    /// Records the runs that are missing in the history.
    Record,
    /// Nothing: the queue ends.
    End,
}

/// A submission that runs.
#[derive(Debug)]
pub(super) struct Task {
    pub id: SubmissionId,
    pub live: LiveLog,
    /// Ends the preparation of its problem, and its run.
    pub cancel: Cancel,
    /// Whether a person cancelled it.
    cancel_requested: AtomicBool,
    phase: Mutex<TaskPhase>,
    /// Maximum number of slots of the run.
    pub slots: usize,
}

/// Who stores the end of a submission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TaskPhase {
    /// Its problem is prepared; whoever cancels it stores its end.
    Preparing,
    /// Its thread.
    Judging,
    /// It was cancelled, and its end is stored.
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

    /// Reserves a place for a submission. [`QueueShared::settle`] must be called afterwards.
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

    /// Replaces the reserved place by the stored submission, if it was stored.
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

    /// Waits for the next work of a thread.
    pub(super) fn next_work(&self) -> QueueWork {
        let mut state = self.lock();
        loop {
            if state.stopping || self.cancel.is_cancelled() {
                return QueueWork::End;
            }
            state.queue_due_retries();
            // Without a descriptor for the handle, the submission stays in the queue until there is one.
            if let Some(cancel) = self.cancel_handle(&state)
                && let Some(id) = state.queue.start_next()
            {
                let slots = self.slots(&state.queue);
                let is_cancelled = state.retries.iter().any(|retry| retry.entry.id == id && retry.cancelled);
                let task = Task {
                    id: id.clone(),
                    live: LiveLog::default(),
                    cancel,
                    cancel_requested: AtomicBool::new(is_cancelled),
                    phase: Mutex::new(TaskPhase::Preparing),
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

    /// The maximum number of slots of a run that starts now: an equal share.
    fn slots(&self, queue: &FairQueue) -> usize {
        let active = (queue.running() + queue.waiting()).clamp(1, self.at_once);
        self.limits.slots_per_run.unwrap_or(self.service.host().jobs() / active).max(1)
    }

    /// Removes a submission that ran. From now on the store answers all questions about it. If its end is not `stored`, it
    /// is tried again later.
    pub(super) fn release(&self, task: &Task, stored: bool) {
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
        // The end of a person's program, or of a batch's, may allow several others.
        self.startable.notify_all();
    }

    /// Takes a submission out of the queue, and returns it if it waited.
    pub(super) fn take_queued(&self, id: &SubmissionId) -> Option<QueueEntry> {
        let mut state = self.lock();
        let waits = |retry: &Retry| retry.due.is_some() && retry.entry.id == *id;
        match state.retries.iter().position(waits) {
            Some(place) => Some(state.retries.swap_remove(place).entry),
            None => state.queue.cancel(id),
        }
    }

    /// Cancels a submission later that was taken out of the queue, because the store failed.
    pub(super) fn cancel_later(&self, entry: QueueEntry) {
        self.lock().retries.push(Retry::after(entry, 0, true));
    }

    /// The submission, if it runs.
    pub(super) fn running(&self, id: &SubmissionId) -> Option<Arc<Task>> {
        self.lock().running.get(id).cloned()
    }

    /// The number of submissions that will be started before this one; `None` if it does not wait.
    pub(super) fn position(&self, id: &SubmissionId) -> Option<usize> {
        self.lock().queue.position(id)
    }

    /// The number of submissions that wait, and of those that run.
    pub(super) fn counts(&self) -> (usize, usize) {
        let state = self.lock();
        (state.queue.waiting(), state.queue.running())
    }

    /// Ends the threads, and the programs that run.
    pub(super) fn stop(&self) {
        self.lock().stopping = true;
        self.cancel.cancel();
        self.startable.notify_all();
    }

    /// Adds a callback.
    pub(super) fn on_change(&self, callback: ChangeCallback) {
        self.callbacks.write().unwrap_or_else(PoisonError::into_inner).push(callback);
    }

    /// Tells the front that a submission changed. Must be called without locks.
    pub(super) fn changed(&self, id: &SubmissionId) {
        let callbacks = self.callbacks.read().unwrap_or_else(PoisonError::into_inner).clone();
        callbacks.iter().for_each(|callback| callback(id));
    }

    /// Keeps a failure of the store for [`JudgingQueue::fault`](super::JudgingQueue::fault).
    pub(super) fn note(&self, failure: &Failure) {
        *self.fault.lock().unwrap_or_else(PoisonError::into_inner) = Some(failure.to_fault());
    }

    /// Forgets the failure: the store can be written again.
    pub(super) fn forget_fault(&self) {
        *self.fault.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// The failure of the store, if it failed last.
    pub(super) fn fault(&self) -> Option<Fault> {
        let fault = self.fault.lock().unwrap_or_else(PoisonError::into_inner).clone();
        fault.or_else(|| self.backlog.fault())
    }
}

impl Retry {
    /// The retry after this number of earlier ones.
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

impl Task {
    /// Ends the submission on behalf of a person.
    pub(super) fn cancel(&self) {
        self.cancel_requested.store(true, Ordering::SeqCst);
        self.cancel.cancel();
    }

    /// Whether a person cancelled it.
    pub(super) fn is_cancel_requested(&self) -> bool {
        self.cancel_requested.load(Ordering::SeqCst)
    }

    /// Whether it was cancelled while its problem was prepared.
    pub(super) fn has_ended(&self) -> bool {
        *self.phase.lock().unwrap_or_else(PoisonError::into_inner) == TaskPhase::Ended
    }

    /// Takes the right to store the end away from those who cancel. Returns false if the submission was cancelled.
    pub(super) fn begin_judging(&self) -> bool {
        let mut phase = self.phase.lock().unwrap_or_else(PoisonError::into_inner);
        if *phase == TaskPhase::Preparing {
            *phase = TaskPhase::Judging;
        }
        *phase == TaskPhase::Judging
    }

    /// Calls `store_end` if the problem is still being prepared: the thread may wait for another thread that builds the
    /// same program, which can't be interrupted. Returns whether the end is stored.
    pub(super) fn end_preparing(&self, store_end: impl FnOnce() -> Result<(), Failure>) -> Result<bool, Failure> {
        let mut phase = self.phase.lock().unwrap_or_else(PoisonError::into_inner);
        if *phase == TaskPhase::Preparing {
            store_end()?;
            *phase = TaskPhase::Ended;
            self.live.end();
        }
        Ok(*phase == TaskPhase::Ended)
    }
}
