//! The service, which prepares problems and starts runs of programs on them.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::data::Case;
use crate::lang::SourceBundle;
use crate::model::{Activity, Diagnostic, Digest, Event, Failure, Fault, Isolation, Limits, ProblemId, RunId};
use crate::problem::Problem;
use crate::runner::{
    AnyProblem, Host, JudgeOptions, JudgingTarget, Prepared, PreparedProblem, ProblemSource, author_languages,
    build_aux_programs, prepare_cells,
};
use crate::sandbox::{
    Cancel, ForkServer, IsolationRequirement, best_available, raise_descriptor_limit, start_on_other_cpu,
};

use super::prepared_problems::PreparedProblems;
use super::request::{JudgeRequest, RunReport};
use super::run::{RunHandle, failed_run, start};

/// Name of the folder in the cache that contains the results of the sandbox's test runs.
const ISOLATION_FOLDER: &str = "sandbox";

/// Minimum time between two reports about the generation of test data.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(50);

/// A callback that receives the current activity while a problem is prepared. Several threads may call it concurrently.
pub type PreparationProgress<'a> = &'a (dyn Fn(Activity) + Sync);

/// A service that judges programs on problems. Clones share all state.
///
/// Runs share the slots of the service: each CPU is used by one run at a time. While a program runs alone so that its
/// time can be measured exactly, no other program of the service runs.
#[derive(Clone)]
pub struct JudgeService {
    host: Host,
    prepared: Arc<Mutex<PreparedProblems>>,
    runs: Arc<AtomicU64>,
}

/// The settings with which a service is opened.
#[derive(Debug, Clone)]
pub struct ServiceConfig {
    /// The process that forks the cells of the sandbox.
    pub fork_server: ForkServer,
    /// The folder in which builds, test data and measured time limits are cached.
    pub cache: PathBuf,
    /// The folder of problems whose `languages.yaml` adds languages, if any.
    pub problems: Option<PathBuf>,
    /// The maximum number of programs that run concurrently.
    pub jobs: usize,
    /// The weakest acceptable isolation.
    pub isolation: IsolationRequirement,
    /// The number of cells whose processes are started while the service is opened, for a run that follows immediately.
    pub cells: usize,
}

/// A run that was announced with [`JudgeService::expect_run`]. Dropping this value waits until the thread that looks for a
/// compiler and then prepares the cells has ended, and cancels its search.
#[derive(Debug, Default)]
#[must_use = "the announcement ends when this value is dropped"]
pub struct ExpectedRun {
    cancel: Option<Cancel>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for ExpectedRun {
    fn drop(&mut self) {
        self.cancel.iter().for_each(Cancel::cancel);
        _ = self.thread.take().map(JoinHandle::join);
    }
}

impl JudgeService {
    /// Creates a service with the strongest sandbox that this machine supports. Cancelling `cancel` ends all runs of
    /// the service.
    ///
    /// # Errors
    /// Fails if the required isolation is not available, or if a table of languages is invalid.
    pub fn open(config: &ServiceConfig, cancel: &Cancel) -> Result<JudgeService, Failure> {
        // Each slot needs descriptors for its cells and for the pipes of interactive problems.
        raise_descriptor_limit();
        let kept = config.cache.join(ISOLATION_FOLDER);
        let sandbox =
            best_available(config.fork_server.clone(), cancel.clone(), config.isolation, (Some(&kept), config.cells))?;
        let host = Host::new(sandbox, cancel, &config.cache, config.problems.as_deref(), config.jobs)?;
        Ok(JudgeService::new(host))
    }

    /// Creates a service that runs programs on `host`.
    pub fn new(host: Host) -> JudgeService {
        JudgeService { host, prepared: Arc::default(), runs: Arc::default() }
    }

    /// Returns a clone of this service in which `cancel` cancels the runs and the programs that prepare problems.
    #[must_use]
    pub fn with_cancel(&self, cancel: &Cancel) -> JudgeService {
        JudgeService { host: self.host.with_cancel(cancel), ..self.clone() }
    }

    /// Returns a clone for use on one of several judging machines. It reports a language that is not installed, or a
    /// problem's own program that does not compile, as a fault, because another machine may be able to judge.
    #[must_use]
    pub fn of_worker(&self) -> JudgeService {
        JudgeService { host: self.host.of_worker(), ..self.clone() }
    }

    /// Returns the host on which the service runs programs.
    pub fn host(&self) -> &Host {
        &self.host
    }

    /// Returns the isolation of the sandbox.
    pub fn isolation(&self) -> &Isolation {
        self.host.isolation()
    }

    /// Removes the record of which isolation level worked, so that the next service with this cache tries the levels
    /// again.
    pub fn forget_isolation(cache: &Path) {
        // The record only saves time, so errors are ignored.
        _ = fs_err::remove_dir_all(cache.join(ISOLATION_FOLDER));
    }

    /// Announces that the program in the file `program`, in the language `language` or else in that of the file, will be
    /// judged soon, in `cells` cells. The cells are started immediately, and prepared if the program was built before.
    /// Errors are ignored, since the run reports them.
    pub fn expect_run(&self, (program, language): (&Path, Option<&str>), cells: usize) -> ExpectedRun {
        self.host.sandbox().expect_cells(cells);
        let Ok(bundle) = SourceBundle::read(program, language) else { return ExpectedRun::default() };
        if prepare_cells(&self.host, &bundle, cells, false) {
            return ExpectedRun::default();
        }
        let Ok(cancel) = self.host.cancel().child() else { return ExpectedRun::default() };
        let host = self.host.with_cancel(&cancel);
        let prepare = move || _ = prepare_cells(&host, &bundle, cells, true);
        ExpectedRun { cancel: Some(cancel), thread: start_on_other_cpu("cells", prepare).ok() }
    }

    /// Reads a problem, so that programs can be judged on it as long as the returned value exists. The test data of a
    /// native problem is generated when it is needed, or by [`PreparedProblem::data`].
    ///
    /// # Errors
    /// Fails if the problem is invalid, or if the judge fails.
    pub fn prepare(&self, source: &ProblemSource) -> Result<Arc<PreparedProblem>, Failure> {
        PreparedProblem::open(&self.host, source).map(|problem| self.register(problem))
    }

    /// Works like [`JudgeService::prepare`], for a problem that has already been read. Calls `progress` while the
    /// programs of a package generate test data.
    ///
    /// # Errors
    /// Fails for the same reasons as [`JudgeService::prepare`].
    pub fn prepare_read(
        &self,
        problem: AnyProblem,
        progress: PreparationProgress<'_>,
    ) -> Result<Arc<PreparedProblem>, Failure> {
        let progress = |done, total| progress(Activity::MakingTestData { done, total });
        PreparedProblem::of_read(&self.host, problem, &progress).map(|problem| self.register(problem))
    }

    /// Works like [`JudgeService::prepare`], for a native problem that has already been read.
    ///
    /// # Errors
    /// Fails for the same reasons as [`JudgeService::prepare`].
    pub fn prepare_problem(&self, problem: Problem) -> Result<Arc<PreparedProblem>, Failure> {
        PreparedProblem::of_problem(&self.host, problem).map(|problem| self.register(problem))
    }

    /// Generates the test data that a run with `options` needs, if it does not exist. Without this call, the run would
    /// generate the data while it occupies slots, and without reporting progress.
    ///
    /// # Errors
    /// Fails if the time limit in `options` is 0, if the data can't be generated or does not match `tests.lock`, or if
    /// the judge fails.
    pub fn make_data(
        &self,
        problem: &PreparedProblem,
        options: &JudgeOptions,
        progress: PreparationProgress<'_>,
    ) -> Result<(), Failure> {
        if !options.inputs.is_empty() && problem.known_limits(&self.host, options)?.is_some() {
            return Ok(());
        }
        self.cases(problem, progress).map(|_| ())
    }

    /// Returns the plan and the limits of a run with `options`. This call generates the test data if it does not exist,
    /// and measures the time limit if necessary.
    ///
    /// # Errors
    /// Fails if the cases, the inputs, the checker, the interactor or the time limit in `options` can't be used, if the
    /// test data can't be generated or does not match `tests.lock`, if the time limit can't be derived, or if the judge
    /// fails.
    pub fn target(
        &self,
        problem: &PreparedProblem,
        options: &JudgeOptions,
        progress: PreparationProgress<'_>,
    ) -> Result<JudgingTarget, Failure> {
        self.make_data(problem, options, progress)?;
        problem.target(&self.host, options, &mut |activity| progress(activity))
    }

    /// Builds the problem's own programs that a run on `target` needs, such as its checker. Without this call, the run
    /// builds them, and every run reports a program that does not compile.
    ///
    /// # Errors
    /// Fails if a program can't be read or does not compile, if its language is not installed, or if the judge fails.
    pub fn build_aux_programs(&self, target: &JudgingTarget) -> Result<(), Failure> {
        build_aux_programs(&self.host, &target.plan)
    }

    /// Returns the limits of a run with `options`. If the time limit must be measured, this call measures it, and
    /// generates the test data for this purpose if it does not exist.
    ///
    /// # Errors
    /// Fails if the time limit in `options` is 0, if the test data can't be generated or does not match `tests.lock`,
    /// if the time limit can't be derived, or if the judge fails.
    pub fn limits(
        &self,
        problem: &PreparedProblem,
        options: &JudgeOptions,
        progress: PreparationProgress<'_>,
    ) -> Result<Limits, Failure> {
        if problem.known_limits(&self.host, options)?.is_none() {
            self.cases(problem, progress)?;
        }
        problem.limits_on_free_slots(&self.host, options, &mut |activity| progress(activity))
    }

    /// Returns the cases of a native problem, which are generated if necessary; empty for a package.
    ///
    /// # Errors
    /// Fails if the data can't be generated or does not match `tests.lock`, or if the judge fails.
    pub fn cases<'p>(
        &self,
        problem: &'p PreparedProblem,
        progress: PreparationProgress<'_>,
    ) -> Result<&'p [Case], Failure> {
        problem.cases(&self.host, &cases_done(progress))
    }

    /// Returns the test data of a native problem, which is generated if necessary, and whether it matches `tests.lock`;
    /// `None` for a package.
    ///
    /// # Errors
    /// Fails if the data can't be generated, or if the judge fails.
    pub fn data<'p>(
        &self,
        problem: &'p PreparedProblem,
        progress: PreparationProgress<'_>,
    ) -> Result<Option<&'p Prepared>, Failure> {
        problem.data(&self.host, &cases_done(progress))
    }

    /// Returns the events of a run that failed before it started: its start, and its end with the judge's error.
    pub fn failed_run(&self, problem: &ProblemId, program: &str, fault: &Fault) -> Vec<Event> {
        failed_run(self.isolation(), self.next_id(), (problem, program), fault)
    }

    /// Returns the ids of the languages that a machine must have to judge submissions on a problem: those of the
    /// problem's own programs. No program is run.
    ///
    /// # Errors
    /// Fails if the problem is invalid, or if the judge fails.
    pub fn author_languages(&self, source: &ProblemSource) -> Result<BTreeSet<String>, Failure> {
        author_languages(&self.host, source)
    }

    /// Starts a run and returns immediately.
    ///
    /// # Errors
    /// Fails if the problem is not prepared, or if no thread or file descriptor is available.
    pub fn submit(&self, request: JudgeRequest) -> Result<RunHandle, Failure> {
        self.start(request, || {})
    }

    /// Judges the programs that `next` returns until it returns `None`, at most `at_once` at a time. Calls `done` with
    /// each report, in order of completion.
    ///
    /// # Errors
    /// Fails if `next` or `done` fails, or if a run cannot be started; see [`JudgeService::submit`]. Runs in progress
    /// are then cancelled.
    pub fn judge_many<T>(
        &self,
        at_once: usize,
        next: &mut dyn FnMut() -> Result<Option<(T, JudgeRequest)>, Failure>,
        done: &mut dyn FnMut(T, Result<RunReport, Failure>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let (sender, finished) = channel();
        let mut running: HashMap<u64, (T, RunHandle)> = HashMap::new();
        let mut number = 0;
        let mut more = true;
        let mut judge = || -> Result<(), Failure> {
            loop {
                while more && running.len() < at_once.max(1) {
                    let Some((tag, request)) = next()? else {
                        more = false;
                        break;
                    };
                    let (this, sender) = (number, sender.clone());
                    number += 1;
                    let handle = self.start(request, move || _ = sender.send(this))?;
                    running.insert(this, (tag, handle));
                }
                if running.is_empty() {
                    return Ok(());
                }
                // This function holds a sender, so `recv` waits for the end of a run instead of failing.
                let Ok(number) = finished.recv() else { return Ok(()) };
                if let Some((tag, handle)) = running.remove(&number) {
                    done(tag, handle.wait())?;
                }
            }
        };
        let judged = judge();
        for (_, handle) in running.into_values() {
            handle.cancel();
            let _ = handle.wait();
        }
        judged
    }

    fn start(&self, request: JudgeRequest, finished: impl FnOnce() + Send + 'static) -> Result<RunHandle, Failure> {
        let mut prepared = self.prepared.lock().unwrap_or_else(PoisonError::into_inner);
        let known = prepared.get(request.problem.digest, |problem| *problem.id() == request.problem.id);
        drop(prepared);
        let Some(problem) = known else {
            let message =
                format!("problem {} with digest {} is not prepared", request.problem.id, request.problem.digest);
            return Err(Diagnostic::new(message).help("call `JudgeService::prepare` first").into());
        };
        start(&self.host, problem, request, self.next_id(), finished)
    }

    fn register(&self, problem: PreparedProblem) -> Arc<PreparedProblem> {
        let mut prepared = self.prepared.lock().unwrap_or_else(PoisonError::into_inner);
        // If the problem was prepared before, its data and its measured limits are reused.
        prepared.add(problem.digest(), problem, |known, new| known.id() == new.id())
    }

    /// Creates an id from the time, the process and a counter. Ids that different machines create are almost certainly
    /// different.
    fn next_id(&self) -> RunId {
        let number = self.runs.fetch_add(1, Ordering::Relaxed);
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
        let parts =
            [now.to_le_bytes().to_vec(), std::process::id().to_le_bytes().to_vec(), number.to_le_bytes().to_vec()];
        let digest = Digest::of_parts(parts.iter().map(Vec::as_slice)).to_string();
        RunId::new(&digest[..16])
    }
}

/// Returns a function that accepts the number of finished cases and the total. It calls `progress` at most once in
/// [`PROGRESS_INTERVAL`], and when all cases are done. A number that is not greater than the last reported number is
/// ignored unless it equals the total.
fn cases_done(progress: PreparationProgress<'_>) -> impl Fn(usize, usize) + Sync + '_ {
    let last = Mutex::new(None::<(Instant, usize)>);
    move |done, total| {
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = |(time, most): (Instant, usize)| done > most && time.elapsed() >= PROGRESS_INTERVAL;
        if done == total || last.is_none_or(is_due) {
            *last = Some((Instant::now(), done));
            progress(Activity::MakingTestData { done, total });
        }
    }
}
