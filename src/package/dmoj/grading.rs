//! Scoring of DMOJ cases and batches, which follows DMOJ's judge for the order of cases and DMOJ's site for the sum
//! of the points.

use crate::model::{Aggregate, AggregateKind, Grading, Part, Points, Requirement, Rule, Score};

use super::super::defaults::sum;
use super::cases::{BatchOrCase, CaseSettings};

/// Builds the grading tree. A single case earns its points, and a batch earns the minimum over its cases and ends at
/// its first failed case. After a failed case without points, all later items are skipped. A batch is skipped if a
/// batch that it depends on failed. If `part_passes` returns true for a case, partial points in this case do not count
/// as a failure.
pub(super) fn grading(items: &[BatchOrCase], scoring: bool, part_passes: &dyn Fn(usize) -> bool) -> Grading {
    let mut parts = Vec::new();
    let mut pretests: Vec<Requirement> = Vec::new();
    let mut batches: Vec<Vec<Requirement>> = Vec::new();
    let mut next = 0;
    for item in items {
        let cases = next..next + item.cases.len();
        next = cases.end;
        if item.batched {
            let mut whole = Vec::new();
            cases.clone().for_each(|at| add(&mut whole, at, part_passes(at)));
            batches.push(whole);
        }
        let needed = item.after.iter().filter_map(|number| batches.get(number - 1)).flatten();
        let require: Vec<Requirement> = pretests.iter().chain(needed).cloned().collect();
        let place = folder(item, batches.len());
        let rule = |kind, most, require| {
            Rule::Aggregate(Aggregate { kind, most: Some(most), require, scored: scoring, text: None })
        };
        let one = |name, case: &CaseSettings, at, require| Grading {
            name,
            rule: rule(AggregateKind::Sum, most(case), require),
            parts: vec![Part::Case(at)],
        };
        if item.batched {
            let mut before = Vec::new();
            let within = |(at, case)| {
                let require = before.clone();
                add(&mut before, at, part_passes(at));
                Part::Group(one(numbered(&place, at), case, at, require))
            };
            let inner = cases.clone().zip(&item.cases).map(within).collect();
            // DMOJ's site defines the points of a batch as the maximum of the points of its cases.
            let worth = item.cases.iter().map(most).max().unwrap_or_default();
            let rule = rule(AggregateKind::Least, worth, require);
            parts.push(Part::Group(Grading { name: place, rule, parts: inner }));
        } else {
            let alone = |(at, case)| one(format!("{} alone", numbered(&place, at)), case, at, require.clone());
            parts.extend(cases.clone().zip(&item.cases).map(alone).map(Part::Group));
        }
        for (at, _) in cases.zip(&item.cases).filter(|(_, case)| case.points_or_default() <= 0.0) {
            add(&mut pretests, at, part_passes(at));
        }
    }
    Grading { name: String::new(), rule: sum(None, Vec::new(), scoring), parts }
}

/// Adds to `require` the requirement that the case with the index `at` is passed. Requirements on consecutive cases are
/// merged.
fn add(require: &mut Vec<Requirement>, at: usize, part_passes: bool) {
    match require.last_mut() {
        Some(last) if last.cases.end == at && last.part_passes == part_passes => last.cases.end += 1,
        _ => require.push(Requirement { cases: at..at + 1, part_passes }),
    }
}

/// Returns the name of the folder of an item's cases: `pretests`, `cases`, or, for a batch, a name with the batch
/// number `batch`, such as `batch2`.
pub(super) fn folder(item: &BatchOrCase, batch: usize) -> String {
    match (item.batched, item.is_pretest()) {
        (true, _) => format!("batch{batch}"),
        (false, true) => "pretests".to_owned(),
        (false, false) => "cases".to_owned(),
    }
}

/// Returns the name of the case with this index.
pub(super) fn numbered(folder: &str, at: usize) -> String {
    format!("{folder}/{:03}", at + 1)
}

/// Returns the maximum points of a case.
fn most(case: &CaseSettings) -> Score {
    Points::nearest(case.points_or_default()).unwrap_or_default().score()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(batched: bool, after: &[usize], points: &[f64]) -> BatchOrCase {
        let case = |points: &f64| CaseSettings { points: Some(*points), ..CaseSettings::default() };
        BatchOrCase { batched, after: after.to_vec(), cases: points.iter().map(case).collect() }
    }

    /// Formats each group with its points and requirements.
    fn shown(group: &Grading, into: &mut Vec<String>) {
        for part in &group.parts {
            let Part::Group(inner) = part else { continue };
            let Rule::Aggregate(rule) = &inner.rule else { continue };
            let passes = |one: &Requirement| if one.part_passes { " or a part" } else { "" };
            let require = rule.require.iter().map(|one| format!("{:?}{}", one.cases, passes(one)));
            let require = require.collect::<Vec<_>>().join(", ");
            into.push(format!("{} {:?} {} [{require}]", inner.name, rule.kind, rule.most.unwrap_or_default()));
            shown(inner, into);
        }
    }

    #[test]
    fn batches_and_pretests_end_at_the_first_failure() {
        let items = [
            item(false, &[], &[0.0]),
            item(true, &[], &[5.0, 0.0, 7.0]),
            item(true, &[1], &[3.0]),
            item(false, &[], &[2.0]),
        ];
        let mut found = Vec::new();
        shown(&grading(&items, true, &|at| at >= 2), &mut found);
        let expected = [
            "pretests/001 alone Sum 0 []",
            "batch1 Least 7 [0..1]",
            "batch1/002 Sum 5 []",
            "batch1/003 Sum 0 [1..2]",
            "batch1/004 Sum 7 [1..2, 2..3 or a part]",
            "batch2 Least 3 [0..1, 2..3 or a part, 1..2, 2..4 or a part]",
            "batch2/005 Sum 3 []",
            "cases/006 alone Sum 2 [0..1, 2..3 or a part]",
        ];
        assert_eq!(found, expected);
    }
}
