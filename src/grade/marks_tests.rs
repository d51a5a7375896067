//! Example tests and property tests of marks.

use proptest::prelude::*;

use super::*;
use crate::model::TimeSpan;

const DAY: i64 = 86_400;

fn policy(late: Option<Late>) -> Policy {
    Policy { late, ..Policy::plain(2) }
}

fn late() -> Late {
    Late { grace: TimeSpan::seconds(600), per: TimeSpan::seconds(86_400), off: 10, cap: 35, bank: 0 }
}

fn attempt(submission: usize, at: i64, points: u32) -> Attempt {
    let verdict = if points == 100 { Verdict::Accepted } else { Verdict::WrongAnswer };
    let result = AttemptResult::Result {
        verdict,
        score: Score::points(points),
        max: Score::points(100),
        cases: (points as usize, 100),
    };
    Attempt { submission, at: Some(at), result }
}

fn marked(policy: &Policy, due: Option<i64>, attempts: &[Attempt]) -> Mark {
    mark(policy, 0, due, Score::points(100), attempts, None, &mut Bank::of(policy))
}

#[test]
fn lateness_counts_started_steps() {
    for (over, expected) in [(-5, 0), (0, 0), (600, 0), (601, 1), (DAY, 1), (DAY + 1, 2), (10 * DAY, 10)] {
        assert_eq!(steps(&late(), 1_000_000, 1_000_000 + over), expected, "{over}");
    }
    let policy = policy(Some(late()));
    for (over, points) in [(0, 100), (700, 90), (DAY + 1, 80), (9 * DAY, 65)] {
        let mark = marked(&policy, Some(0), &[attempt(3, over, 100)]);
        assert_eq!(mark.points, Some(Score::points(points)), "{over}: {}", mark.formula);
    }
}

#[test]
fn lateness_is_told_with_the_deduction() {
    let late_by = |policy: &Policy, over| marked(policy, Some(0), &[attempt(0, over, 100)]).late;
    let with_deduction = policy(Some(late()));
    assert_eq!(late_by(&with_deduction, 600), None, "within the grace period");
    let day = late_by(&with_deduction, DAY + 7_200).unwrap();
    assert_eq!((day, day.to_string().as_str()), (Lateness { seconds: 93_600, percent: 20 }, "1 d 2 h late, −20 %"));
    assert_eq!(late_by(&policy(None), 0), None);
    assert_eq!(late_by(&policy(None), 60), Some(Lateness { seconds: 60, percent: 0 }));
}

#[test]
fn bank_covers_first_steps() {
    let policy = policy(Some(Late { bank: 3, ..late() }));
    let mut bank = Bank::of(&policy);
    let mut next =
        |over| mark(&policy, 0, Some(0), Score::points(100), &[attempt(0, over, 100)], None, &mut bank).points;
    assert_eq!(next(2 * DAY), Some(Score::points(100)));
    assert_eq!(next(2 * DAY), Some(Score::points(90)));
    assert_eq!(next(2 * DAY), Some(Score::points(80)));
}

#[test]
fn best_attempt_after_lateness_counts_and_newest_of_equal_ones() {
    let policy = Policy { select: Select::Best, ..policy(Some(late())) };
    let attempts = [attempt(0, 0, 80), attempt(1, 700, 90), attempt(2, 800, 50)];
    assert_eq!(marked(&policy, Some(0), &attempts).standing, Standing::Attempt(1, Verdict::WrongAnswer));
    assert_eq!(marked(&policy, Some(0), &attempts[..2]).points, Some(Score::points(81)));
    let same = [attempt(0, 0, 80), attempt(1, 0, 80)];
    assert_eq!(marked(&policy, Some(0), &same).standing, Standing::Attempt(1, Verdict::WrongAnswer));
}

#[test]
fn only_attempts_that_can_count_are_judged() {
    let times = [Some(1), Some(5), Some(9)];
    assert_eq!(needed(Select::Last, Some(5), &times), [false, false, true]);
    assert_eq!(needed(Select::Best, Some(5), &times), [true, true, true]);
    assert_eq!(needed(Select::BestBeforeDue, Some(5), &times), [true, true, false]);
    assert_eq!(needed(Select::BestBeforeDue, Some(0), &times), [false, false, true]);
    assert_eq!(needed(Select::Last, None, &[]), Vec::<bool>::new());
}

#[test]
fn failure_of_judge_keeps_mark_open() {
    let fault = Attempt { submission: 1, at: None, result: AttemptResult::Fault("no Python".to_owned()) };
    let open = marked(&policy(None), None, &[attempt(0, 0, 100), fault]);
    assert_eq!((open.standing, open.points), (Standing::Open(1), None));
    assert_eq!(open.formula, "not judged (no Python)");
    let pending = Attempt { submission: 1, at: None, result: AttemptResult::Pending };
    let waiting = marked(&policy(None), None, &[attempt(0, 0, 100), pending]);
    assert_eq!((waiting.standing, waiting.points), (Standing::Open(1), None));
    assert_eq!(waiting.formula, "not judged yet");
    assert_eq!(total(&policy(None), &[open, marked(&policy(None), None, &[])], &[]), None);
}

#[test]
fn partial_credit_weights_and_points_are_exact() {
    let mut policy = Policy { partial: true, ..policy(None) };
    policy.problems[0].points = Some(Score::points(20));
    policy.problems[0].weight = Score::thousandths(1_500);
    let result = AttemptResult::Result {
        verdict: Verdict::WrongAnswer,
        score: Score::ZERO,
        max: Score::points(100),
        cases: (1, 3),
    };
    let first = marked(&policy, None, &[Attempt { submission: 0, at: None, result }]);
    assert_eq!(first.points, Some(Score::thousandths(6_666)));
    assert_eq!(first.formula, "100 × 1/3 cases × 20/100");
    let second = marked(&policy, None, &[]);
    assert_eq!(total(&policy, &[first, second], &[Score::points(2)]), Some(Score::thousandths(11_999)));
    assert_eq!(total_formula(&policy, &["a", "b"]), "1.5 × a + b");
}

#[test]
fn manual_mark_replaces_computed_mark() {
    let by_hand = Override { mark: Some(Score::points(7)), comment: Some("copied".to_owned()) };
    let policy = policy(None);
    let attempts = [attempt(0, 0, 100)];
    let mark = mark(&policy, 0, None, Score::points(100), &attempts, Some(&by_hand), &mut Bank::of(&policy));
    assert_eq!((mark.points, mark.comment.as_deref()), (Some(Score::points(7)), Some("copied")));
}

proptest! {
    #[test]
    fn mark_is_monotone_in_time_and_points(
        at in 0_i64..20 * DAY, later in 0_i64..20 * DAY, points in 0_u32..=100, more in 0_u32..=100, bank in 0_u64..4
    ) {
        let policy = policy(Some(Late { bank, ..late() }));
        let of = |at, points| marked(&policy, Some(5), &[attempt(0, at, points)]).points;
        prop_assert!(of(at + later, points) <= of(at, points));
        prop_assert!(of(at, points.min(more)) <= of(at, points.max(more)));
        prop_assert!(of(at, points) >= of(at, points).map(|_| Score::points(points)).map(|whole| part(whole, 65, 100)));
    }
}
