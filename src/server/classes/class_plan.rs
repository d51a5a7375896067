//! Plan of a class: the programs that count toward the marks, their results, and the programs to judge.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use crate::grade::class::{Enrolled, attempt_result, plan};
use crate::grade::gradebook::{Gradebook, GradebookColumn, MarkingRules, wanted};
use crate::grade::graded::columns;
use crate::grade::key::Key;
use crate::grade::marks::AttemptResult;
use crate::grade::record::Record;
use crate::grade::review_flags::{FlagKind, of_record};
use crate::grade::roster::Claim;
use crate::grade::store::GradeStore;
use crate::grade::submission::{Submission, SubmissionState};
use crate::model::{Digest, Failure, Fault};
use crate::runner::Host;
use crate::service::{JudgeOptions, JudgingTarget, PreparedProblem};

/// A program that must be judged.
#[derive(Debug, Clone)]
pub(super) struct ClassJob {
    pub key: Key,
    pub claim: Claim,
}

/// The parts of a result that determine a mark and its flags.
#[derive(Debug, Clone)]
pub(super) struct KnownResult {
    pub attempt: AttemptResult,
    pub flags: Vec<FlagKind>,
}

impl KnownResult {
    pub(super) fn of(record: &Record, target: &JudgingTarget, column: &GradebookColumn) -> KnownResult {
        let flags = of_record("", column, record, &target.limits).into_iter().map(|flag| flag.kind);
        KnownResult { attempt: attempt_result(record, column.scored), flags: flags.collect() }
    }
}

/// Results that were loaded or computed, and faults of the judge, by key.
#[derive(Debug, Default)]
pub(super) struct KnownResults {
    pub results: HashMap<Digest, KnownResult>,
    pub faults: HashMap<Digest, Fault>,
}

impl KnownResults {
    /// Returns whether there is a result or a fault for this key.
    pub(super) fn has(&self, key: &Digest) -> bool {
        self.results.contains_key(key) || self.faults.contains_key(key)
    }

    fn attempt(&self, key: &Digest) -> AttemptResult {
        match (self.results.get(key), self.faults.get(key)) {
            (Some(known), _) => known.attempt.clone(),
            (None, Some(fault)) => AttemptResult::Fault(fault.to_string()),
            (None, None) => AttemptResult::Pending,
        }
    }
}

/// The columns of a class, the state and result of each claim of the roster, and the programs to judge, for one set of
/// marking rules and judge options.
#[derive(Debug)]
pub(super) struct ClassPlan {
    pub rules: MarkingRules,
    pub options: JudgeOptions,
    pub targets: Arc<Vec<JudgingTarget>>,
    pub columns: Vec<GradebookColumn>,
    /// State of each claim of the roster; `None` if the claim does not count toward a mark.
    pub states: Vec<Option<SubmissionState>>,
    /// Indices of the claims of the roster, grouped by the key of their result.
    pub by_key: HashMap<Digest, Vec<usize>>,
    /// Result of each claim of the roster.
    pub results: Vec<AttemptResult>,
    /// The programs to judge, in the order of the roster.
    pub queue: VecDeque<ClassJob>,
}

impl ClassPlan {
    /// Determines which programs count toward the marks and which must be judged. Stores the results of files that
    /// cannot be judged as programs.
    ///
    /// # Errors
    /// Fails if the store cannot be read or written, or if a checker or an interactor of a problem cannot be read.
    pub(super) fn make(
        (store, host): (&GradeStore, &Host),
        known: &mut KnownResults,
        enrolled: &Enrolled,
        (problems, targets): (&[Arc<PreparedProblem>], Arc<Vec<JudgingTarget>>),
        (rules, options, now): (MarkingRules, JudgeOptions, i64),
    ) -> Result<ClassPlan, Failure> {
        let columns = columns(&targets);
        let counts = wanted(&enrolled.roster, &rules);
        let work = plan(store, host, (problems, &targets), enrolled, &counts, None)?;
        let again: HashSet<Digest> = store.to_judge_again()?.into_iter().collect();
        let mut waiting: HashSet<usize> = work.todo.iter().map(|(index, _)| *index).collect();
        let mut seen = HashSet::new();
        for (index, (_, submission)) in work.submissions.iter().enumerate() {
            let Some(key) = submission.key().map(Key::whole) else { continue };
            if seen.insert(key) && again.contains(&key) {
                waiting.insert(index);
            }
        }
        let (mut states, mut by_key) = (vec![None; enrolled.roster.claims.len()], HashMap::<_, Vec<usize>>::new());
        let mut queue = VecDeque::new();
        for (index, (place, submission)) in work.submissions.into_iter().enumerate() {
            let Submission { claim, state, .. } = submission;
            let (target, column) = (&targets[claim.problem], &columns[claim.problem]);
            let waits = waiting.contains(&index);
            match &state {
                SubmissionState::Program(key) if waits => {
                    queue.push_back(ClassJob { key: key.clone(), claim: claim.clone() });
                }
                SubmissionState::Refused(key, reason) if waits => {
                    let record = Record::refused(reason, &target.plan);
                    store.put(key, target.problem.as_str(), 0, now, &record)?;
                    store.judged_again(&key.whole())?;
                }
                _ => {}
            }
            if let SubmissionState::Program(key) | SubmissionState::Refused(key, _) = &state {
                let whole = key.whole();
                by_key.entry(whole).or_default().push(place);
                if let std::collections::hash_map::Entry::Vacant(entry) = known.results.entry(whole)
                    && let Some(kept) = store.result(&whole)?
                {
                    entry.insert(KnownResult::of(&kept.record, target, column));
                }
            }
            states[place] = Some(state);
        }
        let mut plan = ClassPlan { rules, options, targets, columns, states, by_key, results: Vec::new(), queue };
        plan.update_all(known);
        Ok(plan)
    }

    fn result(&self, claim: usize, known: &KnownResults) -> AttemptResult {
        match &self.states[claim] {
            None => AttemptResult::Ignored,
            Some(SubmissionState::Unable(reason)) => AttemptResult::Fault(reason.clone()),
            Some(SubmissionState::Program(key) | SubmissionState::Refused(key, _)) => known.attempt(&key.whole()),
        }
    }

    /// Updates the results of all claims.
    pub(super) fn update_all(&mut self, known: &KnownResults) {
        self.results = (0..self.states.len()).map(|claim| self.result(claim, known)).collect();
    }

    /// Updates the results of the claims with this key, and returns the indices of these claims.
    pub(super) fn update(&mut self, key: &Digest, known: &KnownResults) -> Vec<usize> {
        let claims = self.by_key.get(key).cloned().unwrap_or_default();
        for &claim in &claims {
            self.results[claim] = known.attempt(key);
        }
        claims
    }

    /// Returns the key of a claim's result; `None` if the claim does not count toward a mark or cannot be judged.
    pub(super) fn key(&self, claim: usize) -> Option<Digest> {
        match self.states.get(claim)?.as_ref()? {
            SubmissionState::Program(key) | SubmissionState::Refused(key, _) => Some(key.whole()),
            SubmissionState::Unable(_) => None,
        }
    }

    /// Computes the gradebook.
    pub(super) fn book(&self, enrolled: &Enrolled) -> Gradebook {
        Gradebook::new(self.columns.clone(), &enrolled.roster, &self.rules, &self.results)
    }
}
