//! Computes the points of groups in the sinol format, and the reduced credit of programs that take more than half of
//! the time limit.

use crate::model::{Credit, Points, TimeSpan, Verdict, WorstCase};

use super::scoring::{CaseState, GroupOutcome};

/// The number of millionths in one point.
const WHOLE: i128 = 1_000_000;

/// The verdicts, from the worst to the best. The verdict of a group is the worst of its cases' verdicts.
const WORST: [Verdict; 11] = [
    Verdict::CompileError,
    Verdict::TimeLimit,
    Verdict::IdleLimit,
    Verdict::MemoryLimit,
    Verdict::RuntimeError,
    Verdict::Forbidden,
    Verdict::OutputLimit,
    Verdict::WrongAnswer,
    Verdict::PresentationError,
    Verdict::Partial,
    Verdict::Accepted,
];

/// Applies `rule` to the group whose cases are `own`, and returns the verdict and the points of the group. A case
/// without a result has credit 0.
pub(super) fn worst_case<'a>(own: &[usize], rule: &WorstCase, known: &dyn Fn(usize) -> CaseState<'a>) -> GroupOutcome {
    let (own_verdict, own_credit) = worst(own, known);
    let (other_verdict, other_credit) = worst(&rule.after, known);
    // The cases in `rule.after` affect the verdict only if they lower the points.
    let verdict = if other_credit < own_credit { lower(own_verdict, other_verdict) } else { own_verdict };
    let share =
        i128::from(Points::from(rule.most).as_millionths()) * i128::from(own_credit.min(other_credit).as_millionths());
    let unit = WHOLE * i128::from(Credit::FULL.as_millionths());
    let points = (share + unit - 1) / unit * WHOLE;
    GroupOutcome { verdict, points: Points::millionths(points as i64) }
}

/// Returns the worst verdict and the lowest credit of `cases`, or no verdict and full credit if there are no cases. A
/// case without a result has no verdict and credit 0.
fn worst<'a>(cases: &[usize], known: &dyn Fn(usize) -> CaseState<'a>) -> (Option<Verdict>, Credit) {
    let mut found = (None, Credit::FULL);
    for case in cases {
        let (verdict, credit) = match known(*case) {
            CaseState::Judged(result) => (Some(result.verdict), result.credit),
            CaseState::Nothing | CaseState::Skipped | CaseState::Failed => (None, Credit::NONE),
        };
        found = (lower(found.0, verdict), found.1.min(credit));
    }
    found
}

fn lower(one: Option<Verdict>, other: Option<Verdict>) -> Option<Verdict> {
    [one, other].into_iter().flatten().min_by_key(|verdict| WORST.iter().position(|worst| worst == verdict))
}

/// Returns the part of `credit` that a program earns if it took the time `time`. This part decreases in steps of 1 %,
/// linearly from `credit` at half of `limit` to 1 % at `limit`.
pub fn decayed(credit: Credit, time: TimeSpan, limit: TimeSpan) -> Credit {
    const PERCENT: u128 = Credit::FULL.as_millionths() as u128 / 100;
    let (time, limit) = (u128::from(time.as_micros()), u128::from(limit.as_micros()));
    if credit == Credit::NONE || 2 * time <= limit {
        return credit;
    }
    let above_one = u128::from(credit.as_millionths()).saturating_sub(PERCENT);
    let percents = 1 + above_one * 2 * limit.saturating_sub(time) / limit.max(1) / PERCENT;
    Credit::millionths((percents * PERCENT) as u32).min(credit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Capture, CaseId, CaseResult, Exit, Score, Usage};

    fn result(verdict: Verdict, percent: u32) -> CaseResult {
        CaseResult {
            case: CaseId::named("1a"),
            group: "group1".to_owned(),
            verdict,
            credit: Credit::millionths(percent * 10_000),
            points: None,
            usage: Usage::default(),
            exit: Exit::Code(0),
            stderr: Capture::default(),
            difference: None,
            message: None,
        }
    }

    #[test]
    fn the_worst_case_decides_and_points_are_rounded_up() {
        use Verdict::{Accepted, Partial, RuntimeError, WrongAnswer};
        let results = [result(Accepted, 100), result(Partial, 50), result(WrongAnswer, 0), result(RuntimeError, 0)];
        let graded = |own: &[usize], after: &[usize]| {
            let rule = WorstCase { most: Score::points(25), after: after.to_vec() };
            let known = |index: usize| results.get(index).map_or(CaseState::Skipped, CaseState::Judged);
            let GroupOutcome { verdict, points } = worst_case(own, &rule, &known);
            (verdict, points.score().as_points())
        };
        assert_eq!(graded(&[0], &[]), (Some(Accepted), 25.0));
        assert_eq!(graded(&[0, 1], &[]), (Some(Partial), 13.0));
        assert_eq!(graded(&[0, 2, 3], &[]), (Some(RuntimeError), 0.0));
        assert_eq!(graded(&[0], &[1]), (Some(Partial), 13.0), "another group lowers the points");
        assert_eq!(graded(&[2], &[3]), (Some(WrongAnswer), 0.0), "the other group changes nothing");
        assert_eq!(graded(&[0, 9], &[]), (Some(Accepted), 0.0), "a skipped case earns nothing");
    }

    #[test]
    fn credit_decreases_from_half_of_the_limit_to_one_percent() {
        let at =
            |millis| decayed(Credit::FULL, TimeSpan::millis(millis), TimeSpan::seconds(1)).as_millionths() / 10_000;
        assert_eq!([0, 500, 501, 750, 990, 1_000, 1_200].map(at), [100, 100, 99, 50, 2, 1, 1]);
        let half = |millis| decayed(Credit::millionths(500_000), TimeSpan::millis(millis), TimeSpan::seconds(1));
        assert_eq!(half(750), Credit::millionths(250_000));
        assert_eq!(decayed(Credit::NONE, TimeSpan::seconds(1), TimeSpan::seconds(1)), Credit::NONE);
    }
}
