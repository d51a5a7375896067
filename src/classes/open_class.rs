//! A class of the table: what people ask of it, and what the threads of the table do with it.

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
use super::worker::ClassSignals;

/// Longest time that a request waits for the problems to be prepared.
const PREPARE_TIME: Duration = Duration::from_secs(10);

/// A class of the table.
pub struct OpenClass {
    pub(super) id: String,
    pub(super) dir: PathBuf,
    /// The service whose runs `cancel` ends.
    pub(super) service: JudgeService,
    cancel: Cancel,
    finder: Arc<dyn ProblemFinder>,
    signals: Arc<ClassSignals>,
    state: Mutex<GradedClassState>,
    /// Signalled when the problems were prepared, or can't be.
    prepared: Condvar,
}

/// What a thread does for a class.
pub(super) enum ClassTask {
    /// Prepares the problems.
    Prepare,
    /// Judges a program.
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
        Ok(OpenClass { id, dir, service, cancel, finder, signals, state, prepared: Condvar::new() })
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, GradedClassState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells those who follow the class, and the threads.
    pub(super) fn changed(&self) {
        self.signals.changed(&self.id);
    }

    /// The id of the class.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The class and how far it is judged.
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

    /// Starts no further program. Programs that are being judged are judged to their end.
    ///
    /// # Errors
    /// Fails if the class is not being judged, or if the store can't be written.
    pub fn pause(&self, who: &str) -> Result<ClassOverview, Failure> {
        self.enter(who, "paused", |phase| phase == ClassPhase::Running, ClassPhase::Paused)
    }

    /// Goes on after a pause or an error.
    ///
    /// # Errors
    /// Fails if the class is neither paused nor stopped by an error, or if the store can't be written.
    pub fn resume(&self, who: &str) -> Result<ClassOverview, Failure> {
        let failed = {
            let mut state = self.lock();
            let failed = state.error.take().is_some();
            if failed {
                // The store is the truth: what it could not take is judged again.
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
            return Err(Diagnostic::new(format!("the class is {now}, so it can't be {what}")).into());
        }
        state.enter(phase, who, what)?;
        state.finish_if_done()?;
        let overview = state.overview(&self.id);
        drop(state);
        self.changed();
        Ok(overview)
    }

    /// Ends the programs that run. The class is no longer judged.
    pub(super) fn close(&self) {
        self.lock().deleted = true;
        self.cancel.cancel();
    }

    /// The state with prepared problems. Waits for a short time if they are being prepared.
    ///
    /// # Errors
    /// Fails if the class is a draft, if its problems can't be prepared, or if that takes long.
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

    /// Takes what is to be done next for the class. `None` if there is nothing, or if the class is busy.
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

    /// Does what [`OpenClass::take`] returned.
    pub(super) fn carry_out(&self, task: ClassTask) {
        match task {
            ClassTask::Prepare => self.prepare(),
            ClassTask::Judge(job) => self.judge(&job),
        }
        self.changed();
    }

    /// Prepares the problems and plans what is to be judged.
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
            for problem in &problems {
                self.service.cases(problem, &|_, _| {})?;
            }
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

    /// The targets of the problems with their own limits.
    ///
    /// # Errors
    /// Fails if a time limit can't be derived, or on a fault of the judge.
    pub(super) fn targets(
        &self,
        problems: &[Arc<PreparedProblem>],
        options: &JudgeOptions,
    ) -> Result<Vec<JudgingTarget>, Failure> {
        problems.iter().map(|problem| self.service.target(problem, options, &mut |_| {})).collect()
    }

    /// Judges a program and takes over its result.
    fn judge(&self, started: &StartedJob) {
        let run = catch_unwind(AssertUnwindSafe(|| self.run(started)));
        let result = run.unwrap_or_else(|_| Err(Fault::new(FaultKind::Internal, "a thread of the class panicked")));
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
    Failure::fault(FaultKind::Internal, "a thread of the class panicked")
}
