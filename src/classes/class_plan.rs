//! Which programs of a class count, what their results are, and which must be judged.

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
use crate::service::{JudgeOptions, JudgingTarget};

/// Why a mark is open before its program is judged.
const NOT_JUDGED: &str = "it is not judged yet";

/// A program that must be judged.
#[derive(Debug, Clone)]
pub(super) struct ClassJob {
    pub key: Key,
    pub claim: Claim,
}

/// What marks need of a result.
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

/// The results that were read, by their keys, and the errors of the judge.
#[derive(Debug, Default)]
pub(super) struct KnownResults {
    pub results: HashMap<Digest, KnownResult>,
    pub faults: HashMap<Digest, Fault>,
}

impl KnownResults {
    /// Whether the program with this key was judged, or can't be because the judge failed.
    pub(super) fn has(&self, key: &Digest) -> bool {
        self.results.contains_key(key) || self.faults.contains_key(key)
    }

    fn attempt(&self, key: &Digest) -> AttemptResult {
        match (self.results.get(key), self.faults.get(key)) {
            (Some(known), _) => known.attempt.clone(),
            (None, Some(fault)) => AttemptResult::Fault(fault.to_string()),
            (None, None) => AttemptResult::Fault(NOT_JUDGED.to_owned()),
        }
    }
}

/// The programs that count under some rules.
#[derive(Debug)]
pub(super) struct ClassPlan {
    pub rules: MarkingRules,
    pub options: JudgeOptions,
    pub targets: Arc<Vec<JudgingTarget>>,
    pub columns: Vec<GradebookColumn>,
    /// How each claim of the roster is graded; `None` if it does not count.
    pub states: Vec<Option<SubmissionState>>,
    /// The claims with each key.
    pub by_key: HashMap<Digest, Vec<usize>>,
    /// The result of each claim.
    pub results: Vec<AttemptResult>,
    /// The programs that wait to be judged.
    pub queue: VecDeque<ClassJob>,
}

impl ClassPlan {
    /// Determines which programs count and which must be judged. Files that are no programs get their results.
    ///
    /// # Errors
    /// Fails if the store can't be read or written, or if a program can't be read.
    pub(super) fn make(
        (store, host): (&GradeStore, &Host),
        known: &mut KnownResults,
        enrolled: &Enrolled,
        targets: Arc<Vec<JudgingTarget>>,
        (rules, options, now): (MarkingRules, JudgeOptions, i64),
    ) -> Result<ClassPlan, Failure> {
        let columns = columns(&targets);
        let counts = wanted(&enrolled.roster, &rules);
        let work = plan(store, host, &targets, enrolled, &counts, None)?;
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
            let Submission { claim, worth, .. } = submission;
            let (target, column) = (&targets[claim.problem], &columns[claim.problem]);
            let waits = waiting.contains(&index);
            match &worth {
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
            if let SubmissionState::Program(key) | SubmissionState::Refused(key, _) = &worth {
                let whole = key.whole();
                by_key.entry(whole).or_default().push(place);
                if let std::collections::hash_map::Entry::Vacant(entry) = known.results.entry(whole)
                    && let Some(kept) = store.result(&whole)?
                {
                    entry.insert(KnownResult::of(&kept.record, target, column));
                }
            }
            states[place] = Some(worth);
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

    /// Takes over all results.
    pub(super) fn update_all(&mut self, known: &KnownResults) {
        self.results = (0..self.states.len()).map(|claim| self.result(claim, known)).collect();
    }

    /// Takes over the result with this key, and returns the claims that have it.
    pub(super) fn update(&mut self, key: &Digest, known: &KnownResults) -> Vec<usize> {
        let claims = self.by_key.get(key).cloned().unwrap_or_default();
        for &claim in &claims {
            self.results[claim] = known.attempt(key);
        }
        claims
    }

    /// The key of a claim's result; `None` if the claim does not count or can't be judged.
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
