//! Runs a program on numbered tests, in parallel, until the program fails.

use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use crate::model::{Diagnostic, Digest, Failure, Fault, FaultKind, Limits, TimeSpan};
use crate::runner::{BuiltProgram, OutputChecker, ProgramRunner, SharedRetry};

use crate::workers::{SlotLease, on_each_worker};

use super::pool::{Broken, Pool, lock};
use super::schedule::{How, Schedule, TestRequest};
use super::test_run::{FailingInput, TestOutcome, Worker};

/// Interval between progress reports.
const TICK: Duration = Duration::from_millis(100);
/// Number of failed attempts to create a test after which the search fails if it has not run any test.
const IN_VAIN: u64 = 1_000;

/// The limits of a search and of the runs of the program.
#[derive(Debug, Clone, Copy)]
pub struct Hunt {
    /// Maximum duration, after which no test is started; `None` for no maximum.
    pub seconds: Option<TimeSpan>,
    /// Maximum number of tests; `None` for no maximum.
    pub count: Option<u64>,
    /// The limits of each run, before the time factor of the program's language is applied.
    pub limits: Limits,
    /// Maximum number of slots on which tests are run concurrently; `None` for all free slots.
    pub slots: Option<usize>,
}

/// The duration of a search with neither a time limit nor a maximum number of tests.
const DEFAULT_TIME: TimeSpan = TimeSpan::seconds(60);

impl Hunt {
    /// Creates the limits of a search from its maximum duration and its maximum number of tests. If both are `None`,
    /// the maximum duration is one minute. `limits` apply to each run of the program.
    pub fn bounded(seconds: Option<TimeSpan>, count: Option<u64>, limits: Limits) -> Hunt {
        Hunt { seconds: seconds.or(count.is_none().then_some(DEFAULT_TIME)), count, limits, slots: None }
    }
}

/// The progress of a search.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct HuntProgress {
    /// The number of tests that were run.
    pub tests: u64,
    /// The time since the start of the search.
    pub time: TimeSpan,
    /// The size of the largest input so far, in bytes.
    pub largest: u64,
}

impl HuntProgress {
    /// Returns the number of tests per second.
    pub fn rate(&self) -> f64 {
        self.tests as f64 / self.time.as_seconds_f64().max(0.001)
    }
}

/// The reason why a search ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HuntEnd {
    /// The program failed.
    Found(Box<FailingInput>),
    /// An answering program failed on this input.
    Broken {
        /// The number of the test.
        number: u64,
        /// The input on which the answering program failed.
        input: Vec<u8>,
        /// The failure of the answering program.
        broken: Broken,
    },
    /// The maximum duration or the maximum number of tests was reached.
    Spent,
    /// All inputs were tried.
    All,
    /// The search was cancelled.
    Cancelled,
}

/// The result of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunted {
    /// The reason why the search ended.
    pub end: HuntEnd,
    /// The progress at the end.
    pub progress: HuntProgress,
    /// The number of tests that have no answer because the answering programs exceeded their time or memory limits. On
    /// such a test, only a crash or an exceeded limit of the tested program is detected.
    pub unanswered: u64,
    /// The answering programs that exceeded their time or memory limits, with the size in bytes of the smallest input
    /// for which this happened.
    pub too_large: Vec<(String, u64)>,
    /// Whether the user's generator was run with several seeds and printed the same input for all of them.
    pub same_input: bool,
}

impl Hunted {
    /// Returns the result of a search that ran no test.
    pub(super) fn nothing() -> Hunted {
        let progress = HuntProgress::default();
        Hunted { end: HuntEnd::Spent, progress, unanswered: 0, too_large: Vec::new(), same_input: false }
    }
}

/// Searches for an input on which the program fails, and calls `emit` with the progress.
///
/// The returned failure is that of the test with the lowest number, regardless of the number of threads. Whether this
/// test is reached in time depends on the machine.
///
/// # Errors
/// Fails if no test can be created, if the user's generator fails, if a validator rejects a sample or an output of the
/// user's generator, or if the judge itself fails.
pub fn hunt(
    pool: &Pool<'_>,
    program: &BuiltProgram,
    hunt: &Hunt,
    emit: &mut dyn FnMut(&HuntProgress),
) -> Result<Hunted, Failure> {
    let start = Instant::now();
    let deadline = hunt.seconds.and_then(|time| start.checked_add(time.duration()));
    let host = pool.host();
    let lease = host.slots().lease(hunt.slots.unwrap_or(usize::MAX), host.cancel(), &mut || {})?;
    let slots = lease.slots();
    let field = SharedHunt {
        state: Mutex::new(HuntState { schedule: pool.schedule(), alive: slots.len(), ..HuntState::new(pool) }),
        changed: Condvar::new(),
        deadline,
        count: hunt.count.unwrap_or(u64::MAX),
    };
    let retry = SharedRetry::new(host, hunt.limits);
    let work_on = |(slot, _gone): (usize, PanicGuard<'_>)| {
        if let Err(failure) = work(&field, pool, program, (&retry, &lease), slot) {
            field.lock().fail(u64::MAX, failure);
        }
    };
    let report_progress = || {
        let mut state = field.lock();
        while state.alive > 0 {
            let waited = field.changed.wait_timeout(state, TICK).unwrap_or_else(std::sync::PoisonError::into_inner);
            state = waited.0;
            let progress = HuntProgress { time: TimeSpan::from(start.elapsed()), ..state.progress };
            drop(state);
            emit(&progress);
            state = field.lock();
        }
    };
    let workers = slots.iter().map(|slot| (*slot, PanicGuard(&field))).collect();
    let (ended, ()) = on_each_worker(workers, work_on, report_progress);
    // A panic of a worker has already been recorded when its `PanicGuard` was dropped.
    ended.into_iter().filter_map(Result::err).for_each(|fault| field.lock().fail(u64::MAX, fault.into()));
    let state = field.state.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let progress = HuntProgress { time: TimeSpan::from(start.elapsed()), ..state.progress };
    state.ended(progress, pool)
}

/// Runs tests until the search ends.
fn work(
    field: &SharedHunt,
    pool: &Pool<'_>,
    program: &BuiltProgram,
    (retry, lease): (&SharedRetry<'_>, &SlotLease),
    slot: usize,
) -> Result<(), Failure> {
    let runner = ProgramRunner::new(pool.host(), program, slot)?;
    let (tools, output_checker) = (pool.tools(slot), OutputChecker::new(pool.host(), slot));
    let mut worker = Worker { pool, slot, runner, tools, output_checker, retry };
    while let Some(order) = field.next() {
        lease.yield_slot(slot, pool.host().cancel())?;
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
        let outcome = match worker.rejection(&test) {
            Ok(None) => worker.attempt(&test),
            Ok(Some(reason)) => {
                field.lock().rejected(&order, pool, reason);
                continue;
            }
            Err(fault) => Err(fault),
        };
        let mut state = field.lock();
        state.progress.tests += 1;
        state.progress.largest = state.progress.largest.max(test.input.len() as u64);
        state.note_input(&order, &test.input);
        match outcome {
            Ok(TestOutcome::Accepted) => {}
            Ok(TestOutcome::Unanswered) => state.unanswered += 1,
            Ok(TestOutcome::Failed(failure)) => {
                let found = FailingInput {
                    number: order.number,
                    sample: pool.sample_name(&test),
                    origin: pool.origin(&order),
                    input: test.input.clone(),
                    failure: *failure,
                };
                state.end(order.number, Ok(HuntEnd::Found(Box::new(found))));
            }
            Ok(TestOutcome::Broken(broken)) => {
                let end = HuntEnd::Broken { number: order.number, input: test.input.clone(), broken };
                state.end(order.number, Ok(end));
            }
            Err(fault) => state.fail(order.number, fault.into()),
        }
    }
    pool.put_back(slot, worker.tools);
    Ok(())
}

/// The state that all workers of a search share.
struct SharedHunt {
    state: Mutex<HuntState>,
    changed: Condvar,
    deadline: Option<Instant>,
    count: u64,
}

struct HuntState {
    schedule: Schedule,
    complete: bool,
    /// The number of workers that are still running.
    alive: usize,
    progress: HuntProgress,
    unanswered: u64,
    unmade: u64,
    /// The reason for the last rejection of a test by a validator; `None` before the first rejection.
    rejection: Option<String>,
    /// The hash of the first input from the user's generator, the number of compared inputs, and whether all of them
    /// are equal; `None` before the first input.
    seeded: Option<(Digest, u64, bool)>,
    /// Whether the schedule has no further tests.
    exhausted: bool,
    /// The reason why the search ended, and the number of the test that ended it; `None` before the end. If several
    /// tests end the search, the test with the lowest number is stored.
    ended: Option<(u64, Result<HuntEnd, Failure>)>,
}

/// A guard of a worker. When the guard is dropped, it records that the worker has ended and whether it panicked.
struct PanicGuard<'a>(&'a SharedHunt);

impl Drop for PanicGuard<'_> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.alive -= 1;
        if std::thread::panicking() {
            state.fail(0, Failure::fault(FaultKind::Internal, "a worker thread panicked"));
        }
        self.0.changed.notify_all();
    }
}

impl SharedHunt {
    fn lock(&self) -> MutexGuard<'_, HuntState> {
        lock(&self.state)
    }

    /// Returns the next test to create, or `None` when the search is over.
    fn next(&self) -> Option<TestRequest> {
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

impl HuntState {
    fn new(pool: &Pool<'_>) -> HuntState {
        HuntState {
            schedule: pool.schedule(),
            complete: pool.complete(),
            alive: 0,
            progress: HuntProgress::default(),
            unanswered: 0,
            unmade: 0,
            rejection: None,
            seeded: None,
            exhausted: false,
            ended: None,
        }
    }

    /// Records that a validator rejected a test. The rejection of a sample or of an output of the user's generator ends
    /// the search, since these inputs are expected to be valid.
    fn rejected(&mut self, order: &TestRequest, pool: &Pool<'_>, reason: String) {
        self.unmade += 1;
        if let Some(origin) = pool.origin(order) {
            let message = format!("{origin} is invalid: {reason}");
            self.fail(order.number, Diagnostic::new(message).help("correct the validator or the input").into());
        }
        self.rejection = Some(reason);
    }

    /// Records whether the inputs of the user's generator differ.
    fn note_input(&mut self, order: &TestRequest, input: &[u8]) {
        if let (How::Seed(_), true) = (&order.how, self.seeded.is_none_or(|(.., same)| same)) {
            let digest = Digest::of(input);
            let (first, count, same) = self.seeded.unwrap_or((digest, 0, true));
            self.seeded = Some((first, count + 1, same && first == digest));
        }
    }

    /// Ends the search because of the test with this number, unless a test with a lower number has already ended it.
    fn end(&mut self, number: u64, end: Result<HuntEnd, Failure>) {
        if self.ended.as_ref().is_none_or(|(so_far, _)| number < *so_far) {
            self.ended = Some((number, end));
        }
    }

    /// Records a failure during the test with this number. A cancellation is recorded only if the search has not ended
    /// for another reason.
    fn fail(&mut self, number: u64, failure: Failure) {
        let cancelled = matches!(&failure, Failure::Fault(fault) if fault.kind == FaultKind::Cancelled);
        self.end(if cancelled { u64::MAX } else { number }, Err(failure));
    }

    fn ended(self, progress: HuntProgress, pool: &Pool<'_>) -> Result<Hunted, Failure> {
        let in_vain = progress.tests == 0 && self.unmade > 0;
        let end = match self.ended {
            Some((_, Err(Failure::Fault(Fault { kind: FaultKind::Cancelled, .. })))) => HuntEnd::Cancelled,
            Some((_, end)) => end?,
            None if in_vain => {
                let message = format!("no valid input could be generated for `{}`", pool.problem().id);
                let diagnostic = Diagnostic::new(message);
                return Err(match self.rejection {
                    Some(reason) => diagnostic
                        .help(format!("correct the validator or the generators; the last input was {reason}"))
                        .into(),
                    None => diagnostic.help("correct the generators or the description of the inputs").into(),
                });
            }
            None if self.exhausted && self.complete => HuntEnd::All,
            None => HuntEnd::Spent,
        };
        let same_input = self.seeded.is_some_and(|(_, count, same)| same && count > 1);
        Ok(Hunted { end, progress, unanswered: self.unanswered, too_large: pool.too_large(), same_input })
    }
}
