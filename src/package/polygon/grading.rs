//! Points of Polygon tests and groups, and the grading tree that combines them.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{Aggregate, AggregateKind, Grading, Part, Points, Requirement, Rule, Score};

use super::super::defaults::sum;
use super::super::xml::Element;
use super::problem_xml::{PolygonTest, plain_name};

/// The tests with their points and groups.
pub(super) struct PolygonPoints<'t> {
    set: &'t Element,
    tests: &'t [PolygonTest],
}

/// A group, and the indices of its tests.
struct PolygonGroup<'t> {
    name: &'t str,
    /// The group's element in `groups`; `None` if there is none.
    element: Option<&'t Element>,
    members: Vec<usize>,
}

impl<'t> PolygonPoints<'t> {
    pub(super) fn new(set: &'t Element, tests: &'t [PolygonTest]) -> PolygonPoints<'t> {
        PolygonPoints { set, tests }
    }

    /// Returns whether any test or group has points.
    pub(super) fn scoring(&self) -> bool {
        let alone = self.tests.iter().filter(|test| test.group.is_none()).map(|test| test.points);
        alone.chain(self.groups().iter().map(|group| self.max_points(group))).any(|points| points > Points::ZERO)
    }

    /// Returns the minimum and maximum total for a submission that passes all tests. The points of each test are
    /// rounded to a thousandth, so the total may be lower than the maximum.
    pub(super) fn total_range(&self) -> (f64, f64) {
        let alone = self.tests.iter().filter(|test| test.group.is_none()).map(|test| test.points);
        let all =
            alone.chain(self.groups().iter().map(|group| self.max_points(group))).fold(Points::ZERO, Points::plus);
        let rounded = Points::thousandths(i64::try_from(self.tests.len()).unwrap_or(i64::MAX));
        let number = |points: i64| points as f64 / 1e6;
        (number(all.as_millionths().saturating_sub(rounded.as_millionths()).max(0)), number(all.as_millionths()))
    }

    /// Returns the maximum points that the checker awards in each test.
    pub(super) fn max_scores(&self) -> Vec<Score> {
        let mut worth: Vec<Points> = self.tests.iter().map(|test| test.points).collect();
        for group in self.groups().iter().filter(|group| group.counts_each_test() && self.sum(group) == Points::ZERO) {
            let share = self.max_points(group).as_millionths() / i64::try_from(group.members.len()).unwrap_or(i64::MAX);
            for place in &group.members {
                worth[*place] = Points::millionths(share);
            }
        }
        worth.into_iter().map(Points::score).collect()
    }

    /// Builds the grading tree. Groups are ordered by their first tests. A test without a group is scored separately.
    pub(super) fn grading(&self, scoring: bool) -> Grading {
        let rule = |kind, most: Points, require| {
            Rule::Aggregate(Aggregate { kind, most: Some(most.score()), require, scored: scoring, text: None })
        };
        // A test that is scored separately becomes a group, since the checker may award only a part of the test's
        // points.
        let single = |index: usize, test: &PolygonTest| {
            let rule = rule(AggregateKind::Sum, test.points, Vec::new());
            Part::Group(Grading { name: format!("{} alone", test.case.name), rule, parts: vec![Part::Case(index)] })
        };
        let whole = |group: &PolygonGroup<'_>| {
            let cases = || group.members.iter().map(|index| Part::Case(*index)).collect();
            let (kind, parts) = match group.counts_each_test() {
                true if self.sum(group) > Points::ZERO => {
                    let members = group.members.iter();
                    (AggregateKind::Sum, members.map(|index| single(*index, &self.tests[*index])).collect())
                }
                true => (AggregateKind::Sum, cases()),
                false => (AggregateKind::PassFail, cases()),
            };
            let rule = rule(kind, self.max_points(group), self.required(group));
            Part::Group(Grading { name: group.name.to_owned(), rule, parts })
        };
        let alone = self.tests.iter().enumerate().filter(|(_, test)| test.group.is_none());
        let alone = alone.map(|(index, test)| (index, single(index, test)));
        let groups = self.groups().into_iter().map(|group| (group.members[0], whole(&group)));
        let mut parts: Vec<(usize, Part)> = alone.chain(groups).collect();
        parts.sort_by_key(|(first, _)| *first);
        let parts = parts.into_iter().map(|(_, part)| part).collect();
        Grading { name: String::new(), rule: sum(None::<Score>, Vec::new(), scoring), parts }
    }

    /// Returns the groups that have at least one test.
    fn groups(&self) -> Vec<PolygonGroup<'t>> {
        let elements = self.set.at("groups").into_iter().flat_map(|groups| groups.all("group"));
        let mut described: BTreeMap<String, &Element> = BTreeMap::new();
        for group in elements {
            if let Some(name) = group.get("name") {
                described.entry(plain_name(name)).or_insert(group);
            }
        }
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        let mut found: Vec<PolygonGroup<'_>> = Vec::new();
        for (index, test) in self.tests.iter().enumerate() {
            let Some(name) = test.group.as_deref() else { continue };
            let place = *places.entry(name).or_insert(found.len());
            match found.get_mut(place) {
                Some(group) => group.members.push(index),
                None => found.push(PolygonGroup { name, element: described.get(name).copied(), members: vec![index] }),
            }
        }
        found
    }

    fn sum(&self, group: &PolygonGroup<'_>) -> Points {
        group.members.iter().fold(Points::ZERO, |sum, index| sum.plus(self.tests[*index].points))
    }

    /// Returns the points of a group: the sum over its tests, or the group's own points if the sum is 0.
    fn max_points(&self, group: &PolygonGroup<'_>) -> Points {
        let said = group.element.and_then(points);
        Some(self.sum(group)).filter(|sum| *sum > Points::ZERO).or(said).unwrap_or_default()
    }

    /// Returns the tests that must be accepted with full points before the tests of a group are judged.
    fn required(&self, group: &PolygonGroup<'_>) -> Vec<Requirement> {
        let dependencies = group.element.and_then(|said| said.at("dependencies")).into_iter();
        let before =
            dependencies.flat_map(|all| all.all("dependency")).filter_map(|one| one.get("group").map(plain_name));
        let before: BTreeSet<String> = before.collect();
        let required = |test: &PolygonTest| test.group.as_ref().is_some_and(|group| before.contains(group));
        let tests = self.tests.iter().enumerate().filter(|(_, test)| !before.is_empty() && required(test));
        tests.map(|(at, _)| Requirement { cases: at..at + 1, part_passes: false }).collect()
    }
}

impl PolygonGroup<'_> {
    /// Returns whether the tests of the group are scored separately.
    fn counts_each_test(&self) -> bool {
        self.element.is_some_and(|said| said.get("points-policy") == Some("each-test"))
    }
}

/// Returns the value of the element's attribute `points`, or `None` if the attribute is missing or invalid.
pub(super) fn points(element: &Element) -> Option<Points> {
    element.get("points").and_then(|points| points.parse().ok()).and_then(Points::nearest)
}
