//! Operations of a teacher on a class: roster corrections, the gradebook, overrides, rejudging, rules and the log.

use std::sync::Arc;

use serde_json::json;

use crate::clock::now;
use crate::grade::ledger::{Action, StoredOverride};
use crate::grade::policy::{EXPECTED_NUMBER, decimal};
use crate::model::{Diagnostic, Digest, Failure, Score};
use crate::service::{JudgeOptions, JudgingTarget};

use super::class_plan::ClassPlan;
use super::class_settings::{ClassPhase, NewRules, known_problem};
use super::class_state::{GradedClassState, PreparedClass, mark_event, not_prepared, with_limits};
use super::class_views::{
    GradebookView, LimitsView, MarkView, NewOverride, PreviewView, ProgressView, RosterCorrectionJson, RosterView,
    RulesView,
};
use super::gradebook_view::{gradebook_view, mark_view};
use super::open_class::OpenClass;
use super::roster_view::{roster_view, with_corrections};
use super::rules_preview::RulesPreview;

/// Maximum number of events that one call returns.
const EVENTS_AT_ONCE: u32 = 2_000;

impl OpenClass {
    /// Returns the roster.
    pub fn roster(&self) -> RosterView {
        roster_view(&self.lock())
    }

    /// Corrects the roster and updates the marks. Programs that have a result for their problem are not judged again.
    ///
    /// # Errors
    /// Fails if a correction is invalid or does not match the submitted files, or if the store can't be read or
    /// written.
    pub fn correct(&self, who: &str, new: &[RosterCorrectionJson]) -> Result<RosterView, Failure> {
        let mut state = self.lock();
        let corrections = with_corrections(state.settings.corrections.clone(), new, &state.settings.ids())?;
        let before = std::mem::replace(&mut state.settings.corrections, corrections);
        if let Err(failure) = state.correct() {
            state.settings.corrections = before;
            state.correct()?;
            return Err(failure);
        }
        state.save()?;
        for correction in new {
            let to = [correction.student.as_deref(), correction.problem.as_deref()];
            let to = to.into_iter().flatten().collect::<Vec<_>>().join(", ");
            state.store.act(&Action {
                what: "roster".to_owned(),
                before: Some(correction.path.clone()),
                after: Some(if correction.leave_out { "left out".to_owned() } else { to }),
                ..action(who)
            })?;
        }
        self.plan_again(&mut state, "roster")?;
        let view = roster_view(&state);
        drop(state);
        self.changed();
        Ok(view)
    }

    /// Updates the plan after a change to the roster or the rules, and calls [`OpenClass::resume_or_publish`].
    fn plan_again(&self, state: &mut GradedClassState, why: &str) -> Result<(), Failure> {
        state.preview = None;
        if let Some(PreparedClass { problems, own_targets, .. }) = state.prepared.take() {
            state.plan(self.service.host(), problems, own_targets)?;
        }
        state.store.append_events(&[json!({ "event": why }).to_string()])?;
        self.resume_or_publish(state, why)
    }

    /// If the class is finished, resumes judging if programs are queued, and publishes the new marks otherwise. Does
    /// nothing if the class is not finished.
    fn resume_or_publish(&self, state: &mut GradedClassState, why: &str) -> Result<(), Failure> {
        if state.settings.phase != ClassPhase::Finished {
            return Ok(());
        }
        let waits = state.prepared.as_ref().is_some_and(|prepared| !prepared.plan.queue.is_empty());
        if waits { state.enter(ClassPhase::Running, "", "") } else { state.publish(why) }
    }

    /// Returns the gradebook.
    ///
    /// # Errors
    /// Fails if the problems are not prepared, or if the store can't be read.
    pub fn gradebook(&self) -> Result<GradebookView, Failure> {
        let state = self.planned()?;
        let context = state.mark_context().ok_or_else(not_prepared)?;
        let book = context.plan.book(&state.enrolled);
        let last_event = state.store.last_event()?;
        Ok(GradebookView { last_event, ..gradebook_view(&context, &book, state.revision) })
    }

    /// Returns the gradebook as CSV, in the format of `nimatron grade`.
    ///
    /// # Errors
    /// Fails if the problems are not prepared.
    pub fn gradebook_csv(&self) -> Result<String, Failure> {
        let state = self.planned()?;
        Ok(state.planned()?.plan.book(&state.enrolled).csv())
    }

    /// Returns the gradebook as JSON, in the format of `nimatron grade`.
    ///
    /// # Errors
    /// Fails if the problems are not prepared.
    pub fn gradebook_json(&self) -> Result<Vec<u8>, Failure> {
        let (book, enrolled) = {
            let state = self.planned()?;
            (state.planned()?.plan.book(&state.enrolled), state.enrolled.clone())
        };
        let mut bytes = Vec::new();
        book.json(&enrolled.roster, &mut bytes).map_err(super::downloads::unwritten)?;
        Ok(bytes)
    }

    /// Queues programs to be judged again: all programs, or only the programs by `student`, for `problem`, or both.
    /// Returns the number of different programs. Each old result remains valid until the new result is known.
    ///
    /// # Errors
    /// Fails if the problems are not prepared, if the student or the problem is unknown, if no program matches, or if
    /// the store can't be read or written.
    pub fn rejudge(
        &self,
        who: &str,
        student: Option<&str>,
        problem: Option<&str>,
        reason: &str,
    ) -> Result<usize, Failure> {
        let mut state = self.planned()?;
        let ids = state.settings.ids();
        let index = problem.map(|problem| known_problem(&ids, problem)).transpose()?;
        student.map(|student| known_student(&state, student)).transpose()?;
        let plan = &state.planned()?.plan;
        let claims = state.enrolled.roster.claims.iter().enumerate();
        let chosen = claims.filter(|(_, claim)| {
            student.is_none_or(|student| claim.student == student) && index.is_none_or(|index| claim.problem == index)
        });
        let mut keys: Vec<Digest> = chosen.filter_map(|(place, _)| plan.key(place)).collect();
        keys.sort_unstable();
        keys.dedup();
        if keys.is_empty() {
            let of = student.map(|student| format!(" by `{student}`")).unwrap_or_default();
            let on = problem.map(|problem| format!(" for `{problem}`")).unwrap_or_default();
            return Err(Diagnostic::new(format!("there is no program{of}{on} to judge again")).into());
        }
        state.store.judge_again(&keys)?;
        state.store.act(&Action {
            what: "rejudge".to_owned(),
            student: student.map(str::to_owned),
            problem: problem.map(str::to_owned),
            reason: reason.to_owned(),
            ..action(who)
        })?;
        keys.iter().for_each(|key| _ = state.known.faults.remove(key));
        if let Some(PreparedClass { problems, own_targets, .. }) = state.prepared.take() {
            state.plan(self.service.host(), problems, own_targets)?;
        }
        let places: Vec<usize> = {
            let plan = &state.planned()?.plan;
            keys.iter().filter_map(|key| plan.by_key.get(key)).flatten().copied().collect()
        };
        if state.settings.phase == ClassPhase::Finished {
            state.enter(ClassPhase::Running, "", "")?;
        }
        let events = state.mark_events(&places);
        state.store.append_events(&events)?;
        drop(state);
        self.changed();
        Ok(keys.len())
    }

    /// Overrides a mark. Returns the new mark; `None` for a criterion of the rubric.
    ///
    /// # Errors
    /// Fails if the problems are not prepared, if the student or the problem is unknown, if the mark is invalid or
    /// exceeds the maximum, if there is neither a mark nor a comment, if there is no reason, or if the store can't be
    /// read or written.
    pub fn set_override(&self, who: &str, new: &NewOverride) -> Result<Option<MarkView>, Failure> {
        let state = self.planned()?;
        known_student(&state, &new.student)?;
        let plan = &state.planned()?.plan;
        let most = maximum(plan, &state, &new.problem)?;
        let mark = given_mark(&new.mark)?;
        if let Some(mark) = mark.filter(|mark| *mark > most) {
            return Err(Diagnostic::new(format!(
                "the mark {mark} exceeds the maximum mark for `{}`, which is {most}",
                new.problem
            ))
            .into());
        }
        if mark.is_none() && new.comment.is_none() {
            return Err(Diagnostic::new("the override has neither a mark nor a comment")
                .help("specify `mark`, `comment` or both")
                .into());
        }
        if new.reason.trim().is_empty() {
            let help = "specify `reason`, which the log shows to other teachers";
            return Err(Diagnostic::new("the override has no reason").help(help).into());
        }
        let stored = StoredOverride {
            student: new.student.clone(),
            problem: new.problem.clone(),
            mark,
            comment: new.comment.clone(),
        };
        state.store.override_mark(&stored, who, new.reason.trim(), now())?;
        self.overrides_changed(state, (&new.student, &new.problem), &format!("manual override: {}", new.reason.trim()))
    }

    /// Undoes the latest override of a mark. Returns the new mark; `None` for a criterion of the rubric.
    ///
    /// # Errors
    /// Fails if the problems are not prepared, if the mark has no override, or if the store can't be read or written.
    pub fn undo_override(&self, who: &str, student: &str, problem: &str) -> Result<Option<MarkView>, Failure> {
        let state = self.planned()?;
        if !state.store.undo_override(student, problem, who, now())? {
            return Err(
                Diagnostic::new(format!("the mark of `{student}` for `{problem}` has no override to undo")).into()
            );
        }
        self.overrides_changed(state, (student, problem), "an override was undone")
    }

    fn overrides_changed(
        &self,
        mut state: std::sync::MutexGuard<'_, GradedClassState>,
        (student, problem): (&str, &str),
        why: &str,
    ) -> Result<Option<MarkView>, Failure> {
        let ids = state.settings.ids();
        let rules = state.settings.rules.marking(&ids, &state.store.overrides()?)?;
        if let Some(prepared) = &mut state.prepared {
            prepared.plan.rules = rules;
        }
        state.preview = None;
        state.revision += 1;
        let index = ids.iter().position(|id| id.as_str() == problem);
        let context = state.mark_context().ok_or_else(not_prepared)?;
        let row = state.row(&context, student);
        let mark = index.and_then(|index| Some(mark_view(&context, student, index, row.marks.get(index)?)));
        let event = mark_event(&row, mark.as_ref());
        state.store.append_events(&[event])?;
        if state.settings.phase == ClassPhase::Finished {
            state.publish(why)?;
        }
        drop(state);
        self.changed();
        Ok(mark)
    }

    /// Returns the log: actions and changes to published marks, the newest first.
    ///
    /// # Errors
    /// Fails if the store can't be read.
    pub fn log(&self) -> Result<Vec<Action>, Failure> {
        self.lock().store.history()
    }

    /// Returns the current rules.
    pub fn rules(&self) -> RulesView {
        let state = self.lock();
        let rules = &state.settings.rules;
        let limits = state.prepared.as_ref().map_or_else(Vec::new, |prepared| {
            let pairs = prepared.own_targets.iter().zip(prepared.plan.targets.iter());
            let shown = pairs.map(|(own, target)| LimitsView {
                problem: own.problem.to_string(),
                cpu_ms: target.limits.cpu.as_millis_f64(),
                memory_bytes: target.limits.memory.get(),
                own_cpu_ms: own.limits.cpu.as_millis_f64(),
                own_memory_bytes: own.limits.memory.get(),
                changed: own.limits != target.limits,
            });
            shown.collect()
        });
        RulesView { policy: rules.policy.clone(), extensions: rules.extensions.clone(), limits }
    }

    /// Previews the marks under other rules. Programs whose limits change are judged in the background; call this
    /// function again until the state of the preview is `ready`.
    ///
    /// # Errors
    /// Fails if the rules are invalid, if the problems are not prepared, if a time limit can't be derived, or if the
    /// store can't be read or written.
    pub fn preview(&self, new: &NewRules) -> Result<PreviewView, Failure> {
        let mut state = self.planned()?;
        let ids = state.settings.ids();
        let rules = state.settings.rules.changed(new, &ids)?;
        if state.preview.as_ref().is_none_or(|preview| preview.rules != rules) {
            let marking = rules.marking(&ids, &state.store.overrides()?)?;
            let options = marking.policy.judge_options(false);
            let PreparedClass { problems, own_targets, plan } = state.planned()?;
            let problems = Arc::clone(problems);
            let own = if options == plan.options { own_targets.clone() } else { self.targets(&problems, &options)? };
            let targets = with_limits(&own, &rules.limits);
            let GradedClassState { store, known, enrolled, .. } = &mut *state;
            let (store, made) = ((&*store, self.service.host()), (marking, options, now()));
            let plan = ClassPlan::make(store, known, enrolled, (&problems, targets), made)?;
            state.preview = Some(RulesPreview::new(rules, plan, &state.known));
        }
        let GradedClassState { preview, prepared, known, enrolled, .. } = &mut *state;
        let (Some(preview), Some(prepared)) = (preview, prepared) else { return Err(not_prepared()) };
        let view = preview.view(&prepared.plan, known, enrolled);
        drop(state);
        self.changed();
        Ok(view)
    }

    /// Changes the rules. Programs that have no result under the new rules are judged.
    ///
    /// # Errors
    /// Fails if the rules are invalid, if a time limit can't be derived, or if the store can't be read or written.
    pub fn set_rules(&self, who: &str, new: &NewRules) -> Result<RulesView, Failure> {
        let mut derived: Option<(JudgeOptions, Vec<JudgingTarget>)> = None;
        let (mut state, rules) = loop {
            let mut state = self.lock();
            let ids = state.settings.ids();
            let rules = state.settings.rules.changed(new, &ids)?;
            let options = rules.marking(&ids, &[])?.policy.judge_options(false);
            let Some(prepared) = state.prepared.as_mut().filter(|prepared| prepared.plan.options != options) else {
                break (state, rules);
            };
            match derived.take() {
                Some((for_options, targets)) if for_options == options => {
                    prepared.own_targets = targets;
                    break (state, rules);
                }
                // Deriving a time limit can take minutes, so the class is unlocked during the derivation.
                _ => {
                    let problems = prepared.problems.clone();
                    drop(state);
                    derived = Some((options.clone(), self.targets(&problems, &options)?));
                }
            }
        };
        let was = super::class_settings::to_json(&state.settings.rules)?;
        let now = super::class_settings::to_json(&rules)?;
        state.settings.rules = rules;
        state.save()?;
        state.store.act(&Action { what: "rules".to_owned(), before: Some(was), after: Some(now), ..action(who) })?;
        self.plan_again(&mut state, "rules")?;
        drop(state);
        self.changed();
        Ok(self.rules())
    }

    /// Returns the judging progress.
    pub fn progress(&self) -> ProgressView {
        self.lock().progress()
    }

    /// Returns at most 2,000 events: the events whose number exceeds `after`, or the first events if `after` is `None`.
    /// Event numbers are consecutive and never reused.
    ///
    /// # Errors
    /// Fails if the store can't be read.
    pub fn events_after(&self, after: Option<u64>) -> Result<Vec<(u64, String)>, Failure> {
        self.lock().store.events_after(after, EVENTS_AT_ONCE)
    }
}

fn action(who: &str) -> Action {
    Action { at: now(), who: who.to_owned(), ..Action::default() }
}

/// Checks that the class has a student with this name.
pub(super) fn known_student(state: &GradedClassState, student: &str) -> Result<(), Diagnostic> {
    let roster = &state.enrolled.roster;
    if roster.students.contains(student) || roster.claims.iter().any(|claim| claim.student == student) {
        return Ok(());
    }
    let unknown = Diagnostic::new(format!("there is no student `{student}` in this class"));
    Err(match crate::yaml::nearest(student, roster.students.iter().map(String::as_str)) {
        Some(near) => unknown.help(format!("did you mean `{near}`?")),
        None => unknown,
    })
}

/// Returns the maximum mark of a problem or of a criterion of the rubric.
fn maximum(plan: &ClassPlan, state: &GradedClassState, problem: &str) -> Result<Score, Diagnostic> {
    let policy = &plan.rules.policy;
    if let Some((_, most)) = policy.rubric.iter().find(|(name, _)| name == problem) {
        return Ok(*most);
    }
    let criteria = policy.rubric.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ");
    let index = known_problem(&state.settings.ids(), problem).map_err(|unknown| match unknown.help {
        Some(help) if !criteria.is_empty() => {
            let message = format!("`{problem}` is neither a problem of this class nor a criterion of its rubric");
            Diagnostic::new(message).help(format!("{help}, {criteria}"))
        }
        help => Diagnostic { help, ..unknown },
    })?;
    Ok(policy.problems[index].points.unwrap_or(plan.columns[index].max))
}

/// Parses a mark: a number, or a string such as `"12.5"`. Returns `None` for `null`.
fn given_mark(value: &serde_json::Value) -> Result<Option<Score>, Diagnostic> {
    let text = match value {
        serde_json::Value::Null => return Ok(None),
        serde_json::Value::String(text) => text.trim().to_owned(),
        other => other.to_string(),
    };
    let refused = || Diagnostic::new(format!("`{text}` is not a mark")).help(EXPECTED_NUMBER);
    decimal(&text).map(Some).ok_or_else(refused)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_numbers_or_texts() {
        let read = |value| given_mark(&value);
        assert_eq!(read(json!(12)).unwrap(), Some(Score::points(12)));
        assert_eq!(read(json!(7.5)).unwrap(), Some(Score::thousandths(7_500)));
        assert_eq!(read(json!(" 7.5 ")).unwrap(), Some(Score::thousandths(7_500)));
        assert_eq!(read(json!(null)).unwrap(), None);
        for wrong in [json!(-1), json!("ten"), json!(""), json!([1]), json!(true), json!("1e3"), json!(1.23456)] {
            assert!(read(wrong.clone()).unwrap_err().message.contains("not a mark"), "{wrong}");
        }
    }
}
