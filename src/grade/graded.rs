//! Data derived from the results of a class: the columns of its gradebook, and the findings that need manual
//! review.

use std::collections::BTreeSet;

use crate::model::Failure;
use crate::runner::JudgingTarget;

use super::class::worth;
use super::gradebook::{Gradebook, GradebookColumn};
use super::review_flags::{ReviewFlag, of_book, of_empty, of_record, of_roster};
use super::roster::Roster;
use super::store::GradeStore;
use super::submission::Submission;

/// Returns the columns of the gradebook.
pub fn columns(targets: &[JudgingTarget]) -> Vec<GradebookColumn> {
    let column = |target: &JudgingTarget| {
        let (max, scored) = worth(target);
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
