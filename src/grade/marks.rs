//! Computes marks from results: selects the attempt that counts, applies the deduction for lateness, and adds up the
//! total. All calculations use integers.

use std::collections::BTreeMap;

use crate::model::{Score, Verdict};

use super::policy::{Late, Policy, Select};
use super::time;

/// An attempt at a problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// Index in the list of submissions.
    pub submission: usize,
    /// Time of submission, in seconds since the Unix epoch; `None` if unknown.
    pub at: Option<i64>,
    /// Result of judging.
    pub result: AttemptResult,
}

/// Result of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AttemptResult {
    /// The attempt was judged.
    Result {
        /// Verdict of the run.
        verdict: Verdict,
        /// Points of the run.
        score: Score,
        /// Maximum points of the problem.
        max: Score,
        /// Number of accepted cases, and total number of cases.
        cases: (usize, usize),
    },
    /// The result is unknown, because the judge failed or the program can't be judged on this machine.
    Fault(String),
    /// The attempt has not been judged yet.
    Pending,
    /// The attempt is not judged, because it can't affect the mark.
    Ignored,
}

/// A student's mark for a problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// The origin of the mark.
    pub standing: Standing,
    /// The mark; `None` while an attempt that could count is not judged, or if the judge failed on it.
    pub points: Option<Score>,
    /// Maximum mark.
    pub max: Score,
    /// Explanation of the calculation, for display.
    pub formula: String,
    /// Comment by a teacher; `None` if there is none.
    pub comment: Option<String>,
    /// Number of the student's attempts at the problem.
    pub attempts: usize,
    /// The lateness of the attempt that counts, and the deduction for it; `None` if the attempt was on time or within
    /// the grace period.
    pub late: Option<Lateness>,
}

/// The lateness of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lateness {
    /// Time after the due date, in seconds; always greater than 0.
    pub seconds: u64,
    /// Deduction in percent.
    pub percent: u32,
}

impl std::fmt::Display for Lateness {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} late", time::span(self.seconds))?;
        if self.percent > 0 { write!(f, ", −{} %", self.percent) } else { Ok(()) }
    }
}

/// The origin of a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Nothing was submitted.
    Missing,
    /// A judged attempt: its index in the list of submissions, and its verdict.
    Attempt(usize, Verdict),
    /// An attempt without a result, because it is not judged yet or the judge failed: its index in the list of
    /// submissions.
    Open(usize),
}

/// A teacher's mark, comment, or both, for a student and a problem.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Override {
    /// Mark that replaces the computed mark; `None` to keep the computed mark.
    pub mark: Option<Score>,
    /// Comment for the student; `None` if there is none.
    pub comment: Option<String>,
}

/// Returns, for each attempt from the oldest to the newest, whether it must be judged to determine the attempt that
/// counts.
pub fn needed(select: Select, due: Option<i64>, attempts: &[Option<i64>]) -> Vec<bool> {
    let in_time = |at: &Option<i64>| due.is_none_or(|due| at.is_none_or(|at| at <= due));
    let last = attempts.len().saturating_sub(1);
    match select {
        Select::Best => vec![true; attempts.len()],
        Select::BestBeforeDue if attempts.iter().any(in_time) => attempts.iter().map(in_time).collect(),
        Select::Last | Select::BestBeforeDue => (0..attempts.len()).map(|index| index == last).collect(),
    }
}

/// Returns the number of late steps: 0 within the grace period, and otherwise the number of steps that have started
/// since the due date.
pub fn steps(late: &Late, due: i64, at: i64) -> u64 {
    let over = u64::try_from(at.saturating_sub(due)).unwrap_or(0);
    let (grace, per) = (late.grace.as_micros() / 1_000_000, (late.per.as_micros() / 1_000_000).max(1));
    if over <= grace { 0 } else { over.div_ceil(per) }
}

/// Returns the points of an attempt before the deduction for lateness, the maximum points, and the formula, or
/// `None` if the attempt has no result.
fn earned(policy: &Policy, problem: usize, attempt: &Attempt) -> Option<(Score, Score, String)> {
    let AttemptResult::Result { score, max, cases, .. } = &attempt.result else { return None };
    let (mut points, mut formula) = (*score, format!("{score}"));
    if policy.partial && *score < *max && cases.1 > 0 && score.as_thousandths() == 0 {
        points = part(*max, cases.0 as u64, cases.1 as u64);
        formula = format!("{max} × {}/{} cases", cases.0, cases.1);
    }
    match policy.problems[problem].points {
        Some(most) if most != *max => {
            let scaled = part(most, points.as_thousandths(), max.as_thousandths());
            Some((scaled, most, format!("{formula} × {most}/{max}")))
        }
        _ => Some((points, *max, formula)),
    }
}

/// Returns `whole * count / of`, rounded down to a thousandth of a point.
fn part(whole: Score, count: u64, of: u64) -> Score {
    let share = u128::from(whole.as_thousandths()) * u128::from(count) / u128::from(of.max(1));
    Score::thousandths(u64::try_from(share).unwrap_or(u64::MAX))
}

/// Number of late steps that a student may still use without a deduction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bank(u64);

impl Bank {
    /// Returns the number of late steps that each student can initially use without a deduction.
    pub fn of(policy: &Policy) -> Bank {
        Bank(policy.late.map_or(0, |late| late.bank))
    }
}

/// The mark that the student would receive if an attempt counted.
struct Candidate {
    points: Score,
    max: Score,
    formula: String,
    used: u64,
    late: Option<Lateness>,
}

/// Returns the mark that the student would receive if `attempt` counted, or `None` if the attempt has no result. `bank`
/// is the number of late steps that the student may still use without a deduction.
fn candidate(policy: &Policy, problem: usize, due: Option<i64>, attempt: &Attempt, bank: Bank) -> Option<Candidate> {
    let (points, max, mut formula) = earned(policy, problem, attempt)?;
    let after = |due: i64, at: i64| u64::try_from(at.saturating_sub(due)).ok().filter(|seconds| *seconds > 0);
    let seconds = due.zip(attempt.at).and_then(|(due, at)| after(due, at));
    let (Some(late), Some(due), Some(at)) = (policy.late, due, attempt.at) else {
        let late = seconds.map(|seconds| Lateness { seconds, percent: 0 });
        return Some(Candidate { points, max, formula, used: 0, late });
    };
    let steps = steps(&late, due, at);
    let used = steps.min(bank.0);
    let percent = u32::try_from((steps - used).saturating_mul(u64::from(late.off))).unwrap_or(u32::MAX).min(late.cap);
    if used > 0 {
        formula += &format!(" (late steps without a deduction: {used})");
    }
    if percent > 0 {
        formula += &format!(" − {percent} % (submitted at {}, due at {})", time::show(at), time::show(due));
    }
    let late = seconds.filter(|_| steps > 0).map(|seconds| Lateness { seconds, percent });
    Some(Candidate { points: part(points, u64::from(100 - percent.min(100)), 100), max, formula, used, late })
}

/// Computes the mark for a problem from `attempts`, which are sorted from the oldest to the newest. Subtracts from
/// `bank` the late steps for which the attempt that counts receives no deduction.
pub fn mark(
    policy: &Policy,
    problem: usize,
    due: Option<i64>,
    most: Score,
    attempts: &[Attempt],
    by_hand: Option<&Override>,
    bank: &mut Bank,
) -> Mark {
    let max = policy.problems[problem].points.unwrap_or(most);
    let mut mark = Mark {
        standing: Standing::Missing,
        points: Some(Score::ZERO),
        max,
        formula: "no submission".to_owned(),
        comment: None,
        attempts: attempts.len(),
        late: None,
    };
    // The mark has no points while an attempt that could count has no result, since that attempt may be the best.
    let open = attempts.iter().find_map(|attempt| match &attempt.result {
        AttemptResult::Fault(fault) => Some((attempt.submission, format!("not judged ({fault})"))),
        AttemptResult::Pending => Some((attempt.submission, "not judged yet".to_owned())),
        _ => None,
    });
    if let Some((submission, formula)) = open {
        mark.standing = Standing::Open(submission);
        mark.points = None;
        mark.formula = formula;
    } else {
        let mut best: Option<(usize, Candidate)> = None;
        for (index, attempt) in attempts.iter().enumerate() {
            let Some(found) = candidate(policy, problem, due, attempt, *bank) else { continue };
            if best.as_ref().is_none_or(|(_, best)| found.points >= best.points) {
                best = Some((index, found));
            }
        }
        if let Some((index, chosen)) = best {
            let verdict = match attempts[index].result {
                AttemptResult::Result { verdict, .. } => verdict,
                AttemptResult::Fault(_) | AttemptResult::Pending | AttemptResult::Ignored => Verdict::WrongAnswer,
            };
            *bank = Bank(bank.0 - chosen.used);
            mark.standing = Standing::Attempt(attempts[index].submission, verdict);
            mark.points = Some(chosen.points);
            mark.max = chosen.max;
            mark.formula = chosen.formula;
            mark.late = chosen.late;
        }
    }
    if let Some(by_hand) = by_hand {
        if let Some(points) = by_hand.mark {
            mark.formula = format!("{points}, set manually (otherwise: {})", mark.formula);
            mark.points = Some(points);
        }
        mark.comment.clone_from(&by_hand.comment);
    }
    mark
}

/// Returns the total: the sum of the weighted marks and of `by_hand`, the points for the criteria of the rubric.
/// Returns `None` if a mark has no points yet.
pub fn total(policy: &Policy, marks: &[Mark], by_hand: &[Score]) -> Option<Score> {
    let mut sum = Score::ZERO;
    for (mark, worth) in marks.iter().zip(&policy.problems) {
        sum = sum.plus(part(mark.points?, worth.weight.as_thousandths(), 1_000));
    }
    Some(by_hand.iter().copied().fold(sum, Score::plus))
}

/// Returns the formula of the total, for display.
pub fn total_formula(policy: &Policy, problems: &[&str]) -> String {
    let weighed = problems.iter().zip(&policy.problems).map(|(id, worth)| match worth.weight == Score::points(1) {
        true => (*id).to_owned(),
        false => format!("{} × {id}", worth.weight),
    });
    weighed.chain(policy.rubric.iter().map(|(name, _)| name.clone())).collect::<Vec<_>>().join(" + ")
}

/// Extended due dates, in seconds since the Unix epoch. The key is the student and the index of the problem, or `None`
/// for all problems.
pub type Extensions = BTreeMap<(String, Option<usize>), i64>;

/// Returns the due date of a problem for a student, in seconds since the Unix epoch, or `None` if there is none.
pub fn due(policy: &Policy, extensions: &Extensions, student: &str, problem: usize) -> Option<i64> {
    let of = |problem| extensions.get(&(student.to_owned(), problem)).copied();
    of(Some(problem)).or_else(|| of(None)).or(policy.problems[problem].due)
}

#[cfg(test)]
#[path = "marks_tests.rs"]
mod tests;
