//! Table of the waiting, running and most recently ended searches.

use std::collections::{BTreeMap, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::Value;

use crate::clock::now_ms;
use crate::model::{FailedCase, Failure, Fault, FaultKind, ProblemId};
use crate::sandbox::Cancel;
use crate::service::JudgeService;
use crate::submissions::{FoundProblem, JudgingState, ProblemFinder, SubmissionId};

use super::log::{SearchLog, SearchPage};
use super::new_search::{NewSearch, ReadSearch, StartSearchError};
use super::run::{search, unfinished};

/// Maximum number of waiting or running searches.
const MOST_OPEN: usize = 40;
/// Threshold for removing ended searches: if at least this many searches have ended when a search is added, the oldest
/// of them are removed.
const MOST_ENDED: usize = 60;
/// Interval at which a waiting search checks whether it was cancelled.
const TICK: Duration = Duration::from_millis(50);

/// Function that is called with the id of a search whose state or events changed.
type SearchCallback = Arc<dyn Fn(&SubmissionId) + Send + Sync>;

/// The searches, each of which runs on its own thread. Dropping the table cancels all searches and waits until their
/// threads exit.
pub struct SearchTable {
    shared: Arc<SearchShared>,
    threads: Mutex<HashMap<u64, JoinHandle<()>>>,
}

struct SearchShared {
    service: JudgeService,
    cancel: Cancel,
    finder: Arc<dyn ProblemFinder>,
    /// Maximum number of searches that run concurrently.
    at_once: usize,
    state: Mutex<SearchState>,
    /// Signaled when a search ends or is cancelled.
    turn: Condvar,
    callbacks: RwLock<Vec<SearchCallback>>,
}

#[derive(Default)]
struct SearchState {
    /// The searches in the order in which they were started.
    searches: BTreeMap<u64, Arc<LiveSearch>>,
    next: u64,
    /// The ids of the people whose searches are being prepared.
    starting: Vec<String>,
    closed: bool,
}

/// The shared state of a search.
struct LiveSearch {
    id: SubmissionId,
    person: String,
    problem: ProblemId,
    name: String,
    language: String,
    created: i64,
    cancel: Cancel,
    cancel_requested: AtomicBool,
    running: AtomicBool,
    log: SearchLog,
    found: OnceLock<FailedCase>,
}

/// The current state of a search.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchView {
    /// The id, in the form of the id of a submission.
    pub id: SubmissionId,
    /// The id of the person who started the search.
    pub person: String,
    /// The id of the problem.
    pub problem: ProblemId,
    /// The file name of the program.
    pub name: String,
    /// The id of the program's language.
    pub language: String,
    /// Time of the request, in milliseconds since the Unix epoch.
    pub created: i64,
    /// State of the search.
    pub state: JudgingState,
    /// The last event; `None` if the search has not ended.
    pub finished: Option<Value>,
}

impl SearchTable {
    /// Creates a table without searches.
    ///
    /// # Errors
    /// Fails if no file descriptor is available.
    pub fn new(service: JudgeService, finder: Arc<dyn ProblemFinder>) -> Result<SearchTable, Fault> {
        let cancel = service.host().cancel().child()?;
        // If there are several slots, one of them is reserved for submissions.
        let at_once = service.host().jobs().saturating_sub(1).max(1);
        let shared = SearchShared {
            service,
            cancel,
            finder,
            at_once,
            state: Mutex::default(),
            turn: Condvar::new(),
            callbacks: RwLock::default(),
        };
        Ok(SearchTable { shared: Arc::new(shared), threads: Mutex::default() })
    }

    /// Adds a search. It waits until fewer than the maximum number of earlier searches are waiting or running.
    ///
    /// # Errors
    /// Fails if a limit is exceeded, if the table was shut down, if a search is not possible for the problem, if a
    /// program can't be read, or if no thread or file descriptor is available.
    pub fn start(&self, new: &NewSearch) -> Result<SubmissionId, StartSearchError> {
        self.shared.admit(&new.person)?;
        let started = self.open(new);
        self.shared.lock().starting.retain(|person| *person != new.person);
        started
    }

    fn open(&self, new: &NewSearch) -> Result<SubmissionId, StartSearchError> {
        let shared = &self.shared;
        let found: FoundProblem = shared.finder.find(&new.problem)?;
        let read = new.clone().read(&shared.service, &found)?;
        let id = SubmissionId::random().map_err(Failure::from)?;
        let search = Arc::new(LiveSearch {
            log: SearchLog::new(id.as_str()),
            id: id.clone(),
            person: new.person.clone(),
            problem: new.problem.clone(),
            name: new.name.clone(),
            language: read.request.source.language().id.clone(),
            created: now_ms(),
            cancel: shared.cancel.child().map_err(Failure::from)?,
            cancel_requested: AtomicBool::new(false),
            running: AtomicBool::new(false),
            found: OnceLock::new(),
        });
        let number = shared.add(search.clone());
        let thread = std::thread::Builder::new().name(format!("search {number}")).spawn({
            let shared = shared.clone();
            move || shared.work(number, &search, read)
        });
        let mut threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        threads.retain(|_, thread| !thread.is_finished());
        match thread {
            Ok(thread) => _ = threads.insert(number, thread),
            Err(error) => {
                shared.lock().searches.remove(&number);
                let fault = Fault::io(FaultKind::Internal, &error).context("cannot start the search thread");
                return Err(Failure::from(fault).into());
            }
        }
        Ok(id)
    }

    /// Returns the search with this id; `None` if it does not exist, or was removed after its end.
    pub fn get(&self, id: &SubmissionId) -> Option<SearchView> {
        self.shared.find(id).map(|search| search.view())
    }

    /// Returns the searches of a person that are in the table, the latest first.
    pub fn of_person(&self, person: &str) -> Vec<SearchView> {
        let state = self.shared.lock();
        let own = state.searches.values().rev().filter(|search| search.person == person);
        own.map(|search| search.view()).collect()
    }

    /// Returns the failing input of an ended search, with the answer and the output; `None` if the search found none,
    /// has not ended or does not exist. The input, the answer and the output are each truncated to
    /// [`LARGEST_TEXT`](crate::stress::LARGEST_TEXT) bytes.
    pub fn found(&self, id: &SubmissionId) -> Option<FailedCase> {
        self.shared.find(id)?.found.get().cloned()
    }

    /// Returns the events after the event with the number `after`, or all events if `after` is `None`, and the progress
    /// if its version is greater than `version`; `None` if the search does not exist.
    pub fn events_after(&self, id: &SubmissionId, after: Option<u64>, version: u64) -> Option<SearchPage> {
        self.shared.find(id).map(|search| search.log.page(after, version))
    }

    /// Cancels a search. A failing input that was already found remains available. Returns false if the search has
    /// ended or does not exist.
    pub fn cancel(&self, id: &SubmissionId) -> bool {
        let Some(search) = self.shared.find(id).filter(|search| !search.ended()) else { return false };
        search.cancel_requested.store(true, Ordering::SeqCst);
        search.cancel.cancel();
        self.shared.turn.notify_all();
        true
    }

    /// Adds a function that is called whenever the state or the events of a search change. The function must not block.
    pub fn on_change(&self, callback: Arc<dyn Fn(&SubmissionId) + Send + Sync>) {
        self.shared.callbacks.write().unwrap_or_else(PoisonError::into_inner).push(callback);
    }

    /// Cancels all searches, and waits until their threads exit.
    pub fn shutdown(&self) {
        self.shared.lock().closed = true;
        self.shared.cancel.cancel();
        self.shared.turn.notify_all();
        let threads = std::mem::take(&mut *self.threads.lock().unwrap_or_else(PoisonError::into_inner));
        for thread in threads.into_values() {
            // `join` fails if the thread panicked; the thread has exited in either case.
            _ = thread.join();
        }
    }
}

impl Drop for SearchTable {
    fn drop(&mut self) {
        self.shutdown();
    }
}

impl SearchShared {
    fn lock(&self) -> MutexGuard<'_, SearchState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn find(&self, id: &SubmissionId) -> Option<Arc<LiveSearch>> {
        self.lock().searches.values().find(|search| search.id == *id).cloned()
    }

    /// Reserves a place in the table for a search of this person.
    fn admit(&self, person: &str) -> Result<(), StartSearchError> {
        let mut state = self.lock();
        if state.closed || self.cancel.is_cancelled() {
            return Err(StartSearchError::ShuttingDown);
        }
        let mut open = state.searches.values().filter(|search| !search.ended());
        if open.any(|search| search.person == person) || state.starting.iter().any(|other| other == person) {
            return Err(StartSearchError::OneAtATime);
        }
        if state.searches.values().filter(|search| !search.ended()).count() + state.starting.len() >= MOST_OPEN {
            return Err(StartSearchError::Full { most: MOST_OPEN });
        }
        state.starting.push(person.to_owned());
        Ok(())
    }

    /// Adds a search and returns its number. Removes the oldest ended searches if there are too many.
    fn add(&self, search: Arc<LiveSearch>) -> u64 {
        let mut state = self.lock();
        let ended: Vec<u64> =
            state.searches.iter().filter(|(_, search)| search.ended()).map(|(number, _)| *number).collect();
        for number in ended.iter().take((ended.len() + 1).saturating_sub(MOST_ENDED)) {
            state.searches.remove(number);
        }
        let number = state.next;
        state.next += 1;
        state.searches.insert(number, search);
        number
    }

    /// Waits until a search may run, runs it unless it was cancelled, and adds its last event to the log.
    fn work(&self, number: u64, own: &LiveSearch, read: ReadSearch) {
        let changed = || self.changed(&own.id);
        let (mut last, found) = if self.await_turn(number, own) {
            changed();
            let run = || search(&self.service, &own.cancel, read, (&own.log, &changed));
            catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| {
                let failure = Failure::fault(FaultKind::Internal, "the search thread panicked");
                (unfinished(&failure), None)
            })
        } else {
            (unfinished(&Failure::fault(FaultKind::Cancelled, "the search was cancelled before it started")), None)
        };
        if own.cancel_requested.load(Ordering::SeqCst) && last["found"] != true {
            last["cancelled"] = true.into();
        }
        if let Some(found) = found {
            _ = own.found.set(found);
        }
        own.log.finish(last);
        // Without this lock, a search that has checked the state but is not waiting yet would miss the signal.
        drop(self.lock());
        self.turn.notify_all();
        changed();
    }

    /// Waits until a search may run. Returns false if the search was cancelled.
    fn await_turn(&self, number: u64, own: &LiveSearch) -> bool {
        let mut state = self.lock();
        loop {
            if own.cancel.is_cancelled() {
                return false;
            }
            let before = state.searches.range(..number).filter(|(_, search)| !search.ended()).count();
            if before < self.at_once {
                own.running.store(true, Ordering::SeqCst);
                return true;
            }
            state = self.turn.wait_timeout(state, TICK).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn changed(&self, id: &SubmissionId) {
        let callbacks = self.callbacks.read().unwrap_or_else(PoisonError::into_inner).clone();
        callbacks.iter().for_each(|callback| callback(id));
    }
}

impl LiveSearch {
    fn ended(&self) -> bool {
        self.log.finished().is_some()
    }

    fn view(&self) -> SearchView {
        let finished = self.log.finished();
        let state = match &finished {
            Some(last) if last["cancelled"] == true => JudgingState::Cancelled,
            Some(_) => JudgingState::Finished,
            None if self.running.load(Ordering::SeqCst) => JudgingState::Running,
            None => JudgingState::Queued,
        };
        SearchView {
            id: self.id.clone(),
            person: self.person.clone(),
            problem: self.problem.clone(),
            name: self.name.clone(),
            language: self.language.clone(),
            created: self.created,
            state,
            finished,
        }
    }
}
