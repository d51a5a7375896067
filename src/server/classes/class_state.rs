//! The in-memory state of an open class, and the changes to it when programs are started and judged.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::clock::now;
use crate::grade::class::Enrolled;
use crate::grade::gradebook::{GradebookRow, student_row};
use crate::grade::ledger::Action;
use crate::grade::marks::AttemptResult;
use crate::grade::record::Record;
use crate::grade::roster::correct;
use crate::grade::store::GradeStore;
use crate::grade::submission::SubmissionState;
use crate::model::{Diagnostic, Digest, Failure, Fault, FaultKind, Score};
use crate::runner::Host;
use crate::service::{JudgeOptions, JudgingTarget, PreparedProblem};

use super::class_plan::{ClassJob, ClassPlan, KnownResult, KnownResults};
use super::class_settings::{ClassPhase, StoredClass, from_json, to_json};
use super::class_views::{ClassOverview, ClassProblemView, CurrentView, MarkView, ProgressView};
use super::gradebook_view::{MarkContext, mark_view};
use super::rules_preview::RulesPreview;

/// Length of the window over which the judging rate is measured.
const RATE_TIME: Duration = Duration::from_secs(60);
/// Minimum time since the start of judging before a judging rate is reported.
const LEAST_RATE_TIME: Duration = Duration::from_secs(2);
/// Key of the [`StoredClass`] in the settings of the store.
pub(super) const SETTINGS: &str = "class";
/// Key of the [`Enrolled`] in the settings of the store.
pub(super) const ENROLLED: &str = "enrolled";

/// Returns the event, in JSON, that reports a changed row of the gradebook. `mark` is the changed mark, or `None` if
/// the mark for a criterion of the rubric changed.
pub(super) fn mark_event(row: &GradebookRow, mark: Option<&MarkView>) -> String {
    let total = row.total.map(Score::as_points);
    json!({ "event": "mark", "student": row.student, "total": total, "mark": mark }).to_string()
}

/// A program that is being judged.
#[derive(Debug)]
pub(super) struct RunningJob {
    pub student: String,
    pub problem: usize,
}

/// A program that was taken from the queue, with the problems, limits and files that are needed to judge it.
pub(super) struct StartedJob {
    pub job: ClassJob,
    pub problems: Arc<Vec<Arc<PreparedProblem>>>,
    pub targets: Arc<Vec<JudgingTarget>>,
    pub options: JudgeOptions,
    /// The submitted files with the roster. The claim of `job` refers to the files by their indices.
    pub enrolled: Arc<Enrolled>,
}

/// The prepared problems of a class, and the plan for judging and marking the programs.
pub(super) struct PreparedClass {
    pub problems: Arc<Vec<Arc<PreparedProblem>>>,
    /// The judging targets with the problems' own limits, under the judging options of the current rules.
    pub own_targets: Vec<JudgingTarget>,
    pub plan: ClassPlan,
}

/// The state of an open class.
pub(super) struct GradedClassState {
    pub store: GradeStore,
    pub settings: StoredClass,
    /// The submitted files with the roster that was guessed from the files, before manual corrections.
    pub guessed: Enrolled,
    /// The submitted files with the roster after manual corrections.
    pub enrolled: Arc<Enrolled>,
    pub prepared: Option<PreparedClass>,
    /// Whether a thread is preparing the problems.
    pub preparing: bool,
    /// Whether a request requires the problems to be prepared. Cleared when the preparation ends.
    pub asked: bool,
    /// The error that stopped the class, if any.
    pub error: Option<String>,
    pub known: KnownResults,
    pub running: HashMap<Digest, RunningJob>,
    pub preview: Option<RulesPreview>,
    /// Times at which the judging of recent programs finished, the oldest first.
    judged_at: VecDeque<Instant>,
    /// Time at which the first program was started since the class was last opened or finished; `None` if none has been
    /// started since then.
    started_at: Option<Instant>,
    pub revision: u64,
    pub deleted: bool,
}

impl GradedClassState {
    /// Loads the state of a class from its store. Returns `None` if the upload of the class was never completed.
    ///
    /// # Errors
    /// Fails if the store can't be read, or if a stored correction does not match the submitted files.
    pub(super) fn open(store: GradeStore) -> Result<Option<GradedClassState>, Failure> {
        let (Some(settings), Some(enrolled)) = (store.setting(SETTINGS)?, store.setting(ENROLLED)?) else {
            return Ok(None);
        };
        let settings: StoredClass = from_json(&settings)?;
        let guessed: Enrolled = from_json(&enrolled)?;
        let mut state = GradedClassState {
            store,
            settings,
            enrolled: Arc::new(guessed.clone()),
            guessed,
            prepared: None,
            preparing: false,
            asked: false,
            error: None,
            known: KnownResults::default(),
            running: HashMap::new(),
            preview: None,
            judged_at: VecDeque::new(),
            started_at: None,
            revision: 0,
            deleted: false,
        };
        state.correct()?;
        Ok(Some(state))
    }

    /// Derives the corrected roster from the guessed roster and the stored corrections.
    ///
    /// # Errors
    /// Fails if a correction does not match the submitted files.
    pub(super) fn correct(&mut self) -> Result<(), Failure> {
        let Enrolled { files, roster, charsets } = &self.guessed;
        let roster = correct(roster, files, &self.settings.corrections).map_err(Failure::complaint)?;
        self.enrolled = Arc::new(Enrolled { files: files.clone(), roster, charsets: charsets.clone() });
        Ok(())
    }

    /// Stores the settings.
    ///
    /// # Errors
    /// Fails if the store can't be written.
    pub(super) fn save(&self) -> Result<(), Failure> {
        self.store.set(SETTINGS, &to_json(&self.settings)?)
    }

    /// Returns the name of the state in JSON: `failed`, `preparing`, or the name of the phase.
    pub(super) fn state_name(&self) -> &'static str {
        match self.settings.phase {
            ClassPhase::Running if self.error.is_some() => "failed",
            ClassPhase::Running if self.prepared.is_none() => "preparing",
            phase => phase.name(),
        }
    }

    /// Changes the phase, and stores the settings, the state event and, unless `what` is empty, a log entry with the
    /// action `what`.
    ///
    /// # Errors
    /// Fails if the store can't be written.
    pub(super) fn enter(&mut self, phase: ClassPhase, who: &str, what: &str) -> Result<(), Failure> {
        self.settings.phase = phase;
        self.store.at_once(|store| {
            store.set(SETTINGS, &to_json(&self.settings)?)?;
            if !what.is_empty() {
                store.act(&Action { at: now(), who: who.to_owned(), what: what.to_owned(), ..Action::default() })?;
            }
            store.append_events(&[self.state_event()])
        })
    }

    pub(super) fn state_event(&self) -> String {
        json!({ "event": "state", "state": self.state_name(), "error": self.error }).to_string()
    }

    /// Stops judging because of an error, until the class is resumed.
    pub(super) fn fail(&mut self, failure: &Failure) {
        self.error = Some(failure.to_string());
        // If the event can't be stored either, pages still receive the error when they request the state.
        _ = self.store.append_events(&[self.state_event()]);
    }

    /// Creates the plan for the prepared problems, including the queue of the programs that must be judged.
    ///
    /// # Errors
    /// Fails if the store can't be read or written, or if the rules are invalid.
    pub(super) fn plan(
        &mut self,
        host: &Host,
        problems: Arc<Vec<Arc<PreparedProblem>>>,
        own_targets: Vec<JudgingTarget>,
    ) -> Result<(), Failure> {
        let ids = self.settings.ids();
        let rules = self.settings.rules.marking(&ids, &self.store.overrides()?)?;
        let options = rules.policy.judge_options(false);
        let targets = with_limits(&own_targets, &self.settings.rules.limits);
        let made = (rules, options, now());
        let (store, targets) = ((&self.store, host), (problems.as_slice(), targets));
        let mut plan = ClassPlan::make(store, &mut self.known, &self.enrolled, targets, made)?;
        plan.queue.retain(|job| !self.running.contains_key(&job.key.whole()));
        self.prepared = Some(PreparedClass { problems, own_targets, plan });
        self.revision += 1;
        Ok(())
    }

    /// Returns the prepared problems and the plan.
    ///
    /// # Errors
    /// Fails if the problems are not prepared.
    pub(super) fn planned(&self) -> Result<&PreparedClass, Failure> {
        self.prepared.as_ref().ok_or_else(|| match (&self.error, self.settings.phase) {
            (Some(error), _) => Diagnostic::new(format!("the class cannot be judged: {error}"))
                .help("fix the error, then resume the class")
                .into(),
            (None, ClassPhase::Draft) => {
                let message = "judging of the class has not started yet";
                Diagnostic::new(message).help("check the roster, then start the class").into()
            }
            (None, _) => not_prepared(),
        })
    }

    /// Takes the next program to judge from the queue of the class or, if the queue is empty or judging is not running,
    /// from the rules preview. Returns `None` if there is no such program, or if the class is not prepared, failed or
    /// was deleted.
    pub(super) fn next_job(&mut self) -> Option<StartedJob> {
        let prepared = self.prepared.as_mut()?;
        if self.error.is_some() || self.deleted {
            return None;
        }
        let own = (self.settings.phase == ClassPhase::Running).then(|| prepared.plan.queue.pop_front()).flatten();
        let started = |job: ClassJob, plan: &ClassPlan| StartedJob {
            job,
            problems: prepared.problems.clone(),
            targets: plan.targets.clone(),
            options: plan.options.clone(),
            enrolled: self.enrolled.clone(),
        };
        let started = match (own, &mut self.preview) {
            (Some(job), _) => started(job, &prepared.plan),
            (None, Some(preview)) => {
                let (known, running) = (&self.known, &self.running);
                let job = preview.next_job(|key| known.has(key) || running.contains_key(key))?;
                started(job, &preview.plan)
            }
            (None, None) => return None,
        };
        let StartedJob { job, .. } = &started;
        let running = RunningJob { student: job.claim.student.clone(), problem: job.claim.problem };
        self.running.insert(job.key.whole(), running);
        self.started_at.get_or_insert_with(Instant::now);
        self.forget_old_times();
        Some(started)
    }

    /// Records and stores the result of a run, appends events for the marks that changed, and finishes the class if no
    /// program is left to judge.
    ///
    /// # Errors
    /// Fails if the store can't be written.
    pub(super) fn settle(
        &mut self,
        job: &ClassJob,
        target: &JudgingTarget,
        result: Result<Record, Fault>,
    ) -> Result<(), Failure> {
        let key = job.key.whole();
        self.running.remove(&key);
        let record = match result {
            // The class was deleted, or the judge is shutting down. In the second case, the program is judged after the
            // next start.
            Err(fault) if fault.kind == FaultKind::Cancelled => return Ok(()),
            Err(fault) => {
                self.known.faults.insert(key, fault);
                None
            }
            Ok(record) => {
                let column = self.prepared.as_ref().map(|prepared| prepared.plan.columns[job.claim.problem].clone());
                if let Some(column) = column {
                    self.known.results.insert(key, KnownResult::of(&record, target, &column));
                }
                self.known.faults.remove(&key);
                Some(record)
            }
        };
        self.judged_at.push_back(Instant::now());
        let mut changed = Vec::new();
        if let Some(prepared) = &mut self.prepared {
            changed = prepared.plan.update(&key, &self.known);
        }
        self.revision += 1;
        let events = self.mark_events(&changed);
        let problem = target.problem.as_str();
        self.store.at_once(|store| {
            if let Some(record) = &record {
                store.put(&job.key, problem, 0, now(), record)?;
            }
            store.judged_again(&key)?;
            store.append_events(&events)
        })?;
        self.finish_if_done()
    }

    /// Publishes the marks and finishes the class if judging is running and no program is left to judge.
    ///
    /// # Errors
    /// Fails if the store can't be read or written.
    pub(super) fn finish_if_done(&mut self) -> Result<(), Failure> {
        let Some(prepared) = &self.prepared else { return Ok(()) };
        let waits = prepared.plan.by_key.keys().any(|key| self.running.contains_key(key));
        if self.settings.phase != ClassPhase::Running || !prepared.plan.queue.is_empty() || waits {
            return Ok(());
        }
        self.publish("graded")?;
        self.started_at = None;
        self.enter(ClassPhase::Finished, "", "")
    }

    /// Publishes the marks: stores the marks that have changed since the last publication.
    ///
    /// # Errors
    /// Fails if the store can't be read or written.
    pub(super) fn publish(&self, why: &str) -> Result<(), Failure> {
        let Some(prepared) = &self.prepared else { return Ok(()) };
        let changes = self.store.changes(&prepared.plan.book(&self.enrolled).published())?;
        self.store.publish(&changes, now(), why)
    }

    /// Returns the events that report the current marks for the programs with the roster indices `claims`.
    pub(super) fn mark_events(&self, claims: &[usize]) -> Vec<String> {
        let roster = &self.enrolled.roster;
        let marks: BTreeMap<(&str, usize), ()> = claims
            .iter()
            .filter_map(|&claim| roster.claims.get(claim))
            .map(|claim| ((claim.student.as_str(), claim.problem), ()))
            .collect();
        let Some(context) = self.mark_context() else { return Vec::new() };
        marks
            .into_keys()
            .filter_map(|(student, problem)| {
                let row = self.row(&context, student);
                let mark = mark_view(&context, student, problem, row.marks.get(problem)?);
                Some(mark_event(&row, Some(&mark)))
            })
            .collect()
    }

    /// Computes the gradebook row of a student.
    pub(super) fn row(&self, context: &MarkContext<'_>, student: &str) -> GradebookRow {
        let ClassPlan { columns, rules, results, .. } = context.plan;
        student_row(columns, &self.enrolled.roster, rules, results, student)
    }

    /// Returns whether queued programs are waiting for the judge, which is the case only while the class is running or
    /// paused.
    fn has_queue(&self) -> bool {
        matches!(self.settings.phase, ClassPhase::Running | ClassPhase::Paused)
    }

    /// Returns the context for views of marks; `None` if the problems are not prepared.
    pub(super) fn mark_context(&self) -> Option<MarkContext<'_>> {
        let plan = &self.prepared.as_ref()?.plan;
        let waiting = plan.queue.iter().filter(|_| self.has_queue());
        let queued: HashSet<Digest> = waiting.map(|job| job.key.whole()).collect();
        Some(MarkContext {
            plan,
            roster: &self.enrolled.roster,
            queued,
            running: self.running.keys().copied().collect(),
            known: &self.known,
        })
    }

    /// Returns the judging progress.
    pub(super) fn progress(&self) -> ProgressView {
        let roster = &self.enrolled.roster;
        let mut students = roster.students.clone();
        students.extend(roster.claims.iter().map(|claim| claim.student.clone()));
        let mut view = ProgressView { students: students.len(), programs: roster.claims.len(), ..Default::default() };
        let Some(PreparedClass { plan, .. }) = &self.prepared else { return view };
        view.programs = plan.states.iter().flatten().count();
        for (state, result) in plan.states.iter().zip(&plan.results) {
            match (state, result) {
                (Some(_), AttemptResult::Result { verdict, .. }) => {
                    view.judged += 1;
                    *view.verdicts.entry(verdict.short().to_owned()).or_default() += 1;
                }
                (Some(SubmissionState::Unable(_)), _) => view.faults += 1,
                (Some(SubmissionState::Program(key)), _) if self.known.faults.contains_key(&key.whole()) => {
                    view.faults += 1;
                }
                _ => {}
            }
        }
        view.queued = if self.has_queue() { plan.queue.len() } else { 0 };
        view.running = self.running.len();
        let current = self
            .running
            .values()
            .map(|job| CurrentView { student: job.student.clone(), problem: plan.columns[job.problem].id.to_string() });
        view.current = current.collect();
        view.current.sort_by(|a, b| (&a.student, &a.problem).cmp(&(&b.student, &b.problem)));
        view.rate = self.rate();
        view.seconds_left = view
            .rate
            .filter(|_| self.settings.phase == ClassPhase::Running)
            .map(|rate| ((view.queued + view.running) as f64 * 60.0 / rate).ceil() as u64);
        view
    }

    /// Returns the number of programs judged per minute; `None` if judging has just started, or if no program was
    /// judged in the last minute.
    fn rate(&self) -> Option<f64> {
        let since = self.started_at?.elapsed().min(RATE_TIME);
        let lately = self.judged_at.iter().filter(|at| at.elapsed() < RATE_TIME).count();
        (since >= LEAST_RATE_TIME && lately > 0).then(|| {
            let rate = lately as f64 * 60.0 / since.as_secs_f64();
            (rate * 10.0).round() / 10.0
        })
    }

    /// Removes the times that precede the window over which the judging rate is measured.
    fn forget_old_times(&mut self) {
        while self.judged_at.front().is_some_and(|at| at.elapsed() >= RATE_TIME) {
            self.judged_at.pop_front();
        }
    }

    /// Returns the overview of the class.
    pub(super) fn overview(&self, id: &str) -> ClassOverview {
        let max = |index: usize| Some(self.prepared.as_ref()?.plan.columns.get(index)?.max.as_points());
        let problems = self.settings.problems.iter().enumerate();
        let problems = problems.map(|(index, (id, name))| ClassProblemView {
            id: id.clone(),
            name: name.clone(),
            max_score: max(index),
        });
        ClassOverview {
            id: id.to_owned(),
            name: self.settings.name.clone(),
            state: self.state_name().to_owned(),
            error: self.error.clone(),
            created: self.settings.created,
            problems: problems.collect(),
            progress: self.progress(),
        }
    }
}

/// Returns the targets `own` with the limits that a teacher set, which override the problems' own limits.
pub(super) fn with_limits(
    own: &[JudgingTarget],
    limits: &BTreeMap<String, super::class_settings::OwnLimits>,
) -> Arc<Vec<JudgingTarget>> {
    let limited = own.iter().map(|target| {
        let changed = limits.get(target.problem.as_str()).copied().unwrap_or_default();
        JudgingTarget { limits: changed.applied(target.limits), ..target.clone() }
    });
    Arc::new(limited.collect())
}

/// Returns the error for a class whose problems are still being prepared.
pub(super) fn not_prepared() -> Failure {
    Diagnostic::new("the problems of the class are being prepared").help("try again in a few seconds").into()
}
