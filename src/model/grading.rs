//! The rules for combining the results of a tree of test groups, as plain data.

use std::collections::BTreeSet;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::Score;

/// Points that may be negative, in millionths of a point. Thousandths, the unit of a [`Score`], would be too coarse for
/// intermediate results, such as averages and the shares of cases.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Points(i64);

impl Points {
    /// Zero points.
    pub const ZERO: Points = Points(0);

    /// The largest representable number of points.
    pub const MOST: Points = Points(i64::MAX);

    /// Creates points from thousandths of a point, saturating.
    pub const fn thousandths(count: i64) -> Points {
        Points(count.saturating_mul(1_000))
    }

    /// Creates points from millionths of a point.
    pub const fn millionths(count: i64) -> Points {
        Points(count)
    }

    /// Creates points from a floating-point number, rounded to the nearest millionth and saturating; returns `None` for
    /// NaN.
    pub fn nearest(points: f64) -> Option<Points> {
        (!points.is_nan()).then(|| Points((points * 1_000_000.0).round() as i64))
    }

    /// Returns the points in millionths of a point.
    pub const fn as_millionths(self) -> i64 {
        self.0
    }

    /// Returns the saturating sum.
    #[must_use]
    pub const fn plus(self, other: Points) -> Points {
        Points(self.0.saturating_add(other.0))
    }

    /// Returns the points as a [`Score`], rounded to the nearest thousandth of a point; 0 for negative points.
    pub fn score(self) -> Score {
        Score::thousandths(u64::try_from(self.0.saturating_add(500) / 1_000).unwrap_or(0))
    }
}

impl From<Score> for Points {
    fn from(score: Score) -> Points {
        Points::thousandths(i64::try_from(score.as_thousandths()).unwrap_or(i64::MAX))
    }
}

/// A test group with its rule, its cases and its subgroups. Cases are identified by their index among all cases of the
/// problem, from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grading {
    /// The group's name, such as `secret/group1`; empty for the root.
    pub name: String,
    /// The rule that combines the results of the parts.
    pub rule: Rule,
    /// The cases and subgroups, in the order in which they are judged.
    pub parts: Vec<Part>,
}

/// A member of a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// The index of a case.
    Case(usize),
    /// A subgroup.
    Group(Grading),
}

/// The rule that combines the results of a group's parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rule {
    /// The default grader of the legacy ICPC format, or a custom grader of the package.
    Grader(Grader),
    /// An aggregation of the ICPC format 2025-09.
    Aggregate(Aggregate),
    /// A group of the sinol format.
    WorstCase(WorstCase),
}

/// A group of the sinol format. The points of the group are the maximum points multiplied by the lowest credit among
/// the cases of the group and the cases in `after`, rounded up to whole points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorstCase {
    /// The maximum points of the group.
    pub most: Score,
    /// The indices of cases of other groups, whose credit counts like that of the group's own cases.
    pub after: Vec<usize>,
}

/// The flags of the default grader, and the other settings of a group in `testdata.yaml`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grader {
    /// The rule that determines the verdict if a part is rejected.
    pub verdict: VerdictMode,
    /// The rule that combines the points of the group's parts.
    pub score: ScoreMode,
    /// Whether only the last part with a result counts.
    pub ignore_sample: bool,
    /// Whether the group is accepted if at least one part is accepted.
    pub accept_if_any: bool,
    /// The points of an accepted case for which the output validator awards no points, or of an accepted group.
    pub accept_score: Points,
    /// What `accept_score` is awarded for, and whether the group counts.
    pub basis: ScoreBasis,
    /// The points of a case that is not accepted.
    pub reject_score: Points,
    /// Whether the parts after the first part that is not accepted are skipped.
    pub stop: bool,
    /// The minimum and the maximum points of the group; `None` if there is no bound.
    pub range: (Option<Points>, Option<Points>),
    /// The arguments of the package's custom grader, if it replaces these rules for the group.
    pub program: Option<Vec<String>>,
}

impl Default for Grader {
    /// Returns the settings of a group of the legacy ICPC format without configuration file.
    fn default() -> Grader {
        Grader {
            verdict: VerdictMode::Worst,
            score: ScoreMode::Sum,
            ignore_sample: false,
            accept_if_any: false,
            accept_score: Points::thousandths(1_000),
            basis: ScoreBasis::Case,
            reject_score: Points::ZERO,
            stop: true,
            range: (None, None),
            program: None,
        }
    }
}

/// What the points of a group are awarded for. The tools of Kattis and DOMjudge read the same files differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScoreBasis {
    /// Each accepted case earns points, as in Kattis. A program that is not accepted earns no points in total.
    Case,
    /// The group earns points once, if all its cases are accepted, unless the output validator awards points for cases.
    /// A program that is not accepted keeps the points of the groups. This is the rule of DOMjudge.
    Group,
    /// The cases are judged, but the group that contains this one ignores their results. This is the rule of DOMjudge
    /// for a folder without configuration file.
    Nothing,
}

/// The rule that determines the verdict of a group with a rejected part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VerdictMode {
    /// The verdict of the worst part.
    Worst,
    /// The verdict of the first rejected part.
    First,
    /// The group is accepted even if a part is rejected.
    Accept,
}

/// The rule that combines the points of a group's parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScoreMode {
    /// The sum of the points.
    Sum,
    /// The average, rounded to the nearest millionth.
    Average,
    /// The minimum of the points.
    Least,
    /// The maximum of the points.
    Most,
}

/// An aggregation of the ICPC format 2025-09.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Aggregate {
    /// The rule that combines the points of the cases and subgroups.
    pub kind: AggregateKind,
    /// The maximum points of the group; `None` if there is no bound.
    pub most: Option<Score>,
    /// The requirements that must be met before the group is judged.
    pub require: Vec<Requirement>,
    /// Whether the group's cases earn points. Cases of samples and of pass-fail problems do not.
    pub scored: bool,
    /// The index of the case in which the program's source is judged, and its maximum points, if there is such a case.
    /// The other cases share the remaining points.
    pub text: Option<(usize, Score)>,
}

impl Aggregate {
    /// Returns the maximum points of the group minus those of the case in which the program's source is judged; `None`
    /// if there is no bound.
    pub fn shared(&self) -> Option<Points> {
        let text = self.text.map_or(Points::ZERO, |(_, most)| most.into());
        self.most.map(|most| Points((Points::from(most).0 - text.0).max(0)))
    }

    /// Returns the maximum points of each of the group's `cases` cases: an equal share if the points are added up, the
    /// maximum points of the group if the minimum counts, and 0 in a pass-fail group. Returns `None` if there is no
    /// bound.
    pub fn of_each(&self, cases: usize) -> Option<Points> {
        match self.kind {
            AggregateKind::PassFail => Some(Points::ZERO),
            AggregateKind::Least => self.most.map(Points::from),
            AggregateKind::Sum => self.shared().map(|all| Points(all.0 / cases.max(1) as i64)),
        }
    }
}

/// Cases that must be passed before a group is judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Requirement {
    /// The indices of the cases.
    pub cases: Range<usize>,
    /// Whether a case with [`Verdict::Partial`](super::Verdict::Partial) counts as passed.
    pub part_passes: bool,
}

/// The rule that combines the points of a group's cases and subgroups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AggregateKind {
    /// All points if every case is accepted, otherwise none.
    PassFail,
    /// The sum of the points.
    Sum,
    /// The minimum of the points.
    Least,
}

impl Grading {
    /// Returns the indices of all cases of the group and its subgroups, in judging order.
    pub fn cases(&self) -> Vec<usize> {
        let mut found = Vec::new();
        for part in &self.parts {
            match part {
                Part::Case(index) => found.push(*index),
                Part::Group(group) => found.extend(group.cases()),
            }
        }
        found
    }

    /// Returns the tree without the cases `gone`; the other cases are renumbered. A subgroup that loses all its cases
    /// is removed, so that its points can't be earned without a case.
    #[must_use]
    pub fn without(&self, gone: &BTreeSet<usize>) -> Grading {
        let place = |index: usize| index - gone.range(..index).count();
        let kept = |index: usize| (!gone.contains(&index)).then(|| place(index));
        let needed =
            |one: &Requirement| Requirement { cases: place(one.cases.start)..place(one.cases.end), ..one.clone() };
        let rule = match &self.rule {
            Rule::Aggregate(aggregate) => Rule::Aggregate(Aggregate {
                require: aggregate.require.iter().map(needed).collect(),
                text: aggregate.text.and_then(|(index, most)| Some((kept(index)?, most))),
                ..aggregate.clone()
            }),
            Rule::WorstCase(rule) => Rule::WorstCase(WorstCase {
                after: rule.after.iter().filter_map(|index| kept(*index)).collect(),
                ..rule.clone()
            }),
            Rule::Grader(grader) => Rule::Grader(grader.clone()),
        };
        let part = |part: &Part| match part {
            Part::Case(index) => kept(*index).map(Part::Case),
            Part::Group(group) => {
                let left = group.without(gone);
                (!left.cases().is_empty() || group.cases().is_empty()).then_some(Part::Group(left))
            }
        };
        Grading { name: self.name.clone(), rule, parts: self.parts.iter().filter_map(part).collect() }
    }

    /// Returns the innermost group whose name is `folder` or an ancestor of `folder`; `self` if there is no such group.
    pub fn around(&self, folder: &str) -> &Grading {
        let mut name = folder;
        loop {
            match (self.find(name), name.rsplit_once('/')) {
                (Some(group), _) => return group,
                (None, Some((above, _))) => name = above,
                (None, None) => return self,
            }
        }
    }

    /// Finds the group named `name` in the tree; `None` if there is none.
    pub fn find(&self, name: &str) -> Option<&Grading> {
        if self.name == name {
            return Some(self);
        }
        self.parts.iter().find_map(|part| match part {
            Part::Group(group) => group.find(name),
            Part::Case(_) => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SUM: Aggregate =
        Aggregate { kind: AggregateKind::Sum, most: None, require: Vec::new(), scored: true, text: None };

    fn group(name: &str, parts: Vec<Part>) -> Grading {
        Grading { name: name.to_owned(), rule: Rule::Aggregate(SUM), parts }
    }

    #[test]
    fn a_folder_in_a_group_is_in_the_group() {
        let inner = Part::Group(group("secret/a", vec![Part::Case(0)]));
        let tree = group("", vec![Part::Group(group("secret", vec![inner]))]);
        let around = |folder: &str| tree.around(folder).name.clone();
        assert_eq!(around("secret/a"), "secret/a");
        assert_eq!(around("secret/a/deep/er"), "secret/a");
        assert_eq!(around("secret/b"), "secret");
        assert_eq!(around("tests/a"), "", "a folder outside of all groups is in the root");
    }

    #[test]
    fn cases_share_what_the_text_leaves() {
        let rule = Aggregate { most: Some(Score::points(10)), ..SUM };
        assert_eq!(rule.of_each(4), Some(Points::thousandths(2_500)));
        let with_text = Aggregate { text: Some((0, Score::points(4))), ..rule.clone() };
        assert_eq!(with_text.of_each(4), Some(Points::thousandths(1_500)));
        assert_eq!(
            Aggregate { kind: AggregateKind::Least, ..rule.clone() }.of_each(4),
            Some(Points::thousandths(10_000))
        );
        assert_eq!(Aggregate { kind: AggregateKind::PassFail, ..rule }.of_each(4), Some(Points::ZERO));
        assert_eq!(SUM.of_each(4), None);
    }
}
