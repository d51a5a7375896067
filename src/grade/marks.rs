//! From results to marks: which attempt counts, what lateness takes off, what the total is. Pure, in integers.

use std::collections::BTreeMap;

use crate::model::{Score, Verdict};

use super::policy::{Late, Policy, Select};
use super::time;

/// An attempt as far as marks need it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// Its place in the list of submissions.
    pub submission: usize,
    /// When it was handed in.
    pub at: Option<i64>,
    /// What came of it.
    pub result: Judged,
}

/// What came of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Judged {
    /// It was judged.
    Result {
        /// The verdict.
        verdict: Verdict,
        /// The points.
        score: Score,
        /// The most there are.
        max: Score,
        /// How many cases were accepted, of how many.
        cases: (usize, usize),
    },
    /// We failed, so nothing is known about it.
    Fault(String),
    /// It was not judged, since it does not count.
    Ignored,
}

/// A mark on a problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// What it stands for.
    pub standing: Standing,
    /// The mark; none while our own failure keeps it open.
    pub points: Option<Score>,
    /// The most there is.
    pub max: Score,
    /// How it came about, for people.
    pub formula: String,
    /// A teacher's words.
    pub comment: Option<String>,
    /// How many attempts there were.
    pub attempts: usize,
}

/// What a mark stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Nothing was handed in.
    Missing,
    /// An attempt with this verdict, by its place in the list of submissions.
    Attempt(usize, Verdict),
    /// An attempt at which we failed.
    Open(usize),
}

/// What a teacher wrote by hand about a student's program on a problem.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Override {
    /// The mark in place of the one that was made.
    pub mark: Option<Score>,
    /// What the student is told.
    pub comment: Option<String>,
}

/// Which of the attempts have to be judged, oldest first, for the one that counts to be known.
pub fn needed(select: Select, due: Option<i64>, attempts: &[Option<i64>]) -> Vec<bool> {
    let in_time = |at: &Option<i64>| due.is_none_or(|due| at.is_none_or(|at| at <= due));
    let last = attempts.len().saturating_sub(1);
    match select {
        Select::Best => vec![true; attempts.len()],
        Select::BestBeforeDue if attempts.iter().any(in_time) => attempts.iter().map(in_time).collect(),
        Select::Last | Select::BestBeforeDue => (0..attempts.len()).map(|index| index == last).collect(),
    }
}

/// How many steps late: none within the grace, else every step that has begun since it was due.
pub fn steps(late: &Late, due: i64, at: i64) -> u64 {
    let over = u64::try_from(at.saturating_sub(due)).unwrap_or(0);
    let (grace, per) = (late.grace.as_micros() / 1_000_000, (late.per.as_micros() / 1_000_000).max(1));
    if over <= grace { 0 } else { over.div_ceil(per) }
}

/// The points of an attempt before lateness, and how they came about.
fn earned(policy: &Policy, problem: usize, attempt: &Attempt) -> Option<(Score, Score, String)> {
    let Judged::Result { score, max, cases, .. } = &attempt.result else { return None };
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

/// This many of so many parts, rounded down to a thousandth.
fn part(whole: Score, count: u64, of: u64) -> Score {
    let share = u128::from(whole.as_thousandths()) * u128::from(count) / u128::from(of.max(1));
    Score::thousandths(u64::try_from(share).unwrap_or(u64::MAX))
}

/// A student's way through the problems: the steps of lateness that are still free.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bank(u64);

impl Bank {
    /// A student's bank at the beginning.
    pub fn of(policy: &Policy) -> Bank {
        Bank(policy.late.map_or(0, |late| late.bank))
    }
}

/// An attempt's mark in the making.
struct Candidate {
    points: Score,
    max: Score,
    formula: String,
    used: u64,
}

/// The mark of an attempt with so many steps of lateness still free.
fn candidate(policy: &Policy, problem: usize, due: Option<i64>, attempt: &Attempt, bank: Bank) -> Option<Candidate> {
    let (points, max, mut formula) = earned(policy, problem, attempt)?;
    let (Some(late), Some(due), Some(at)) = (policy.late, due, attempt.at) else {
        return Some(Candidate { points, max, formula, used: 0 });
    };
    let steps = steps(&late, due, at);
    let used = steps.min(bank.0);
    let percent = u32::try_from((steps - used).saturating_mul(u64::from(late.off))).unwrap_or(u32::MAX).min(late.cap);
    if used > 0 {
        formula += &format!(" ({used} of the free late steps used)");
    }
    if percent > 0 {
        formula += &format!(" − {percent} % for handing in at {}, due {}", time::show(at), time::show(due));
    }
    Some(Candidate { points: part(points, u64::from(100 - percent.min(100)), 100), max, formula, used })
}

/// The mark on a problem: of the attempt that counts, oldest first. What it uses of the bank is taken from it.
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
        formula: "nothing was handed in".to_owned(),
        comment: None,
        attempts: attempts.len(),
    };
    // While one of the attempts that could count is open, none is chosen: the open one might be better.
    let open = attempts.iter().find_map(|attempt| match &attempt.result {
        Judged::Fault(fault) => Some((attempt.submission, fault)),
        _ => None,
    });
    if let Some((submission, fault)) = open {
        mark.standing = Standing::Open(submission);
        mark.points = None;
        mark.formula = format!("not judged yet, through no fault of the student: {fault}");
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
                Judged::Result { verdict, .. } => verdict,
                Judged::Fault(_) | Judged::Ignored => Verdict::WrongAnswer,
            };
            *bank = Bank(bank.0 - chosen.used);
            mark.standing = Standing::Attempt(attempts[index].submission, verdict);
            mark.points = Some(chosen.points);
            mark.max = chosen.max;
            mark.formula = chosen.formula;
        }
    }
    if let Some(by_hand) = by_hand {
        if let Some(points) = by_hand.mark {
            mark.formula = format!("{points} by hand, in place of {}", mark.formula);
            mark.points = Some(points);
        }
        mark.comment.clone_from(&by_hand.comment);
    }
    mark
}

/// The total: every mark times its weight, and what was marked by hand. None while a mark is open.
pub fn total(policy: &Policy, marks: &[Mark], by_hand: &[Score]) -> Option<Score> {
    let mut sum = Score::ZERO;
    for (mark, worth) in marks.iter().zip(&policy.problems) {
        sum = sum.plus(part(mark.points?, worth.weight.as_thousandths(), 1_000));
    }
    Some(by_hand.iter().copied().fold(sum, Score::plus))
}

/// How the total is made, for people.
pub fn total_formula(policy: &Policy, problems: &[&str]) -> String {
    let weighed = problems.iter().zip(&policy.problems).map(|(id, worth)| match worth.weight == Score::points(1) {
        true => (*id).to_owned(),
        false => format!("{} × {id}", worth.weight),
    });
    weighed.chain(policy.rubric.iter().map(|(name, _)| name.clone())).collect::<Vec<_>>().join(" + ")
}

/// Later dates for some: by student, and by problem where it is said.
pub type Extensions = BTreeMap<(String, Option<usize>), i64>;

/// When a problem is due for a student.
pub fn due(policy: &Policy, extensions: &Extensions, student: &str, problem: usize) -> Option<i64> {
    let of = |problem| extensions.get(&(student.to_owned(), problem)).copied();
    of(Some(problem)).or_else(|| of(None)).or(policy.problems[problem].due)
}

#[cfg(test)]
#[path = "marks_tests.rs"]
mod tests;
