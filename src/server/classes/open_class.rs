//! An open class: changes to its phase, and the tasks that the threads of the table run for it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use crate::grade::class::{judge_request, judged_record};
use crate::grade::record::Record;
use crate::model::{Diagnostic, Failure, Fault, FaultKind};
use crate::sandbox::Cancel;
use crate::service::{JudgeOptions, JudgeService, JudgingTarget, PreparedProblem};
use crate::submissions::ProblemFinder;

use super::class_plan::KnownResults;
use super::class_settings::ClassPhase;
use super::class_state::{GradedClassState, StartedJob};
use super::class_views::ClassOverview;
use super::review::KnownSimilarity;
use super::worker::ClassSignals;

/// Maximum time that a request waits for the problems to be prepared.
const PREPARE_TIME: Duration = Duration::from_secs(10);

/// An open class of a [`ClassTable`](super::ClassTable).
pub struct OpenClass {
    pub(super) id: String,
    pub(super) dir: PathBuf,
    /// The service that judges the programs. The field `cancel` cancels the runs of this service.
    pub(super) service: JudgeService,
    cancel: Cancel,
    finder: Arc<dyn ProblemFinder>,
    signals: Arc<ClassSignals>,
    state: Mutex<GradedClassState>,
    pub(super) known_similarity: Arc<Mutex<Option<KnownSimilarity>>>,
    /// Signaled when the preparation of the problems has succeeded or failed.
    prepared: Condvar,
}

/// A task that a thread runs for a class.
pub(super) enum ClassTask {
    /// The preparation of the problems.
    Prepare,
    /// The judging of a program.
    Judge(Box<StartedJob>),
}

impl OpenClass {
    pub(super) fn new(
        (id, dir): (String, PathBuf),
        service: &JudgeService,
        finder: Arc<dyn ProblemFinder>,
        signals: Arc<ClassSignals>,
        state: GradedClassState,
    ) -> Result<OpenClass, Failure> {
        let cancel = service.host().cancel().child()?;
        let (service, state) = (service.with_cancel(&cancel), Mutex::new(state));
        let known_similarity = Arc::default();
        Ok(OpenClass { id, dir, service, cancel, finder, signals, state, known_similarity, prepared: Condvar::new() })
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, GradedClassState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wakes the judging threads, and notifies the callback that the class has changed.
    pub(super) fn changed(&self) {
        self.signals.changed(&self.id);
    }

    /// Returns the id of the class.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns the overview of the class.
    pub fn overview(&self) -> ClassOverview {
        self.lock().overview(&self.id)
    }

    /// Starts judging a draft.
    ///
    /// # Errors
    /// Fails if the class is not a draft, or if the store can't be written.
    pub fn start(&self, who: &str) -> Result<ClassOverview, Failure> {
        self.enter(who, "started", |phase| phase == ClassPhase::Draft, ClassPhase::Running)
    }

    /// Pauses judging: no further program is started. Programs that are being judged are not interrupted, and their
    /// results are recorded.
    ///
    /// # Errors
    /// Fails if the class is not being judged, or if the store can't be written.
    pub fn pause(&self, who: &str) -> Result<ClassOverview, Failure> {
        self.enter(who, "paused", |phase| phase == ClassPhase::Running, ClassPhase::Paused)
    }

    /// Resumes judging after a pause or an error.
    ///
    /// # Errors
    /// Fails if the class is neither paused nor stopped by an error, or if the store can't be read or written.
    pub fn resume(&self, who: &str) -> Result<ClassOverview, Failure> {
        let failed = {
            let mut state = self.lock();
            let failed = state.error.take().is_some();
            if failed {
                // Some results in memory may be missing from the store. Programs without a stored result are judged
                // again.
                (state.prepared, state.known) = (None, KnownResults::default());
            }
            failed
        };
        let may = |phase| phase == ClassPhase::Paused || (failed && phase == ClassPhase::Running);
        self.enter(who, "resumed", may, ClassPhase::Running)
    }

    fn enter(
        &self,
        who: &str,
        what: &str,
        may: impl Fn(ClassPhase) -> bool,
        phase: ClassPhase,
    ) -> Result<ClassOverview, Failure> {
        let mut state = self.lock();
        if !may(state.settings.phase) {
            let now = state.state_name();
            return Err(
                Diagnostic::new(format!("the state of the class is `{now}`, so the class cannot be {what}")).into()
            );
        }
        state.enter(phase, who, what)?;
        state.finish_if_done()?;
        let overview = state.overview(&self.id);
        drop(state);
        self.changed();
        Ok(overview)
    }

    /// Marks the class as deleted, so that no further program is started, and cancels the running programs.
    pub(super) fn close(&self) {
        self.lock().deleted = true;
        self.cancel.cancel();
    }

    /// Returns the state with prepared problems. Waits up to [`PREPARE_TIME`] for the preparation.
    ///
    /// # Errors
    /// Fails if the class is a draft, if its problems can't be prepared, or if the wait times out.
    pub(super) fn planned(&self) -> Result<MutexGuard<'_, GradedClassState>, Failure> {
        let mut state = self.lock();
        let start = Instant::now();
        while state.prepared.is_none() && state.error.is_none() && state.settings.phase != ClassPhase::Draft {
            let Some(left) = PREPARE_TIME.checked_sub(start.elapsed()) else { break };
            if !state.asked {
                state.asked = true;
                self.signals.wake();
            }
            state = self.prepared.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        state.planned()?;
        Ok(state)
    }

    /// Takes the next task of the class. Returns `None` if the class has no task, or if another thread has locked the
    /// state.
    pub(super) fn take(&self) -> Option<ClassTask> {
        let mut state = match self.state.try_lock() {
            Ok(state) => state,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        let needed = state.settings.phase == ClassPhase::Running || state.asked;
        if state.prepared.is_none() && needed && !state.preparing && state.error.is_none() && !state.deleted {
            state.preparing = true;
            return Some(ClassTask::Prepare);
        }
        state.next_job().map(|job| ClassTask::Judge(Box::new(job)))
    }

    /// Runs a task that [`OpenClass::take`] returned.
    pub(super) fn carry_out(&self, task: ClassTask) {
        match task {
            ClassTask::Prepare => self.prepare(),
            ClassTask::Judge(job) => self.judge(&job),
        }
        self.changed();
    }

    /// Prepares the problems and determines which programs must be judged.
    fn prepare(&self) {
        let (ids, policy) = {
            let state = self.lock();
            let ids = state.settings.ids();
            (ids.clone(), state.settings.rules.marking(&ids, &[]))
        };
        let prepared = catch_unwind(AssertUnwindSafe(|| {
            let options = policy?.policy.judge_options(false);
            let problems = ids.iter().map(|id| self.service.prepare(&self.finder.find(id)?.source));
            let problems = problems.collect::<Result<Vec<_>, Failure>>()?;
            let targets = self.targets(&problems, &options)?;
            Ok((problems, targets))
        }));
        let prepared = prepared.unwrap_or_else(|_| Err(panicked()));
        let mut state = self.lock();
        (state.preparing, state.asked) = (false, false);
        let planned = prepared.and_then(|(problems, targets)| {
            state.plan(self.service.host(), Arc::new(problems), targets)?;
            let event = state.state_event();
            state.store.append_events(&[event])?;
            state.finish_if_done()
        });
        if let Err(failure) = planned
            && !state.deleted
            && !self.cancel.is_cancelled()
        {
            state.fail(&failure);
        }
        self.prepared.notify_all();
    }

    /// Returns the judging targets of the problems under `options`, with the problems' own limits.
    ///
    /// # Errors
    /// Fails if a time limit can't be derived, or if the judge fails.
    pub(super) fn targets(
        &self,
        problems: &[Arc<PreparedProblem>],
        options: &JudgeOptions,
    ) -> Result<Vec<JudgingTarget>, Failure> {
        problems.iter().map(|problem| self.service.target(problem, options, &|_| {})).collect()
    }

    /// Judges a program and records its result.
    fn judge(&self, started: &StartedJob) {
        let run = catch_unwind(AssertUnwindSafe(|| self.run(started)));
        let result = run.unwrap_or_else(|_| {
            let path = &started.job.claim.path;
            let message = format!("a judging thread panicked while it judged `{path}`");
            Err(Fault::new(FaultKind::Internal, message))
        });
        let target = &started.targets[started.job.claim.problem];
        let mut state = self.lock();
        if let Err(failure) = state.settle(&started.job, target, result) {
            state.fail(&failure);
        }
    }

    fn run(&self, started: &StartedJob) -> Result<Record, Fault> {
        let StartedJob { job, problems, targets, options, enrolled } = started;
        let claim = &job.claim;
        let (problem, limits) = (&problems[claim.problem], targets[claim.problem].limits);
        let files = (enrolled.files.as_slice(), claim);
        let request = judge_request(&self.lock().store, problem, options, limits, files);
        let submitted = request.and_then(|request| self.service.submit(request));
        judged_record(submitted.and_then(crate::service::RunHandle::wait))
    }
}

fn panicked() -> Failure {
    Failure::fault(FaultKind::Internal, "a judging thread panicked while it prepared the problems of the class")
}
