//! Sorts the results of a class, which arrive in the order of completion, into the order of the roster.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{Digest, Failure, Fault, Score};
use crate::runner::JudgingTarget;

use super::class::Work;
use super::record::Record;
use super::roster::Claim;
use super::store::GradeStore;
use super::submission::SubmissionState;

/// The result of a submission, in the form that is displayed while the class is judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubmissionResult {
    /// The abbreviation of the verdict; `JE` if the judge failed or the program can't be judged on this machine.
    pub verdict: &'static str,
    /// The score.
    pub score: Score,
    /// The maximum score.
    pub max_score: Score,
}

impl SubmissionResult {
    /// Returns the displayed result of a submission: the result in its record, or a score of 0 if the judge failed.
    /// `target` is the judging target of the submission's problem.
    pub fn new(result: Result<&Record, &Fault>, target: &JudgingTarget) -> SubmissionResult {
        match result {
            Ok(record) => {
                SubmissionResult { verdict: record.verdict.short(), score: record.score, max_score: record.max_score }
            }
            Err(_) => SubmissionResult::open(target),
        }
    }

    /// Returns the result of a submission that has no verdict.
    fn open(target: &JudgingTarget) -> SubmissionResult {
        SubmissionResult { verdict: "JE", score: Score::ZERO, max_score: target.plan.max_score() }
    }
}

/// A buffer that collects the results of submissions, and returns them in the order of the roster.
pub struct RosterOrder<'a> {
    work: &'a Work<'a>,
    targets: &'a [JudgingTarget],
    store: &'a GradeStore,
    /// The results that were added and are not yet returned, by the key of the submission.
    added: BTreeMap<Digest, SubmissionResult>,
    /// The keys of the submissions that have not been judged yet.
    waiting: BTreeSet<Digest>,
    /// Number of submissions whose results were returned.
    returned: usize,
}

impl<'a> RosterOrder<'a> {
    /// Creates a buffer that returns the result of the first submission of the roster first. The results of submissions
    /// that need not be judged are read from the store.
    pub fn new(work: &'a Work<'a>, targets: &'a [JudgingTarget], store: &'a GradeStore) -> RosterOrder<'a> {
        let waiting = work.todo.iter().filter_map(|(index, _)| work.submissions[*index].1.key());
        let waiting = waiting.map(super::key::Key::whole).collect();
        RosterOrder { work, targets, store, added: BTreeMap::new(), waiting, returned: 0 }
    }

    /// Adds the result of a submission, given by its index in [`Work::submissions`].
    pub fn add(&mut self, index: usize, result: SubmissionResult) {
        if let Some(key) = self.work.submissions[index].1.key().map(super::key::Key::whole) {
            self.waiting.remove(&key);
            self.added.insert(key, result);
        }
    }

    /// Returns the next submission of the roster with its result; `None` if it has not been judged yet or if there is
    /// no further submission.
    ///
    /// # Errors
    /// Fails if the store can't be read.
    pub fn next_result(&mut self) -> Result<Option<(&'a Claim, SubmissionResult)>, Failure> {
        let Some((_, submission)) = self.work.submissions.get(self.returned) else { return Ok(None) };
        let target = &self.targets[submission.claim.problem];
        let result = match &submission.state {
            SubmissionState::Unable(_) => SubmissionResult::open(target),
            SubmissionState::Program(key) | SubmissionState::Refused(key, _) => {
                let key = key.whole();
                // For several identical programs, only the first result is in `added`; the results of the others are
                // read from the store.
                match self.added.remove(&key) {
                    Some(result) => result,
                    None if self.waiting.contains(&key) => return Ok(None),
                    None => match self.store.result(&key)? {
                        Some(kept) => SubmissionResult::new(Ok(&kept.record), target),
                        None => SubmissionResult::open(target),
                    },
                }
            }
        };
        self.returned += 1;
        Ok(Some((submission.claim, result)))
    }
}
