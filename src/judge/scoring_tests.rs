//! Tests of scoring on trees as in real packages, and property tests on random trees.

use super::*;
use crate::model::{Capture, CaseId, Exit, Score, Usage};
use proptest::prelude::*;

fn result(verdict: Verdict, points: Option<i64>) -> CaseResult {
    CaseResult {
        case: CaseId::named("c"),
        group: "g".to_owned(),
        verdict,
        credit: if verdict.accepted() { Credit::FULL } else { Credit::NONE },
        points: points.map(|points| Points::thousandths(points * 1_000)),
        usage: Usage::default(),
        exit: Exit::Code(0),
        stderr: Capture::default(),
        difference: None,
        message: None,
    }
}

/// Converts letters to results: `A` accepted, `W` wrong, `T` too slow, `R` crashed, `-` skipped.
fn results(letters: &str) -> Vec<Option<CaseResult>> {
    let one = |letter| match letter {
        'A' => Some(result(Verdict::Accepted, None)),
        'W' => Some(result(Verdict::WrongAnswer, None)),
        'T' => Some(result(Verdict::TimeLimit, None)),
        'R' => Some(result(Verdict::RuntimeError, None)),
        _ => None,
    };
    letters.chars().map(one).collect()
}

fn known<'a>(results: &'a [Option<CaseResult>]) -> impl Fn(usize) -> CaseState<'a> {
    move |case| results.get(case).and_then(Option::as_ref).map_or(CaseState::Skipped, CaseState::Judged)
}

/// Scores a tree without a custom grader.
fn grade<'a>(group: &Grading, known: &dyn Fn(usize) -> CaseState<'a>) -> GroupOutcome {
    super::grade(group, known, &|_| None)
}

fn skip_reason<'a>(root: &Grading, case: usize, known: &dyn Fn(usize) -> CaseState<'a>) -> Option<String> {
    super::skip_reason(root, case, known, &|_| None)
}

fn graded(tree: &Grading, letters: &str) -> (Option<Verdict>, i64) {
    let results = results(letters);
    let graded = grade(tree, &known(&results));
    (graded.verdict, graded.points.as_millionths() / 1_000_000)
}

#[test]
fn a_group_without_points_has_no_part_in_the_least() {
    let aggregate = |kind, most: Option<u32>| {
        let most = most.map(Score::points);
        Rule::Aggregate(Aggregate { kind, most, require: Vec::new(), scored: true, text: None })
    };
    let inner = |name: &str, most, case| {
        let rule = aggregate(AggregateKind::PassFail, most);
        Part::Group(Grading { name: name.to_owned(), rule, parts: vec![Part::Case(case)] })
    };
    let parts = vec![inner("beside", None, 0), inner("a", Some(30), 1), inner("b", Some(50), 2)];
    let tree = Grading { name: "secret".to_owned(), rule: aggregate(AggregateKind::Least, Some(100)), parts };
    assert_eq!(graded(&tree, "AAA"), (Some(Verdict::Accepted), 30));
    assert_eq!(graded(&tree, "WAA"), (Some(Verdict::WrongAnswer), 30));
    assert_eq!(max_points(&tree), Points::from(Score::points(100)));
    let Part::Group(leaf) = &tree.parts[1] else { panic!() };
    assert_eq!(max_points(leaf), Points::from(Score::points(30)), "a group with cases only has its own maximum");
}

fn grader() -> Grader {
    Grader { stop: false, ..Grader::default() }
}

fn group(name: &str, rule: Rule, parts: Vec<Part>) -> Grading {
    Grading { name: name.to_owned(), rule, parts }
}

fn cases(range: std::ops::Range<usize>) -> Vec<Part> {
    range.map(Part::Case).collect()
}

/// Returns a tree as in most scoring packages of the legacy format: one sample, and groups of 30 and 70 points.
fn usual() -> Grading {
    let part = |name: &str, points: i64, range| {
        let accept_score = Points::thousandths(points * 1_000);
        let rule = Grader { stop: true, score: ScoreMode::Least, accept_score, ..grader() };
        Part::Group(group(name, Rule::Grader(rule), cases(range)))
    };
    let sample = Grader { verdict: VerdictMode::First, accept_score: Points::ZERO, ..grader() };
    let secret = Grader { verdict: VerdictMode::First, accept_if_any: true, ..grader() };
    let root =
        Grader { ignore_sample: true, range: (Some(Points::ZERO), Some(Points::thousandths(100_000))), ..grader() };
    let secret = group("secret", Rule::Grader(secret), vec![part("secret/a", 30, 1..3), part("secret/b", 70, 3..5)]);
    let sample = group("sample", Rule::Grader(sample), cases(0..1));
    group("", Rule::Grader(root), vec![Part::Group(sample), Part::Group(secret)])
}

/// Returns the answer of a custom grader: half of the points, with the verdict wrong answer if any part failed, and
/// accepted otherwise.
fn halving(question: &GraderQuestion) -> Option<GroupOutcome> {
    let sum: i64 = question.results.iter().map(|(_, points)| points.as_millionths()).sum();
    let failed = question.results.iter().any(|(verdict, _)| !verdict.accepted());
    let verdict = if failed { Verdict::WrongAnswer } else { Verdict::Accepted };
    Some(GroupOutcome { verdict: Some(verdict), points: Points::millionths(sum / 2) })
}

#[test]
fn a_grader_of_the_package_is_asked_from_the_inside_and_decides() {
    let own = |flags: &str, stop| {
        let accept_score = Points::thousandths(8_000);
        let program = Some(flags.split_whitespace().map(str::to_owned).collect());
        Rule::Grader(Grader { program, stop, accept_score, ignore_sample: true, ..grader() })
    };
    let inner = group("secret/a", own("x y", true), vec![Part::Case(0), Part::Case(1)]);
    let tree = group("", own("", false), vec![Part::Group(inner), Part::Case(2)]);
    let all = results("ATA");
    let asked = |results: &[Option<CaseResult>], said: GraderAnswers<'_>| question(&tree, &known(results), said);
    // No question is asked about a group while results of its cases are unknown.
    let waiting =
        |case: usize| if case == 0 { CaseState::Judged(all[0].as_ref().unwrap()) } else { CaseState::Nothing };
    assert_eq!(question(&tree, &waiting, &|_| None), None);
    let first = asked(&all, &|_| None).unwrap();
    assert_eq!((first.flags.join(" "), first.text()), ("x y".to_owned(), "AC 8\nTLE 0\n".to_owned()));
    let second = asked(&all, &|question| halving(question).filter(|_| *question == first)).unwrap();
    assert_eq!((second.flags.len(), second.text()), (0, "WA 4\nAC 8\n".to_owned()));
    assert_eq!(asked(&all, &halving), None);
    let whole = super::grade(&tree, &known(&all), &halving);
    assert_eq!((whole.verdict, whole.points), (Some(Verdict::WrongAnswer), Points::thousandths(6_000)));
    assert_eq!(super::grade(&tree, &known(&all), &|_| None).verdict, None);
    assert_eq!(asked(&results("---"), &|_| None), None, "nothing was run");
}

#[test]
fn nobody_is_graded_by_a_group_without_cases() {
    for (score, points) in [(ScoreMode::Least, 1), (ScoreMode::Average, 1), (ScoreMode::Sum, 1)] {
        let rule = || Rule::Grader(Grader { score, ..grader() });
        let empty = Part::Group(group("sample", rule(), Vec::new()));
        let tree = group("", rule(), vec![empty, Part::Group(group("secret", rule(), cases(0..1)))]);
        assert_eq!(graded(&tree, "A"), (Some(Verdict::Accepted), points), "{score:?}");
        assert_eq!(max_points(&tree), Points::thousandths(1_000), "{score:?}");
    }
}

#[test]
fn the_usual_tree_adds_up_the_groups_that_are_solved() {
    let tree = usual();
    assert_eq!(max_points(&tree), Points::thousandths(100_000));
    assert_eq!(graded(&tree, "AAAAA"), (Some(Verdict::Accepted), 100));
    assert_eq!(graded(&tree, "WAAAA"), (Some(Verdict::Accepted), 100));
    assert_eq!(graded(&tree, "AAAW-"), (Some(Verdict::Accepted), 30));
    assert_eq!(graded(&tree, "AAWAA"), (Some(Verdict::Accepted), 70));
    assert_eq!(graded(&tree, "AT-W-"), (Some(Verdict::TimeLimit), 0));
    // Cases after the part at which a group stops do not count.
    assert_eq!(graded(&tree, "AAAWA"), graded(&tree, "AAAW-"));
}

#[test]
fn a_case_is_left_out_behind_the_first_failure_of_its_group() {
    let tree = usual();
    let reason = |letters: &str, case| {
        let results = results(letters);
        skip_reason(&tree, case, &known(&results))
    };
    assert_eq!(reason("WAAAA", 1), None);
    assert_eq!(reason("AWAAA", 3), None);
    assert!(reason("AW", 2).is_some());
    let stopping = Rule::Grader(Grader { stop: true, ..grader() });
    let tree = group("", stopping, vec![Part::Group(usual()), Part::Case(5)]);
    assert_eq!(skip_reason(&tree, 5, &known(&results("AAAW-"))), None, "the group was accepted");
    assert!(skip_reason(&tree, 5, &known(&results("AW-W-"))).is_some());
}

#[test]
fn modes_of_the_default_grader() {
    let with = |rule| group("", Rule::Grader(rule), cases(0..3));
    let worst = with(grader());
    assert_eq!(graded(&worst, "WTR"), (Some(Verdict::RuntimeError), 0));
    assert_eq!(graded(&worst, "AWT"), (Some(Verdict::TimeLimit), 1));
    assert_eq!(graded(&with(Grader { verdict: VerdictMode::First, ..grader() }), "AWT").0, Some(Verdict::WrongAnswer));
    assert_eq!(graded(&with(Grader { verdict: VerdictMode::Accept, ..grader() }), "WWW").0, Some(Verdict::Accepted));
    let average = Grader { score: ScoreMode::Average, accept_score: Points::thousandths(9_000), ..grader() };
    assert_eq!(graded(&with(average), "AAW").1, 6);
    let most = Grader { score: ScoreMode::Most, reject_score: Points::thousandths(-5_000), ..grader() };
    assert_eq!(graded(&with(most), "WWW").1, -5);
    assert_eq!(graded(&group("", Rule::Grader(grader()), Vec::new()), "").0, Some(Verdict::Accepted));
    assert_eq!(graded(&worst, "---").0, None);
}

#[test]
fn a_validators_points_stand_for_the_usual_ones() {
    let tree = group("", Rule::Grader(grader()), cases(0..2));
    let results = [Some(result(Verdict::Accepted, Some(7))), Some(result(Verdict::Accepted, None))];
    assert_eq!(grade(&tree, &known(&results)).points, Points::thousandths(8_000));
}

/// Returns a tree as in a package for DOMjudge: a sample without points, a group of 25 points, and a group whose points
/// are the average of two inner groups of 20 and 40 points.
fn domjudge() -> Grading {
    let rule = |basis, points: i64, score| {
        let accept_score = Points::thousandths(points * 1_000);
        Rule::Grader(Grader { verdict: VerdictMode::First, basis, accept_score, score, ..grader() })
    };
    let leaf = |name: &str, points, range| {
        Part::Group(group(name, rule(ScoreBasis::Group, points, ScoreMode::Sum), cases(range)))
    };
    let inner = vec![leaf("secret/b/1", 20, 3..5), leaf("secret/b/2", 40, 5..6)];
    let average = Part::Group(group("secret/b", rule(ScoreBasis::Group, 0, ScoreMode::Average), inner));
    let sum = || rule(ScoreBasis::Group, 0, ScoreMode::Sum);
    let secret = Part::Group(group("secret", sum(), vec![leaf("secret/a", 25, 1..3), average]));
    let sample = Part::Group(group("sample", rule(ScoreBasis::Nothing, 0, ScoreMode::Sum), cases(0..1)));
    group("", sum(), vec![sample, secret])
}

#[test]
fn in_domjudge_a_group_earns_its_points_once_and_keeps_them() {
    let tree = domjudge();
    assert_eq!(max_points(&tree), Points::thousandths(55_000));
    assert_eq!(graded(&tree, "AAAAAA"), (Some(Verdict::Accepted), 55));
    assert_eq!(graded(&tree, "AATAAA"), (Some(Verdict::TimeLimit), 30), "one case of `a` failed");
    assert_eq!(graded(&tree, "AAAAWA"), (Some(Verdict::WrongAnswer), 45), "one case of `b/1` failed");
    assert_eq!(graded(&tree, "WAAAAA"), (Some(Verdict::Accepted), 55), "samples do not count");
    assert_eq!(graded(&tree, "AA-AAA"), (Some(Verdict::Accepted), 30), "`a` has a case without a result");
}

#[test]
fn in_domjudge_the_points_of_a_validator_replace_those_of_the_group() {
    let tree = domjudge();
    let mut results = results("AAAAAT");
    results[0] = Some(result(Verdict::Accepted, Some(9)));
    results[1] = Some(result(Verdict::Accepted, Some(3)));
    assert_eq!(grade(&tree, &known(&results)).points, Points::thousandths(13_000), "3 + (20 + 0) / 2");
}

#[test]
fn in_domjudge_the_points_of_rejected_cases_count_too() {
    let with = |score, stop| {
        group("", Rule::Grader(Grader { score, stop, basis: ScoreBasis::Group, ..grader() }), cases(0..3))
    };
    let results = [
        Some(result(Verdict::Accepted, Some(80))),
        Some(result(Verdict::WrongAnswer, Some(1))),
        Some(result(Verdict::Accepted, Some(30))),
    ];
    let points = |score, stop| grade(&with(score, stop), &known(&results)).points;
    assert_eq!(points(ScoreMode::Least, false), Points::thousandths(1_000));
    assert_eq!(points(ScoreMode::Sum, false), Points::thousandths(111_000));
    assert_eq!(points(ScoreMode::Sum, true), Points::thousandths(81_000), "the group ends at the failure");
}

#[test]
fn in_domjudge_inner_folders_that_do_not_count_have_no_effect() {
    let basis = |basis| Rule::Grader(Grader { basis, accept_score: Points::thousandths(100_000), ..grader() });
    let inner = |range| Part::Group(group("extra", basis(ScoreBasis::Nothing), cases(range)));
    let tree = group("", basis(ScoreBasis::Group), vec![Part::Case(0), inner(1..2)]);
    assert_eq!(graded(&tree, "AW"), (Some(Verdict::Accepted), 100));
    assert_eq!(graded(&tree, "WA"), (Some(Verdict::WrongAnswer), 0));
    let empty = group("", basis(ScoreBasis::Group), vec![inner(0..2)]);
    assert_eq!((graded(&empty, "AA").1, max_points(&empty)), (0, Points::ZERO), "a group without cases earns nothing");
}

#[test]
fn in_domjudge_cases_beside_groups_are_ignored() {
    let Part::Group(mut secret) = domjudge().parts.remove(1) else { panic!() };
    secret.parts.push(Part::Case(6));
    assert_eq!(graded(&secret, "AAAAAAW"), (Some(Verdict::Accepted), 55));
    assert_eq!(max_points(&secret), Points::thousandths(55_000));
}

fn new_group(kind: AggregateKind, most: Option<u32>, parts: Vec<Part>, require: Vec<Requirement>) -> Grading {
    let rule = Aggregate { kind, most: most.map(Score::points), require, scored: true, text: None };
    group("g", Rule::Aggregate(rule), parts)
}

#[test]
fn aggregations_of_the_new_version() {
    let thirds = new_group(AggregateKind::Sum, Some(100), cases(0..3), vec![]);
    assert_eq!(graded(&thirds, "AAA"), (Some(Verdict::Accepted), 100));
    assert_eq!(graded(&thirds, "AWA"), (Some(Verdict::WrongAnswer), 66));
    let all = new_group(AggregateKind::PassFail, Some(40), cases(0..3), vec![]);
    assert_eq!((graded(&all, "AAA").1, graded(&all, "AAW").1, graded(&all, "AA-").1), (40, 0, 0));
    let least = new_group(AggregateKind::Least, Some(40), cases(0..2), vec![]);
    let results = [Some(result(Verdict::Accepted, Some(12))), Some(result(Verdict::Accepted, Some(20)))];
    assert_eq!(grade(&least, &known(&results)).points, Points::thousandths(12_000));
    let unbounded = new_group(AggregateKind::Sum, None, cases(0..2), vec![]);
    assert_eq!(grade(&unbounded, &known(&results)).points, Points::thousandths(32_000));
}

#[test]
fn a_group_that_requires_another_is_left_out_without_it() {
    let second = new_group(
        AggregateKind::PassFail,
        Some(60),
        cases(1..2),
        vec![Requirement { cases: 0..1, part_passes: false }],
    );
    let first = new_group(AggregateKind::PassFail, Some(40), cases(0..1), vec![]);
    let root = new_group(AggregateKind::Sum, None, vec![Part::Group(first), Part::Group(second)], vec![]);
    assert_eq!(max_points(&root), Points::thousandths(100_000));
    assert_eq!(skip_reason(&root, 1, &known(&results("A"))), None);
    assert!(skip_reason(&root, 1, &known(&results("W"))).is_some());
    assert_eq!(graded(&root, "W-"), (Some(Verdict::WrongAnswer), 0));
    assert_eq!(graded(&root, "AA"), (Some(Verdict::Accepted), 100));
}

/// Creates a tree over `count` cases in order, whose shape is derived from random numbers.
pub(in crate::judge) fn tree_of(count: usize, shape: &[u8]) -> Grading {
    let mut next = 0;
    let mut parts = Vec::new();
    for &byte in shape {
        let take = usize::from(byte % 4).min(count - next);
        let inner = cases(next..next + take);
        next += take;
        let score = [ScoreMode::Sum, ScoreMode::Least, ScoreMode::Most, ScoreMode::Average][usize::from(byte / 4 % 4)];
        let verdict = [VerdictMode::Worst, VerdictMode::First, VerdictMode::Accept][usize::from(byte / 16 % 3)];
        let basis = [ScoreBasis::Case, ScoreBasis::Group, ScoreBasis::Nothing][usize::from(byte / 3 % 3)];
        let (stop, accept_if_any) = (byte & 64 != 0, byte & 128 != 0);
        let rule = Grader { verdict, score, basis, stop, accept_if_any, ..grader() };
        match byte % 5 {
            0 => parts.extend(inner),
            _ => parts.push(Part::Group(group(&format!("g{next}"), Rule::Grader(rule), inner))),
        }
    }
    parts.extend(cases(next..count));
    let stop = shape.first().is_some_and(|byte| byte & 1 == 1);
    group("", Rule::Grader(Grader { stop, ..grader() }), parts)
}

proptest! {
    /// Results of skipped cases do not count, so the number of cases that were run ahead of time has no effect.
    #[test]
    fn what_is_left_out_does_not_count(shape in prop::collection::vec(any::<u8>(), 0..6), letters in "[AWTR]{1,12}") {
        let tree = tree_of(letters.len(), &shape);
        let all = results(&letters);
        let mut kept = all.clone();
        for case in 0..kept.len() {
            let before: Vec<Option<CaseResult>> = kept[..case].to_vec();
            if skip_reason(&tree, case, &known(&before)).is_some() {
                kept[case] = None;
            }
        }
        let (whole, cut) = (grade(&tree, &known(&all)), grade(&tree, &known(&kept)));
        prop_assert_eq!(whole, cut);
    }

    /// Accepting one more case never lowers the score if the points of each group are the sum or the minimum of its
    /// cases' points.
    #[test]
    fn more_accepted_cases_are_never_worse(letters in "[AW]{5}", at in 0_usize..5) {
        let tree = usual();
        let better: String = letters.chars().enumerate().map(|(i, c)| if i == at { 'A' } else { c }).collect();
        prop_assert!(graded(&tree, &better).1 >= graded(&tree, &letters).1);
    }
}

#[test]
fn a_part_of_the_points_passes_a_case_where_the_requirement_says_so() {
    for kind in [AggregateKind::Sum, AggregateKind::Least, AggregateKind::PassFail] {
        for part_passes in [false, true] {
            let first = new_group(kind, Some(40), cases(0..1), vec![]);
            let require = vec![Requirement { cases: 0..1, part_passes }];
            let second = new_group(AggregateKind::Sum, Some(60), cases(1..2), require);
            let root = new_group(AggregateKind::Sum, None, vec![Part::Group(first), Part::Group(second)], vec![]);
            let half = CaseResult { credit: Credit::millionths(500_000), ..result(Verdict::Partial, None) };
            let results = [Some(half), Some(result(Verdict::Accepted, None))];
            assert_eq!(skip_reason(&root, 1, &known(&results)).is_none(), part_passes, "{kind:?}");
            let earned = if kind == AggregateKind::PassFail { 60_000 } else { 80_000 };
            assert_eq!(grade(&root, &known(&results)).points, Points::thousandths(earned), "partial credit counts");
            assert!(skip_reason(&root, 1, &known(&[Some(result(Verdict::WrongAnswer, None))])).is_some());
            assert!(skip_reason(&root, 1, &|_| CaseState::Skipped).is_some());
            assert_eq!(skip_reason(&root, 1, &|_| CaseState::Nothing), None);
        }
    }
}
