//! The searches: those that wait, those that run, and the latest that ended.

use std::collections::{BTreeMap, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::Value;

use crate::model::{FailedCase, Failure, Fault, FaultKind, ProblemId};
use crate::sandbox::Cancel;
use crate::service::JudgeService;
use crate::submissions::{FoundProblem, JudgingState, ProblemFinder, SubmissionId};

use super::log::{SearchLog, SearchPage};
use super::new_search::{NewSearch, ReadSearch, StartSearchError};
use super::run::{search, unfinished};

/// Maximum number of searches that wait or run.
const MOST_OPEN: usize = 40;
/// Maximum number of ended searches that are kept.
const MOST_ENDED: usize = 60;
/// Interval at which a search that waits for its turn looks whether it was cancelled.
const TICK: Duration = Duration::from_millis(50);

/// Called with a search whose state or events changed.
type SearchCallback = Arc<dyn Fn(&SubmissionId) + Send + Sync>;

/// Runs searches on threads of their own. Dropping it cancels them.
pub struct SearchTable {
    shared: Arc<SearchShared>,
    threads: Mutex<HashMap<u64, JoinHandle<()>>>,
}

struct SearchShared {
    service: JudgeService,
    cancel: Cancel,
    finder: Arc<dyn ProblemFinder>,
    /// The number of searches that run at once.
    at_once: usize,
    state: Mutex<SearchState>,
    /// Signalled when a search ended.
    turn: Condvar,
    callbacks: RwLock<Vec<SearchCallback>>,
}

#[derive(Default)]
struct SearchState {
    /// The searches in the order in which they were started.
    searches: BTreeMap<u64, Arc<LiveSearch>>,
    next: u64,
    /// The people whose searches are being started.
    starting: Vec<String>,
    closed: bool,
}

/// A search.
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

/// A search as it is now.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchView {
    /// The id, in the form of the id of a submission.
    pub id: SubmissionId,
    /// Who started it.
    pub person: String,
    /// The id of the problem.
    pub problem: ProblemId,
    /// The file name of the program.
    pub name: String,
    /// The id of the program's language.
    pub language: String,
    /// When it was started, in milliseconds since 1970.
    pub created: i64,
    /// Whether it waits, runs or ended.
    pub state: JudgingState,
    /// The last event, if it has ended.
    pub finished: Option<Value>,
}

impl SearchTable {
    /// Creates a table without searches.
    ///
    /// # Errors
    /// Fails if the system has no descriptor left.
    pub fn new(service: JudgeService, finder: Arc<dyn ProblemFinder>) -> Result<SearchTable, Fault> {
        let cancel = service.host().cancel().child()?;
        // A slot is left for submissions if there are several.
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

    /// Starts a search, which waits for its turn.
    ///
    /// # Errors
    /// Fails if a limit is exceeded, if the problem can't be searched, or if the program can't be read.
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
                return Err(Failure::from(Fault::io(FaultKind::Internal, &error)).into());
            }
        }
        Ok(id)
    }

    /// The search with this id; `None` if there is none, or if it ended long ago.
    pub fn get(&self, id: &SubmissionId) -> Option<SearchView> {
        self.shared.find(id).map(|search| search.view())
    }

    /// The searches of a person that are known, the latest first.
    pub fn of_person(&self, person: &str) -> Vec<SearchView> {
        let state = self.shared.lock();
        let own = state.searches.values().rev().filter(|search| search.person == person);
        own.map(|search| search.view()).collect()
    }

    /// The failing input of an ended search, with the answer and the output; `None` if it found none. Texts that are longer
    /// than [`LARGEST_TEXT`](crate::stress::LARGEST_TEXT) are cut.
    pub fn found(&self, id: &SubmissionId) -> Option<FailedCase> {
        self.shared.find(id)?.found.get().cloned()
    }

    /// The events after this number, and the progress after this version; `None` if there is no such search.
    pub fn events_after(&self, id: &SubmissionId, after: Option<u64>, version: u64) -> Option<SearchPage> {
        self.shared.find(id).map(|search| search.log.page(after, version))
    }

    /// Cancels a search. What it found is kept. Returns false if it had ended or does not exist.
    pub fn cancel(&self, id: &SubmissionId) -> bool {
        let Some(search) = self.shared.find(id).filter(|search| !search.ended()) else { return false };
        search.cancel_requested.store(true, Ordering::SeqCst);
        search.cancel.cancel();
        self.shared.turn.notify_all();
        true
    }

    /// Adds a function that is called when the state or the events of a search changed. It must return at once.
    pub fn on_change(&self, callback: Arc<dyn Fn(&SubmissionId) + Send + Sync>) {
        self.shared.callbacks.write().unwrap_or_else(PoisonError::into_inner).push(callback);
    }

    /// Cancels all searches, and waits for their ends.
    pub fn shutdown(&self) {
        self.shared.lock().closed = true;
        self.shared.cancel.cancel();
        self.shared.turn.notify_all();
        let threads = std::mem::take(&mut *self.threads.lock().unwrap_or_else(PoisonError::into_inner));
        for thread in threads.into_values() {
            // A thread that panicked has ended too.
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

    /// Reserves a place for a search of this person.
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

    /// Adds a search, and forgets those that ended first.
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

    /// Waits for the turn of a search, runs it and ends it.
    fn work(&self, number: u64, own: &LiveSearch, read: ReadSearch) {
        let changed = || self.changed(&own.id);
        let (mut last, found) = if self.await_turn(number, own) {
            changed();
            let run = || search(&self.service, &own.cancel, read, (&own.log, &changed));
            catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| {
                let failure = Failure::fault(FaultKind::Internal, "the thread of the search panicked");
                (unfinished(&failure), None)
            })
        } else {
            (unfinished(&Failure::fault(FaultKind::Cancelled, "cancelled before its turn")), None)
        };
        if own.cancel_requested.load(Ordering::SeqCst) && last["found"] != true {
            last["cancelled"] = true.into();
        }
        if let Some(found) = found {
            _ = own.found.set(found);
        }
        own.log.finish(last);
        // Waiting searches must see the end after a lock, so that none of them misses the signal.
        drop(self.lock());
        self.turn.notify_all();
        changed();
    }

    /// Waits until a search may run. Returns false if it was cancelled.
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

/// Milliseconds since 1970.
fn now_ms() -> i64 {
    let passed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(passed.as_millis()).unwrap_or(i64::MAX)
}
