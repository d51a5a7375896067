//! The hunt: a program is run on test after test, in parallel, until it fails.

use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use crate::model::{Failure, Fault, FaultKind, Limits, TimeSpan};
use crate::runner::{BuiltProgram, OutputChecker, ProgramRunner, SharedRetry};

use crate::workers::on_each_slot;

use super::pool::{Broken, Pool, lock};
use super::schedule::{Order, Schedule};
use super::trial::{Found, Outcome, Worker};

/// How often progress is told.
const TICK: Duration = Duration::from_millis(100);
/// When none of so many tests could be made, none ever will.
const IN_VAIN: u64 = 1_000;

/// How long a hunt lasts, and under which limits the program runs.
#[derive(Debug, Clone, Copy)]
pub struct Hunt {
    /// At most so long. No test is begun after that.
    pub seconds: Option<TimeSpan>,
    /// At most the tests below this number.
    pub count: Option<u64>,
    /// What the program may use in each test, before its language's factor.
    pub limits: Limits,
}

/// How far a hunt has come.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Progress {
    /// How many tests were run.
    pub tests: u64,
    /// How long it takes already.
    pub time: TimeSpan,
    /// The size of the largest input so far, in bytes.
    pub largest: u64,
}

/// How a hunt ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// The program failed.
    Found(Box<Found>),
    /// The program that gives the answers failed on this input.
    Broken {
        /// The number of the test.
        number: u64,
        /// The input.
        input: Vec<u8>,
        /// How it failed.
        broken: Broken,
    },
    /// The time is over, or the count is reached.
    Spent,
    /// All inputs that there are were tried.
    All,
    /// It was cancelled.
    Cancelled,
}

/// What came of a hunt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunted {
    /// How it ended.
    pub end: End,
    /// How far it came.
    pub progress: Progress,
    /// In how many tests only crashes and limits were looked for: the answering program gave no answer in its time.
    pub unanswered: u64,
    /// The least size, in bytes, at which it gave none.
    pub too_large: Option<u64>,
}

/// Hunts for an input that the program fails, and tells from time to time how far it is.
///
/// The failure that is told is that of the test with the lowest number, on any number of threads. Whether it comes
/// before the time is over depends on the machine.
///
/// # Errors
/// Nothing could be made to test with; or our own failure.
pub fn hunt(
    pool: &Pool<'_>,
    program: &BuiltProgram,
    hunt: &Hunt,
    tell: &mut dyn FnMut(&Progress),
) -> Result<Hunted, Failure> {
    let start = Instant::now();
    let deadline = hunt.seconds.and_then(|time| start.checked_add(time.duration()));
    let host = pool.host();
    let lease = host.slots().lease(usize::MAX, host.cancel(), &mut || {})?;
    let slots = lease.slots();
    let field = Field {
        state: Mutex::new(State { schedule: pool.schedule(), alive: slots.len(), ..State::new(pool) }),
        changed: Condvar::new(),
        deadline,
        count: hunt.count.unwrap_or(u64::MAX),
    };
    let retry = SharedRetry::new(host, hunt.limits);
    let work_on = |slot: usize| {
        let _gone = Gone(&field);
        if let Err(failure) = work(&field, pool, program, &retry, slot) {
            field.lock().fail(u64::MAX, failure);
        }
    };
    let report_progress = || {
        let mut state = field.lock();
        while state.alive > 0 {
            let waited = field.changed.wait_timeout(state, TICK).unwrap_or_else(std::sync::PoisonError::into_inner);
            state = waited.0;
            let progress = Progress { time: TimeSpan::from(start.elapsed()), ..state.progress };
            drop(state);
            tell(&progress);
            state = field.lock();
        }
    };
    // A worker that panicked has reported it through `Gone`.
    let _ = on_each_slot(slots, work_on, report_progress);
    let state = field.state.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let progress = Progress { time: TimeSpan::from(start.elapsed()), ..state.progress };
    state.ended(progress, pool)
}

/// Takes test after test until there is nothing more to do.
fn work(
    field: &Field,
    pool: &Pool<'_>,
    program: &BuiltProgram,
    retry: &SharedRetry<'_>,
    slot: usize,
) -> Result<(), Failure> {
    let runner = ProgramRunner::new(pool.host(), program, slot)?;
    let (tools, output_checker) = (pool.tools(slot), OutputChecker::new(pool.host(), slot));
    let mut worker = Worker { pool, slot, runner, tools, output_checker, retry };
    while let Some(order) = field.next() {
        let test = match pool.test(&mut worker.tools, slot, &order) {
            Ok(Some(test)) => test,
            Ok(None) => {
                field.lock().unmade += 1;
                continue;
            }
            Err(failure) => {
                field.lock().fail(order.number, failure);
                continue;
            }
        };
        let outcome = match worker.admits(&test) {
            Ok(true) => worker.attempt(&test),
            Ok(false) => {
                field.lock().unmade += 1;
                continue;
            }
            Err(fault) => Err(fault),
        };
        let mut state = field.lock();
        state.progress.tests += 1;
        state.progress.largest = state.progress.largest.max(test.input.len() as u64);
        match outcome {
            Ok(Outcome::Accepted) => {}
            Ok(Outcome::Unanswered) => state.unanswered += 1,
            Ok(Outcome::Failed(trial)) => {
                let found = Found { number: order.number, input: test.input.clone(), trial: *trial };
                state.end(order.number, Ok(End::Found(Box::new(found))));
            }
            Ok(Outcome::Broken(broken)) => {
                let end = End::Broken { number: order.number, input: test.input.clone(), broken };
                state.end(order.number, Ok(end));
            }
            Err(fault) => state.fail(order.number, fault.into()),
        }
    }
    pool.put_back(slot, worker.tools);
    Ok(())
}

/// What the workers share.
struct Field {
    state: Mutex<State>,
    changed: Condvar,
    deadline: Option<Instant>,
    count: u64,
}

struct State {
    schedule: Schedule,
    complete: bool,
    /// How many workers are still there.
    alive: usize,
    progress: Progress,
    unanswered: u64,
    unmade: u64,
    /// Whether there is no further test.
    exhausted: bool,
    /// The end, and the number of the test that made it: the lowest counts.
    ended: Option<(u64, Result<End, Failure>)>,
}

/// Says that a worker has gone, even if it panicked.
struct Gone<'a>(&'a Field);

impl Drop for Gone<'_> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.alive -= 1;
        if std::thread::panicking() {
            state.fail(0, Failure::fault(FaultKind::Worker, "a thread of the hunt panicked"));
        }
        self.0.changed.notify_all();
    }
}

impl Field {
    fn lock(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// The next test to make; none when the hunt is over.
    fn next(&self) -> Option<Order> {
        let mut state = self.lock();
        let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        let in_vain = state.progress.tests == 0 && state.unmade >= IN_VAIN;
        if late || in_vain || state.ended.is_some() {
            return None;
        }
        let next = state.schedule.next();
        state.exhausted |= next.is_none();
        next.filter(|order| order.number < self.count)
    }
}

impl State {
    fn new(pool: &Pool<'_>) -> State {
        State {
            schedule: pool.schedule(),
            complete: pool.complete(),
            alive: 0,
            progress: Progress::default(),
            unanswered: 0,
            unmade: 0,
            exhausted: false,
            ended: None,
        }
    }

    /// The end that the test of this number made, unless one of a lower number made one already.
    fn end(&mut self, number: u64, end: Result<End, Failure>) {
        if self.ended.as_ref().is_none_or(|(so_far, _)| number < *so_far) {
            self.ended = Some((number, end));
        }
    }

    /// A failure of this test. That we were told to stop says less than whatever else is known.
    fn fail(&mut self, number: u64, failure: Failure) {
        let cancelled = matches!(&failure, Failure::Fault(fault) if fault.kind == FaultKind::Cancelled);
        self.end(if cancelled { u64::MAX } else { number }, Err(failure));
    }

    fn ended(self, progress: Progress, pool: &Pool<'_>) -> Result<Hunted, Failure> {
        let in_vain = progress.tests == 0 && self.unmade > 0;
        let end = match self.ended {
            Some((_, Err(Failure::Fault(Fault { kind: FaultKind::Cancelled, .. })))) => End::Cancelled,
            Some((_, end)) => end?,
            None if in_vain => {
                let message = format!("{}: no input could be made to test with", pool.problem().id);
                return Err(Failure::complaint(message));
            }
            None if self.exhausted && self.complete => End::All,
            None => End::Spent,
        };
        Ok(Hunted { end, progress, unanswered: self.unanswered, too_large: pool.too_large() })
    }
}
