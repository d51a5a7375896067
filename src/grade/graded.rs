//! Data derived from the results of a class: the columns of its gradebook, and the findings that need manual
//! review.

use std::collections::BTreeSet;

use crate::model::Failure;
use crate::runner::JudgingTarget;

use super::class::{ClassSummary, Work, results};
use super::class_to_judge::ClassToJudge;
use super::gradebook::{Gradebook, GradebookColumn};
use super::marks::{AttemptResult, Standing};
use super::review_flags::{ReviewFlag, of_book, of_empty, of_record, of_roster};
use super::roster::Roster;
use super::store::{Change, GradeStore};
use super::submission::Submission;

/// The marks of a class whose submissions have been judged.
#[derive(Debug)]
pub struct GradedClass {
    /// The gradebook.
    pub book: Gradebook,
    /// The marks that differ from those that were published last.
    pub changes: Vec<Change>,
    /// The submissions and files that need manual review, the most important first.
    pub flags: Vec<ReviewFlag>,
    /// Number of programs without a result, because the judge failed or their language is not installed.
    pub without_result: usize,
}

impl GradedClass {
    /// Computes the marks from the results of the submissions in `work`. Returns `None` if judging was cancelled, since
    /// results are then missing.
    ///
    /// # Errors
    /// Returns [`Failure::Fault`] if the store can't be read.
    pub fn new(class: &ClassToJudge<'_>, work: &Work<'_>, done: &ClassSummary) -> Result<Option<GradedClass>, Failure> {
        if done.cancelled {
            return Ok(None);
        }
        let (store, targets, roster) = (class.store(), class.targets(), &class.enrolled().roster);
        let columns = columns(targets);
        let scored: Vec<bool> = columns.iter().map(|column| column.scored).collect();
        let results = results(store, roster.claims.len(), work, done, &scored)?;
        let without_result = results.iter().filter(|result| matches!(result, AttemptResult::Fault(_))).count();
        let book = Gradebook::new(columns, roster, class.rules(), &results);
        let changes = store.changes(&book.published())?;
        let flags = review_flags(store, roster, targets, &work.submissions, &book)?;
        Ok(Some(GradedClass { book, changes, flags, without_result }))
    }

    /// Returns whether a mark is missing because the judge failed or a language is not installed.
    pub fn has_open_marks(&self) -> bool {
        let mut marks = self.book.rows.iter().flat_map(|row| &row.marks);
        marks.any(|mark| matches!(mark.standing, Standing::Open(_)))
    }
}

/// Returns the columns of the gradebook.
pub fn columns(targets: &[JudgingTarget]) -> Vec<GradebookColumn> {
    let column = |target: &JudgingTarget| {
        let (max, scored) = (target.plan.max_score(), target.plan.scored());
        GradebookColumn { id: target.problem.clone(), name: target.title.clone(), max, scored }
    };
    targets.iter().map(column).collect()
}

/// Returns the submissions and files that need manual review, the most important first. `submissions` are those that
/// were judged, each with its index in the roster.
///
/// # Errors
/// Returns [`Failure::Fault`] if the store can't be read.
pub fn review_flags(
    store: &GradeStore,
    roster: &Roster,
    targets: &[JudgingTarget],
    submissions: &[(usize, Submission<'_>)],
    book: &Gradebook,
) -> Result<Vec<ReviewFlag>, Failure> {
    let mut flags = of_book(book);
    let judged: BTreeSet<usize> = submissions.iter().map(|(place, _)| *place).collect();
    let wanted: Vec<bool> = (0..roster.claims.len()).map(|place| judged.contains(&place)).collect();
    flags.extend(of_roster(roster, &wanted));
    for (_, submission) in submissions {
        let Some(key) = submission.key() else { continue };
        let problem = submission.claim.problem;
        flags.extend(submission.blank.then(|| of_empty(&submission.claim.student, &book.columns[problem])));
        if let Some(kept) = store.result(&key.whole())? {
            let limits = &targets[problem].limits;
            flags.extend(of_record(&submission.claim.student, &book.columns[problem], &kept.record, limits));
        }
    }
    flags.sort();
    Ok(flags)
}
