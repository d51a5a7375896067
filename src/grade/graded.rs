//! Data derived from the results of a class: the columns of its gradebook, and the findings that need manual
//! review.

use std::collections::BTreeSet;

use crate::model::Failure;
use crate::runner::JudgingTarget;

use super::class::{ClassSummary, Work, attempt_result};
use super::class_to_judge::ClassToJudge;
use super::gradebook::{Gradebook, GradebookColumn};
use super::marks::{AttemptResult, Standing};
use super::record::Record;
use super::review_flags::{ReviewFlag, of_book, of_empty, of_record, of_roster};
use super::roster::Roster;
use super::store::{Change, GradeStore};
use super::submission::{Submission, SubmissionState};

/// The marks of a class whose submissions have been judged.
#[derive(Debug)]
pub struct GradedClass {
    /// The gradebook.
    pub book: Gradebook,
    /// The marks that differ from the last published marks.
    pub changes: Vec<Change>,
    /// The submissions and files that need manual review, the most important first.
    pub flags: Vec<ReviewFlag>,
    /// Number of submissions without a result, for example because the judge failed or a language is not installed.
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
        let mut results = vec![AttemptResult::Ignored; roster.claims.len()];
        let mut flags = Vec::new();
        for (place, submission) in &work.submissions {
            let column = &columns[submission.claim.problem];
            let record = kept_record(store, submission)?;
            flags.extend(flags_of(submission, column, record.as_ref(), targets));
            results[*place] = result(submission, record.as_ref(), done, column.scored);
        }
        let without_result = results.iter().filter(|result| matches!(result, AttemptResult::Fault(_))).count();
        let book = Gradebook::new(columns, roster, class.rules(), &results);
        let changes = store.changes(&book.published())?;
        flags.extend(flags_of_class(roster, &work.submissions, &book));
        flags.sort();
        Ok(Some(GradedClass { book, changes, flags, without_result }))
    }

    /// Returns whether an attempt that may count has no result, because the judge failed or a language is not
    /// installed.
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

/// Returns the submissions and files that need manual review, the most important first. `submissions` contains the
/// judged submissions, each with its index in the roster.
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
    let mut flags = flags_of_class(roster, submissions, book);
    for (_, submission) in submissions {
        let record = kept_record(store, submission)?;
        flags.extend(flags_of(submission, &book.columns[submission.claim.problem], record.as_ref(), targets));
    }
    flags.sort();
    Ok(flags)
}

fn kept_record(store: &GradeStore, submission: &Submission<'_>) -> Result<Option<Record>, Failure> {
    match submission.key() {
        Some(key) => Ok(store.result(&key.whole())?.map(|kept| kept.record)),
        None => Ok(None),
    }
}

/// Returns the flags that concern the gradebook or the files of the roster.
fn flags_of_class(roster: &Roster, submissions: &[(usize, Submission<'_>)], book: &Gradebook) -> Vec<ReviewFlag> {
    let judged: BTreeSet<usize> = submissions.iter().map(|(place, _)| *place).collect();
    let wanted: Vec<bool> = (0..roster.claims.len()).map(|place| judged.contains(&place)).collect();
    let mut flags = of_book(book);
    flags.extend(of_roster(roster, &wanted));
    flags
}

/// Returns the flags of a submission, which report that its program is empty or are derived from `record`.
fn flags_of(
    submission: &Submission<'_>,
    column: &GradebookColumn,
    record: Option<&Record>,
    targets: &[JudgingTarget],
) -> Vec<ReviewFlag> {
    let student = &submission.claim.student;
    let empty = (submission.blank && submission.key().is_some()).then(|| of_empty(student, column));
    let limits = &targets[submission.claim.problem].limits;
    let of_record = record.map(|record| of_record(student, column, record, limits)).unwrap_or_default();
    empty.into_iter().chain(of_record).collect()
}

/// Returns the result of a submission: a fault if the submission has no result, or otherwise the result derived from
/// `record`. `scored` states whether the problem has subtasks.
fn result(submission: &Submission<'_>, record: Option<&Record>, done: &ClassSummary, scored: bool) -> AttemptResult {
    if let SubmissionState::Unable(reason) = &submission.state {
        return AttemptResult::Fault(reason.clone());
    }
    let fault = submission.key().and_then(|key| done.faults.get(&key.whole()));
    match (fault, record) {
        (Some(fault), _) => AttemptResult::Fault(fault.to_string()),
        (None, Some(record)) => attempt_result(record, scored),
        (None, None) => AttemptResult::Fault(
            "the store has no readable result for the program; judge it again with `--rejudge`".to_owned(),
        ),
    }
}
