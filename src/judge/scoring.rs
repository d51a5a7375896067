//! Computes the results of a tree of test groups from the results of cases. All functions depend only on the tree, the
//! states of cases and the custom grader's answers, so they return the same results during a run and at its end.

use crate::model::{
    Aggregate, AggregateKind, CaseResult, Credit, Grader, Grading, Part, Points, Requirement, Rule, ScoreBasis,
    ScoreMode, Verdict, VerdictMode,
};

use super::custom_grader::GraderQuestion;
use super::worst_case::worst_case;

/// The state of a case during a run, reduced to the information that scoring requires.
#[derive(Debug, Clone, Copy)]
pub enum CaseState<'a> {
    /// No result is known yet.
    Nothing,
    /// The case was skipped.
    Skipped,
    /// The judge failed on the case.
    Failed,
    /// The case was judged.
    Judged(&'a CaseResult),
}

/// A function that returns the custom grader's answer to a question; `None` if the question is not answered yet.
pub type GraderAnswers<'f> = &'f dyn Fn(&GraderQuestion) -> Option<GroupOutcome>;

/// The result of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GroupOutcome {
    /// The verdict; `None` if no case of the group was judged, or if the custom grader failed or has not answered yet.
    pub verdict: Option<Verdict>,
    /// The points that the group earns.
    pub points: Points,
}

/// Computes the result of a group by its rule. `known` returns the state of a case by its index, and `said` returns the
/// custom grader's answer to a question.
pub fn grade<'a>(group: &Grading, known: &dyn Fn(usize) -> CaseState<'a>, said: GraderAnswers<'_>) -> GroupOutcome {
    match &group.rule {
        Rule::Grader(rule) => by_grader(group, rule, known, said),
        Rule::Aggregate(rule) => aggregate(group, rule, known, said),
        Rule::WorstCase(rule) => worst_case(&group.cases(), rule, known),
    }
}

/// Returns the next unanswered question for the custom grader about a group whose cases all have results; `None` if
/// there is none. Questions about inner groups precede questions about the groups that contain them.
pub(super) fn question<'a>(
    group: &Grading,
    known: &dyn Fn(usize) -> CaseState<'a>,
    said: GraderAnswers<'_>,
) -> Option<GraderQuestion> {
    let inner = group.parts.iter().find_map(|part| match part {
        Part::Group(inner) => question(inner, known, said),
        Part::Case(_) => None,
    });
    let Rule::Grader(Grader { program: Some(flags), .. }) = &group.rule else { return inner };
    let settled =
        || group.cases().into_iter().all(|case| !matches!(known(case), CaseState::Nothing | CaseState::Failed));
    if inner.is_some() || !settled() {
        return inner;
    }
    let question = asked(group, flags, known, said);
    (!question.results.is_empty() && said(&question).is_none()).then_some(question)
}

/// Returns the reason why a case is skipped, given the states of the cases before it; `None` if the case is run.
///
/// Cases without a result count as accepted, so that a case can be started before earlier cases have ended.
pub(super) fn skip_reason<'a>(
    root: &Grading,
    case: usize,
    known: &dyn Fn(usize) -> CaseState<'a>,
    said: GraderAnswers<'_>,
) -> Option<String> {
    let mut group = root;
    loop {
        if let Rule::Aggregate(rule) = &group.rule
            && rule.require.iter().any(|one| one.cases.clone().any(|case| failed(one, known(case))))
        {
            return Some(format!("a case that group {} requires was not accepted", shown(group)));
        }
        let mut inside = None;
        for part in &group.parts {
            match part {
                Part::Case(index) if *index == case => return None,
                Part::Group(inner) if contains(inner, case) => {
                    inside = Some(inner);
                    break;
                }
                _ if !stops(&group.rule) || !counts(group, part) => {}
                Part::Case(index) => {
                    if let CaseState::Judged(result) = known(*index)
                        && !result.verdict.accepted()
                    {
                        return Some(format!("{} was not accepted", result.case));
                    }
                    if matches!(known(*index), CaseState::Failed) {
                        return Some("an earlier case could not be judged".to_owned());
                    }
                }
                Part::Group(inner) => {
                    let whole = inner.cases().iter().all(|&case| !matches!(known(case), CaseState::Nothing));
                    let graded = grade(inner, known, said);
                    if whole && graded.verdict.is_some_and(|verdict| !verdict.accepted()) {
                        return Some(format!("group {} was not accepted", shown(inner)));
                    }
                }
            }
        }
        group = inside?;
    }
}

/// Returns true if the rejection of the case `before` without credit determines the points and the verdict of the group
/// of `case`, regardless of the result of `case`. For this, both must be cases of the same group, whose points must not
/// be a sum, and every group that requires `case` must also require `before`.
pub(super) fn settles(root: &Grading, before: usize, case: usize) -> bool {
    group_of(root, case).is_some_and(|group| {
        let Rule::Aggregate(rule) = &group.rule else { return false };
        let adds_up = !matches!(rule.kind, AggregateKind::PassFail | AggregateKind::Least) || rule.text.is_some();
        let together = group.parts.iter().any(|part| matches!(part, Part::Case(index) if *index == before));
        together && rule.scored && !adds_up
    }) && is_required_with(root, before, case)
}

/// Returns the innermost group that contains a case; `None` if the case is not in the tree.
fn group_of(group: &Grading, case: usize) -> Option<&Grading> {
    group.parts.iter().find_map(|part| match part {
        Part::Case(index) => (*index == case).then_some(group),
        Part::Group(inner) => group_of(inner, case),
    })
}

/// Returns true if every requirement in the tree that includes `case` also includes `before`. Returns false if the rule
/// of a group is not an aggregation, since the other rules have no explicit requirements.
fn is_required_with(group: &Grading, before: usize, case: usize) -> bool {
    let Rule::Aggregate(rule) = &group.rule else { return false };
    rule.require.iter().all(|one| !one.cases.contains(&case) || one.cases.contains(&before))
        && group.parts.iter().all(|part| match part {
            Part::Group(inner) => is_required_with(inner, before, case),
            Part::Case(_) => true,
        })
}

/// Returns the maximum points of a group: the maximum that its rule sets or, without such a maximum, the combined
/// maximum points of its parts. In an aggregation, only inner groups and the case of `rule.text` have maximum points.
/// An aggregation without points has the maximum 0.
pub fn max_points(group: &Grading) -> Points {
    let rule = match &group.rule {
        Rule::Grader(rule) => return rule.range.1.unwrap_or_else(|| most_of_grader(group, rule)),
        Rule::Aggregate(rule) => rule,
        Rule::WorstCase(rule) => return rule.most.into(),
    };
    let inner = group.parts.iter().filter_map(|part| match part {
        Part::Group(inner) => Some(max_points(inner)),
        Part::Case(_) => None,
    });
    match rule.most {
        _ if !rule.scored => Points::ZERO,
        Some(most) => most.into(),
        None => inner.fold(rule.text.map_or(Points::ZERO, |(_, most)| most.into()), Points::plus),
    }
}

fn most_of_grader(group: &Grading, rule: &Grader) -> Points {
    let each = group.parts.iter().filter(|part| counts(group, part)).map(|part| match part {
        Part::Case(_) => rule.accept_score,
        Part::Group(group) => max_points(group),
    });
    let mut each: Vec<Points> = each.collect();
    match rule.basis {
        ScoreBasis::Case => {}
        ScoreBasis::Group if is_leaf(group) => each.truncate(1),
        ScoreBasis::Group => {}
        ScoreBasis::Nothing => each.clear(),
    }
    let from = if rule.ignore_sample { each.len().saturating_sub(1) } else { 0 };
    combined(rule.score, &each[from..])
}

/// Returns true if the result of `part` is included in the result of `group`, which contains it. A group without cases,
/// such as a group of samples that are only dialogues, has no result.
fn counts(group: &Grading, part: &Part) -> bool {
    let basis = |group: &Grading| match &group.rule {
        Rule::Grader(rule) => rule.basis,
        Rule::Aggregate(_) | Rule::WorstCase(_) => ScoreBasis::Case,
    };
    match part {
        // DOMjudge ignores the cases beside the inner groups.
        Part::Case(_) => basis(group) != ScoreBasis::Group || is_leaf(group),
        Part::Group(inner) => basis(inner) != ScoreBasis::Nothing && !inner.cases().is_empty(),
    }
}

/// Returns true if the group contains no inner group whose result counts.
fn is_leaf(group: &Grading) -> bool {
    !group.parts.iter().any(|part| matches!(part, Part::Group(_)) && counts(group, part))
}

fn shown(group: &Grading) -> &str {
    if group.name.is_empty() { "data" } else { &group.name }
}

fn contains(group: &Grading, case: usize) -> bool {
    group.parts.iter().any(|part| match part {
        Part::Case(index) => *index == case,
        Part::Group(inner) => contains(inner, case),
    })
}

fn stops(rule: &Rule) -> bool {
    matches!(rule, Rule::Grader(Grader { stop: true, .. }))
}

/// Returns true if a case whose state is `known` violates `requirement`. A case without a result does not violate it.
fn failed(requirement: &Requirement, known: CaseState<'_>) -> bool {
    match known {
        CaseState::Nothing => false,
        CaseState::Skipped | CaseState::Failed => true,
        CaseState::Judged(result) if result.verdict == Verdict::Partial => !requirement.part_passes,
        CaseState::Judged(result) => !result.verdict.accepted(),
    }
}

/// Creates the question for the custom grader about a group.
fn asked<'a>(
    group: &Grading,
    flags: &[String],
    known: &dyn Fn(usize) -> CaseState<'a>,
    said: GraderAnswers<'_>,
) -> GraderQuestion {
    let results = match &group.rule {
        Rule::Grader(rule) => ran(group, rule, known, said),
        Rule::Aggregate(_) | Rule::WorstCase(_) => Vec::new(),
    };
    GraderQuestion { flags: flags.to_vec(), results }
}

/// Returns the results of the parts that were judged, up to and including the part at which the group stops.
fn ran<'a>(
    group: &Grading,
    rule: &Grader,
    known: &dyn Fn(usize) -> CaseState<'a>,
    said: GraderAnswers<'_>,
) -> Vec<(Verdict, Points)> {
    let mut ran: Vec<(Verdict, Points)> = Vec::new();
    for part in group.parts.iter().filter(|part| counts(group, part)) {
        let result = match part {
            Part::Case(index) => match known(*index) {
                CaseState::Judged(result) => Some((result.verdict, points_of(result, rule))),
                _ => None,
            },
            Part::Group(inner) => {
                let graded = grade(inner, known, said);
                graded.verdict.map(|verdict| (verdict, graded.points))
            }
        };
        let Some((verdict, points)) = result else { continue };
        ran.push((verdict, points));
        if rule.stop && !verdict.accepted() {
            break;
        }
    }
    ran
}

/// Computes the result of a group by the package's custom grader if the group uses it and has results, otherwise by the
/// default grader.
fn by_grader<'a>(
    group: &Grading,
    rule: &Grader,
    known: &dyn Fn(usize) -> CaseState<'a>,
    said: GraderAnswers<'_>,
) -> GroupOutcome {
    if let Some(flags) = &rule.program {
        let question = asked(group, flags, known, said);
        if !question.results.is_empty() {
            return said(&question).unwrap_or(GroupOutcome { verdict: None, points: Points::ZERO });
        }
    }
    let mut ran = ran(group, rule, known, said);
    if rule.ignore_sample {
        let from = ran.len().saturating_sub(1);
        ran.drain(..from);
    }
    let any = group.cases().into_iter().any(|case| matches!(known(case), CaseState::Judged(_)));
    let points: Vec<Points> = match rule.basis {
        ScoreBasis::Group if is_leaf(group) => points_of_group(group, rule, known),
        ScoreBasis::Case | ScoreBasis::Group => ran.iter().map(|(_, points)| *points).collect(),
        ScoreBasis::Nothing => Vec::new(),
    };
    let verdict = verdict_of(rule, &ran);
    // A group without cases is accepted; a group with cases of which none was judged has no verdict.
    let verdict = (any || group.cases().is_empty()).then_some(verdict);
    GroupOutcome { verdict, points: combined(rule.score, &points) }
}

fn points_of(result: &CaseResult, rule: &Grader) -> Points {
    match (result.verdict.accepted(), result.points) {
        (true, points) => points.unwrap_or(rule.accept_score),
        (false, _) => rule.reject_score,
    }
}

/// Returns the points that the output validator awards for the cases of a group that earns points as a whole. If it
/// awards none, returns the points of the group.
fn points_of_group<'a>(group: &Grading, rule: &Grader, known: &dyn Fn(usize) -> CaseState<'a>) -> Vec<Points> {
    let cases = group.parts.iter().filter_map(|part| match part {
        Part::Case(case) => Some(*case),
        Part::Group(_) => None,
    });
    let (mut awarded, mut accepted, mut rejected) = (Vec::new(), false, false);
    for case in cases {
        match known(case) {
            CaseState::Judged(result) => {
                awarded.extend(result.points);
                accepted = true;
                rejected |= !result.verdict.accepted();
            }
            CaseState::Nothing | CaseState::Skipped | CaseState::Failed => rejected = true,
        }
        if rejected && rule.stop {
            break;
        }
    }
    if accepted && !rejected && awarded.is_empty() {
        awarded.push(rule.accept_score);
    }
    awarded
}

/// The verdicts other than accepted, in the order of the default grader: the worst first.
const WORST: [Verdict; 10] = [
    Verdict::Forbidden,
    Verdict::CompileError,
    Verdict::RuntimeError,
    Verdict::MemoryLimit,
    Verdict::TimeLimit,
    Verdict::IdleLimit,
    Verdict::OutputLimit,
    Verdict::WrongAnswer,
    Verdict::PresentationError,
    Verdict::Partial,
];

fn verdict_of(rule: &Grader, ran: &[(Verdict, Points)]) -> Verdict {
    let verdicts = || ran.iter().map(|(verdict, _)| *verdict);
    if rule.accept_if_any && verdicts().any(Verdict::accepted) {
        return Verdict::Accepted;
    }
    let rejected = || verdicts().filter(|verdict| !verdict.accepted());
    let found = match rule.verdict {
        VerdictMode::Accept => None,
        VerdictMode::First => rejected().next(),
        VerdictMode::Worst => rejected().min_by_key(|verdict| WORST.iter().position(|worst| worst == verdict)),
    };
    found.unwrap_or(Verdict::Accepted)
}

fn combined(mode: ScoreMode, points: &[Points]) -> Points {
    let sum = || points.iter().copied().fold(Points::ZERO, Points::plus);
    match mode {
        ScoreMode::Sum => sum(),
        ScoreMode::Average if points.is_empty() => Points::ZERO,
        ScoreMode::Average => {
            let count = points.len() as i128;
            let nearest = (i128::from(sum().as_millionths()) + count / 2).div_euclid(count);
            Points::millionths(nearest as i64)
        }
        ScoreMode::Least => points.iter().copied().min().unwrap_or_default(),
        ScoreMode::Most => points.iter().copied().max().unwrap_or_default(),
    }
}

/// Computes the result of a group by an aggregation of the ICPC format 2025-09. Skipped cases earn no points. A
/// pass-fail group with skipped cases earns none either, even if its verdict is accepted.
fn aggregate<'a>(
    group: &Grading,
    rule: &Aggregate,
    known: &dyn Fn(usize) -> CaseState<'a>,
    said: GraderAnswers<'_>,
) -> GroupOutcome {
    let cases = group.cases();
    let judged = cases.iter().filter_map(|&case| match known(case) {
        CaseState::Judged(result) => Some(result.verdict),
        _ => None,
    });
    let verdicts: Vec<Verdict> = judged.collect();
    let whole = verdicts.len() == cases.len();
    let rejected = verdicts.iter().copied().find(|verdict| !verdict.accepted() && *verdict != Verdict::Partial);
    let partial = verdicts.iter().copied().find(|verdict| !verdict.accepted());
    let verdict = match rejected.or(partial) {
        Some(verdict) => Some(verdict),
        None if verdicts.is_empty() && !cases.is_empty() => None,
        None => Some(Verdict::Accepted),
    };
    let all = whole && verdicts.iter().all(|verdict| verdict.accepted());
    let points = if rule.scored { points(group, rule, all, known, said) } else { Points::ZERO };
    GroupOutcome { verdict, points }
}

fn points<'a>(
    group: &Grading,
    rule: &Aggregate,
    all: bool,
    known: &dyn Fn(usize) -> CaseState<'a>,
    said: GraderAnswers<'_>,
) -> Points {
    let most: Points = rule.most.map_or(Points::ZERO, Points::from);
    if rule.kind == AggregateKind::PassFail {
        return if all { most } else { Points::ZERO };
    }
    let text = rule.text;
    let mut own: Vec<Points> = Vec::new();
    let mut shares: Vec<Credit> = Vec::new();
    for part in &group.parts {
        match part {
            // A pass-fail group without maximum points is not included in the minimum.
            Part::Group(inner) if rule.kind == AggregateKind::Least && is_worth_nothing(inner) => {}
            Part::Group(inner) => own.push(grade(inner, known, said).points),
            Part::Case(index) => match (known(*index), text.filter(|(place, _)| place == index)) {
                (CaseState::Judged(CaseResult { points: Some(points), verdict, .. }), _) if verdict.accepted() => {
                    own.push(*points);
                }
                (CaseState::Judged(result), Some((_, most))) => own.push(most.share(result.credit).into()),
                (_, Some(_)) => own.push(Points::ZERO),
                (CaseState::Judged(result), None) => shares.push(result.credit),
                (_, None) => shares.push(Credit::NONE),
            },
        }
    }
    let total = match rule.kind {
        AggregateKind::Least => {
            let least = shares.iter().min().map(|&credit| most.score().share(credit).into());
            own.iter().copied().chain(least).min().unwrap_or_default()
        }
        // All shares are added before the sum is rounded, so that three thirds add up to the full points.
        _ => {
            let cases = group.parts.iter().filter(|part| matches!(part, Part::Case(_))).count();
            let cases = cases.saturating_sub(usize::from(text.is_some())).max(1) as i128;
            let rest = i128::from(rule.shared().unwrap_or_default().as_millionths());
            let credit: i128 = shares.iter().map(|credit| i128::from(credit.as_millionths())).sum();
            let whole = rest * credit / (cases * i128::from(Credit::FULL.as_millionths()));
            own.iter().copied().fold(Points::millionths(whole as i64), Points::plus)
        }
    };
    if rule.most.is_some() { total.min(most) } else { total }
}

/// Returns true if the group is a pass-fail group without maximum points.
fn is_worth_nothing(group: &Grading) -> bool {
    matches!(&group.rule, Rule::Aggregate(rule) if rule.kind == AggregateKind::PassFail && rule.most.is_none())
}

#[cfg(test)]
#[path = "scoring_tests.rs"]
mod tests;
