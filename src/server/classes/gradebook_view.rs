//! Views of the gradebook and of single marks, which include the judging state of each mark.

use std::collections::HashSet;

use crate::grade::gradebook::Gradebook;
use crate::grade::marks::{Mark, Standing};
use crate::grade::roster::Roster;
use crate::model::{Digest, Score};

use super::class_plan::{ClassPlan, KnownResults};
use super::class_views::{GradebookColumnView, GradebookView, MarkView, StudentView};

/// The data from which views of marks are created.
pub(super) struct MarkContext<'a> {
    pub plan: &'a ClassPlan,
    pub roster: &'a Roster,
    pub queued: HashSet<Digest>,
    pub running: HashSet<Digest>,
    pub known: &'a KnownResults,
}

/// Returns the view of a student's mark on a problem.
pub(super) fn mark_view(context: &MarkContext<'_>, student: &str, problem: usize, mark: &Mark) -> MarkView {
    let (standing, claim, verdict) = match mark.standing {
        Standing::Missing => ("missing", None, None),
        Standing::Attempt(claim, verdict) => ("judged", Some(claim), Some(verdict)),
        Standing::Open(claim) => ("open", Some(claim), None),
    };
    let key = claim.and_then(|claim| context.plan.key(claim));
    let state = match key {
        Some(key) if context.running.contains(&key) => "running",
        Some(key) if context.queued.contains(&key) => "queued",
        _ => standing,
    };
    let flags = key.and_then(|key| context.known.results.get(&key)).map(|known| known.flags.as_slice());
    let by_hand = context.plan.rules.overlay.get(student).and_then(|by_hand| by_hand.problems.get(&problem));
    MarkView {
        problem: context.plan.columns[problem].id.to_string(),
        state: state.to_owned(),
        verdict: verdict.map(|verdict| verdict.short().to_owned()),
        mark: mark.points.map(Score::as_points),
        max_mark: mark.max.as_points(),
        formula: mark.formula.clone(),
        attempts: mark.attempts,
        late_seconds: mark.late.map(|late| late.seconds),
        path: claim.map(|claim| context.roster.claims[claim].path.clone()),
        comment: mark.comment.clone(),
        overridden: by_hand.is_some_and(|by_hand| by_hand.mark.is_some()),
        flags: flags.unwrap_or_default().iter().map(|kind| kind.words().to_owned()).collect(),
    }
}

/// Returns the view of the gradebook, without the number of the last event.
pub(super) fn gradebook_view(context: &MarkContext<'_>, book: &Gradebook, revision: u64) -> GradebookView {
    let schemes = &context.plan.rules.policy.problems;
    let problems = book.columns.iter().zip(schemes).map(|(column, scheme)| GradebookColumnView {
        id: column.id.to_string(),
        name: column.name.clone(),
        max_score: column.max.as_points(),
        max_mark: scheme.points.unwrap_or(column.max).as_points(),
    });
    let students = book.rows.iter().map(|row| StudentView {
        student: row.student.clone(),
        number: row.number.clone(),
        marks: (0..).zip(&row.marks).map(|(problem, mark)| mark_view(context, &row.student, problem, mark)).collect(),
        rubric: row.rubric.iter().map(|given| given.map(Score::as_points)).collect(),
        total: row.total.map(Score::as_points),
        comment: row.comment.clone(),
    });
    GradebookView {
        revision,
        last_event: None,
        problems: problems.collect(),
        rubric: book.rubric.iter().map(|(name, _)| name.clone()).collect(),
        max_total: book.max.as_points(),
        students: students.collect(),
    }
}
