//! Preview of the marks under other rules. Programs whose limits change are judged for the preview. Their results are
//! stored under keys that include the limits, so they are not judged again when the rules are applied.

use crate::grade::class::Enrolled;
use crate::grade::gradebook::{Gradebook, GradebookRow};
use crate::grade::marks::{Mark, Standing};
use crate::model::{Digest, Score};

use super::class_plan::{ClassJob, ClassPlan, KnownResults};
use super::class_settings::ClassRules;
use super::class_views::{MarkChangeView, PreviewView, TotalChangeView};

/// A preview of the marks under other rules.
pub(super) struct RulesPreview {
    pub rules: ClassRules,
    pub plan: ClassPlan,
    /// Keys of the programs that must be judged for the preview.
    needed: Vec<Digest>,
}

impl RulesPreview {
    /// Creates a preview of the marks under `rules`. `plan` is the plan of the class under the same rules.
    pub(super) fn new(rules: ClassRules, plan: ClassPlan, known: &KnownResults) -> RulesPreview {
        let needed = plan.queue.iter().map(|job| job.key.whole()).filter(|key| !known.has(key)).collect();
        RulesPreview { rules, plan, needed }
    }

    /// Removes programs from the queue up to and including the first program for which `skip` returns false, and
    /// returns that program. Returns `None` if there is no such program.
    pub(super) fn next_job(&mut self, skip: impl Fn(&Digest) -> bool) -> Option<ClassJob> {
        loop {
            let job = self.plan.queue.pop_front()?;
            if !skip(&job.key.whole()) {
                return Some(job);
            }
        }
    }

    /// Compares the marks under the current rules with the marks under the rules of the preview.
    pub(super) fn view(&mut self, now: &ClassPlan, known: &KnownResults, enrolled: &Enrolled) -> PreviewView {
        self.plan.update_all(known);
        let judged = self.needed.iter().filter(|key| known.has(key)).count();
        let (changes, totals) = differences(&now.book(enrolled), &self.plan.book(enrolled));
        let state = if judged == self.needed.len() { "ready" } else { "judging" };
        PreviewView { state: state.to_owned(), to_judge: self.needed.len(), judged, changes, totals }
    }
}

/// Returns the marks and totals that differ between two gradebooks with the same students and problems, except for
/// marks and totals that are not known in `after`.
fn differences(before: &Gradebook, after: &Gradebook) -> (Vec<MarkChangeView>, Vec<TotalChangeView>) {
    let (mut changes, mut totals) = (Vec::new(), Vec::new());
    for (old, new) in before.rows.iter().zip(&after.rows) {
        for (column, (one, other)) in before.columns.iter().zip(old.marks.iter().zip(&new.marks)) {
            // A mark that is open in `after` is not known yet.
            if (one.points, verdict(one)) != (other.points, verdict(other))
                && !matches!(other.standing, Standing::Open(_))
            {
                changes.push(MarkChangeView {
                    student: old.student.clone(),
                    problem: column.id.to_string(),
                    before: one.points.map(Score::as_points),
                    after: other.points.map(Score::as_points),
                    verdict_before: verdict(one),
                    verdict_after: verdict(other),
                });
            }
        }
        if old.total != new.total && new.total.is_some() {
            let total = |row: &GradebookRow| row.total.map(Score::as_points);
            totals.push(TotalChangeView { student: old.student.clone(), before: total(old), after: total(new) });
        }
    }
    (changes, totals)
}

fn verdict(mark: &Mark) -> Option<String> {
    match mark.standing {
        Standing::Attempt(_, verdict) => Some(verdict.short().to_owned()),
        Standing::Missing | Standing::Open(_) => None,
    }
}
