//! The interface of the queue that judges submissions.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use crate::model::{ByteSize, Failure, Fault, FaultKind, ProblemId};
use crate::queue::DispatchView;
use crate::queue::Priority;
use crate::service::{JudgeService, RunReport};

use super::fair_queue::QueueEntry;
use super::finder::ProblemFinder;
use super::id::SubmissionId;
use super::live::LivePage;
use super::own_tests::OwnTest;
use super::queue_state::QueueShared;
use super::record::{EventsPage, NewSubmission, ProblemStanding, StoredSubmission, SubmissionFilter};
use super::remote::{PoolStart, RemotePool, RemoteResults};
use super::store::SubmissionStore;
use super::worker::{end_cancelled, work};

/// Limits of a queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueueLimits {
    /// Maximum number of programs that are judged concurrently; `None` for the number of slots of the service.
    pub at_once: Option<usize>,
    /// Maximum number of programs per person that are judged concurrently. Batches and programs that are judged again
    /// have no such limit.
    pub per_person: usize,
    /// Maximum number of queued or running submissions per person. Batches and programs that are judged again have no
    /// such limit.
    pub queued_per_person: usize,
    /// Maximum number of queued or running submissions.
    pub queued: usize,
    /// Maximum storage for the submissions of one person; `None` for no limit. A submission is counted when it ends.
    pub storage_per_person: Option<ByteSize>,
    /// Maximum number of slots of a run; `None` for an equal share of all slots, computed when the run starts.
    pub slots_per_run: Option<usize>,
}

impl Default for QueueLimits {
    fn default() -> QueueLimits {
        QueueLimits {
            at_once: None,
            per_person: 2,
            queued_per_person: 50,
            queued: 20_000,
            storage_per_person: None,
            slots_per_run: None,
        }
    }
}

/// The local person, whose finished submissions are recorded in the same history as the runs of `nimatron run`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalHistory {
    /// The id of the person.
    pub person: String,
    /// The state folder, which contains the history.
    pub state: PathBuf,
}

/// The configuration of a queue.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct QueueConfig {
    /// The limits.
    pub limits: QueueLimits,
    /// The person whose submissions are recorded in the history; `None` if no submissions are recorded.
    pub history: Option<LocalHistory>,
}

/// The numbers of waiting and running submissions in a queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueueCounts {
    /// The number of waiting submissions.
    pub queued: usize,
    /// The number of running submissions.
    pub running: usize,
}

/// The reason why a submission was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SubmitError {
    /// The person has too many queued or running submissions.
    #[error("at most {most} submissions per person can be queued or running; wait until one of yours has ended")]
    TooManyOfPerson {
        /// The maximum number of queued or running submissions per person.
        most: usize,
    },
    /// There are too many queued or running submissions.
    #[error("the queue is full: at most {most} submissions can be queued or running; try again later")]
    QueueFull {
        /// The maximum number of queued or running submissions.
        most: usize,
    },
    /// The stored submissions of the person have reached the storage limit.
    #[error("the storage limit of {most} per person has been reached")]
    StorageFull {
        /// The maximum storage per person.
        most: ByteSize,
    },
    /// The queue was shut down.
    #[error("the judge is shutting down; submit the program again after the restart")]
    ShuttingDown,
    /// The store could not be read or written.
    #[error(transparent)]
    Failed(#[from] Failure),
}

/// A queue that stores submissions and has them judged by its own threads or by other machines. Dropping the queue
/// shuts it down; see [`JudgingQueue::shutdown`].
pub struct JudgingQueue {
    shared: Arc<QueueShared>,
    threads: Mutex<Vec<JoinHandle<()>>>,
    /// The machines that judge the submissions; `None` if the threads of this queue judge them.
    remote: Option<Box<dyn RemotePool>>,
}

impl JudgingQueue {
    /// Starts a queue whose threads judge the submissions. Submissions that were queued or running when the last
    /// process exited are queued again.
    ///
    /// # Errors
    /// Fails if the store can't be read or written, or if no thread or file descriptor is available.
    pub fn start(
        service: JudgeService,
        finder: Arc<dyn ProblemFinder>,
        store: SubmissionStore,
        config: QueueConfig,
    ) -> Result<JudgingQueue, Failure> {
        let cancel = service.host().cancel().child()?;
        let shared = Arc::new(QueueShared::new(service, cancel, finder, store, (config.limits, config.history)));
        let mut queued = Vec::new();
        for (entry, cancelled) in shared.store.reopen()? {
            if cancelled {
                end_cancelled(&shared, &entry.id)?;
            } else {
                queued.push(entry);
            }
        }
        shared.push_all(&queued);
        // If a thread can't be started, dropping the queue stops the other threads.
        let queue = JudgingQueue { shared, threads: Mutex::default(), remote: None };
        for number in 0..queue.shared.at_once {
            let shared = queue.shared.clone();
            let thread = std::thread::Builder::new()
                .name(format!("queue {number}"))
                .spawn(move || work(&shared))
                .map_err(|error| Fault::io(FaultKind::Internal, &error).context("cannot start a thread"))?;
            queue.threads.lock().unwrap_or_else(PoisonError::into_inner).push(thread);
        }
        Ok(queue)
    }

    /// Starts a queue whose submissions are judged by other machines. `pool` connects to these machines, and receives
    /// the [`RemoteResults`] to which their results are reported. Submissions that were queued or running when the last
    /// process exited are passed to the pool again.
    ///
    /// # Errors
    /// Fails if the store can't be read or written, if no file descriptor is available, or if `pool` fails.
    pub fn start_remote(
        service: JudgeService,
        finder: Arc<dyn ProblemFinder>,
        store: SubmissionStore,
        config: QueueConfig,
        pool: PoolStart,
    ) -> Result<JudgingQueue, Failure> {
        let cancel = service.host().cancel().child()?;
        let shared = Arc::new(QueueShared::new(service, cancel, finder, store, (config.limits, config.history)));
        let entries = shared.store.reopen()?;
        shared.push_all(entries.iter().map(|(entry, _)| entry));
        let remote = pool(RemoteResults::new(shared.clone()))?;
        for (entry, cancelled) in entries {
            if cancelled { remote.cancel(&[entry.id]) } else { remote.submit(&entry.id) }
        }
        Ok(JudgingQueue { shared, threads: Mutex::default(), remote: Some(remote) })
    }

    /// Accepts a submission. When this function returns, the submission is stored durably and will be judged.
    ///
    /// # Errors
    /// Fails if a limit is exceeded, if the queue was shut down, or if the submission can't be stored.
    pub fn submit(&self, new: NewSubmission) -> Result<SubmissionId, SubmitError> {
        if new.priority == Priority::Person {
            self.shared.storage.check(&self.shared.store, &new.person)?;
        }
        self.shared.admit(&new)?;
        let stored = SubmissionId::random().map_err(Failure::from).and_then(|id| {
            self.shared.store.insert(&id, &new)?;
            Ok(QueueEntry { id, person: new.person.clone(), priority: new.priority })
        });
        self.shared.settle(&new.person, stored.as_ref().ok());
        let id = stored?.id;
        if let Some(remote) = &self.remote {
            remote.submit(&id);
        }
        self.shared.changed(&id);
        Ok(id)
    }

    /// Requests the cancellation of submissions that other machines judge. The requests are stored in one transaction,
    /// so they survive a restart of the process. A submission ends when the remote pool has handled its request.
    /// Returns the number of submissions that had not ended.
    fn cancel_remote(&self, remote: &dyn RemotePool, ids: &[SubmissionId]) -> Result<usize, Failure> {
        let open: Vec<SubmissionId> = ids.iter().filter(|id| self.shared.is_open(id)).cloned().collect();
        self.shared.store.request_cancel(&open)?;
        remote.cancel(&open);
        Ok(open.len())
    }

    /// Cancels submissions as [`JudgingQueue::cancel`] does, and returns the number of submissions that had not ended.
    ///
    /// # Errors
    /// Fails for the same reasons as [`JudgingQueue::cancel`].
    pub fn cancel_all(&self, ids: &[SubmissionId]) -> Result<usize, Failure> {
        match &self.remote {
            Some(remote) => self.cancel_remote(&**remote, ids),
            None => ids.iter().try_fold(0, |count, id| Ok(count + usize::from(self.cancel(id)?))),
        }
    }

    /// Cancels a submission: immediately if it is waiting or its problem is being prepared, within 100 ms if its
    /// program is running. If other machines judge the submission, its cancellation is requested. Other submissions are
    /// not affected. The submission stays cancelled if the process exits. Returns false if the submission has ended or
    /// does not exist.
    ///
    /// # Errors
    /// Fails if the store can't be written. The submission is then cancelled as soon as the store can be written again,
    /// unless the process exits first.
    pub fn cancel(&self, id: &SubmissionId) -> Result<bool, Failure> {
        if let Some(remote) = &self.remote {
            return Ok(self.cancel_remote(&**remote, std::slice::from_ref(id))? > 0);
        }
        if let Some(entry) = self.shared.take_queued(id) {
            if let Err(failure) = end_cancelled(&self.shared, id) {
                self.shared.note(&failure);
                self.shared.cancel_later(entry);
                return Err(failure);
            }
            self.shared.changed(id);
            return Ok(true);
        }
        let Some(task) = self.shared.running(id).filter(|task| !task.has_ended()) else { return Ok(false) };
        task.cancel();
        if task.end_preparing(|| end_cancelled(&self.shared, id))? {
            self.shared.changed(id);
        } else {
            self.shared.store.request_cancel(std::slice::from_ref(id))?;
        }
        Ok(true)
    }

    /// Returns the submission with this id; `None` if there is none.
    ///
    /// # Errors
    /// Fails if the store can't be read.
    pub fn get(&self, id: &SubmissionId) -> Result<Option<StoredSubmission>, Failure> {
        self.shared.store.get(id)
    }

    /// Returns the submissions that match a filter, the newest first.
    ///
    /// # Errors
    /// Fails if the store can't be read.
    pub fn list(&self, filter: &SubmissionFilter) -> Result<Vec<StoredSubmission>, Failure> {
        self.shared.store.list(filter)
    }

    /// Returns a person's standing on each problem, ordered by the ids of the problems.
    ///
    /// # Errors
    /// Fails if the store can't be read.
    pub fn standing(&self, person: &str) -> Result<Vec<ProblemStanding>, Failure> {
        self.shared.store.standing(person)
    }

    /// Returns the submissions of kind [`SubmissionKind::Submit`](super::SubmissionKind::Submit) that `person`, or any
    /// person if `person` is `None`, has submitted to `problems` since the time `since`, in milliseconds since the Unix
    /// epoch. They are sorted by the order of `problems`, then from oldest to newest.
    ///
    /// # Errors
    /// Fails if the store can't be read.
    pub fn attempts(
        &self,
        problems: &[ProblemId],
        person: Option<&str>,
        since: i64,
    ) -> Result<Vec<StoredSubmission>, Failure> {
        self.shared.store.attempts(problems, person, since)
    }

    /// Returns the source of a submission; `None` if the submission does not exist.
    ///
    /// # Errors
    /// Fails if the store can't be read.
    pub fn source(&self, id: &SubmissionId) -> Result<Option<Vec<u8>>, Failure> {
        self.shared.store.source(id)
    }

    /// Returns the input of a submission; `None` if there is none.
    ///
    /// # Errors
    /// Fails if the store can't be read.
    pub fn input(&self, id: &SubmissionId) -> Result<Option<Vec<u8>>, Failure> {
        self.shared.store.input(id)
    }

    /// Returns the report of a submission; `None` if the submission was not judged.
    ///
    /// # Errors
    /// Fails if the store can't be read.
    pub fn report(&self, id: &SubmissionId) -> Result<Option<RunReport>, Failure> {
        self.shared.store.report(id)
    }

    /// Returns the events of a submission's log that follow the event with the number `after`, or all events if `after`
    /// is `None`; at most 1,000 per call. Event numbers are consecutive and never reused, even after restarts. The last
    /// event of a submission that has ended is `run_finished`.
    ///
    /// # Errors
    /// Fails if the store can't be read.
    pub fn events_after(&self, id: &SubmissionId, after: Option<u64>) -> Result<EventsPage, Failure> {
        self.shared.store.events_after(id, after)
    }

    /// Returns the numbered events and the progress events of a running submission, starting at the index `position`;
    /// `None` if the submission is not running. Events that were emitted before the process was restarted are available
    /// only from the store.
    pub fn live_after(&self, id: &SubmissionId, position: usize) -> Option<LivePage> {
        self.shared.running(id).map(|task| task.live.page(position))
    }

    /// Adds a test to a person's own tests of a problem, and returns the number of the test. If the person already has
    /// a test with this input, returns the number of that test. Returns `None` if the person has too many tests of this
    /// problem.
    ///
    /// # Errors
    /// Fails if the store can't be written.
    pub fn add_own_test(
        &self,
        of: (&str, &ProblemId),
        input: &[u8],
        answer: Option<&[u8]>,
    ) -> Result<Option<u32>, Failure> {
        self.shared.store.add_own_test(of, input, answer)
    }

    /// Returns a person's own tests of a problem, the oldest first.
    ///
    /// # Errors
    /// Fails if the store can't be read.
    pub fn own_tests(&self, person: &str, problem: &ProblemId) -> Result<Vec<OwnTest>, Failure> {
        self.shared.store.own_tests(person, problem)
    }

    /// Removes one of a person's own tests. Returns whether the test existed.
    ///
    /// # Errors
    /// Fails if the store can't be written.
    pub fn remove_own_test(&self, person: &str, problem: &ProblemId, number: u32) -> Result<bool, Failure> {
        self.shared.store.remove_own_test(person, problem, number)
    }

    /// Returns the number of submissions that are started before the submission `id` if no further submission is added
    /// and no limit per person applies; `None` if the submission `id` is not waiting.
    pub fn position(&self, id: &SubmissionId) -> Option<usize> {
        self.shared.position(id)
    }

    /// Returns the numbers of waiting and of running submissions.
    pub fn counts(&self) -> QueueCounts {
        let (queued, running) = self.shared.counts();
        QueueCounts { queued, running }
    }

    /// Returns whether other machines judge the submissions.
    pub fn is_remote(&self) -> bool {
        self.remote.is_some()
    }

    /// Returns the state of the queue and of the machines that judge the submissions; `None` if this machine judges
    /// them, or if the state is currently unknown.
    pub fn remote_view(&self) -> Option<DispatchView> {
        self.remote.as_ref()?.view()
    }

    /// Returns the last error of the judge outside of a run, such as a full disk. The error is cleared when a later
    /// write to the store succeeds. If there is no such error, returns the error that prevents runs from being recorded
    /// in the history. A submission that is interrupted by an error is retried several times; if all retries fail, it
    /// is judged after the next start.
    pub fn fault(&self) -> Option<Fault> {
        self.shared.fault()
    }

    /// Adds a function that is called whenever the state or the events of a submission change. The function is called
    /// on the threads of the queue and of the callers of this type, and must not block.
    pub fn on_change(&self, callback: Arc<dyn Fn(&SubmissionId) + Send + Sync>) {
        self.shared.on_change(callback);
    }

    /// Stops the running programs and the threads. Submissions that were running or waiting are judged after the next
    /// start.
    pub fn shutdown(&self) {
        self.shared.stop();
        if let Some(remote) = &self.remote {
            remote.shutdown();
        }
        let threads = std::mem::take(&mut *self.threads.lock().unwrap_or_else(PoisonError::into_inner));
        for thread in threads {
            // `join` fails if the thread panicked; the thread has exited in either case.
            _ = thread.join();
        }
        self.shared.backlog.finish();
    }
}

impl Drop for JudgingQueue {
    fn drop(&mut self) {
        self.shutdown();
    }
}
