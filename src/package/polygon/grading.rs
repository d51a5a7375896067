//! What tests and groups of Polygon's are worth, and how they become one result.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{Aggregate, AggregateKind, Grading, Part, Points, Requirement, Rule, Score};

use super::super::defaults::sum;
use super::super::xml::Element;
use super::read::{Test, plain};

/// The tests with the points they have and the groups they are in.
pub(super) struct Worths<'t> {
    set: &'t Element,
    tests: &'t [Test],
}

/// A group with its tests, by their places among all.
struct Group<'t> {
    name: &'t str,
    /// What `groups` says of it.
    said: Option<&'t Element>,
    members: Vec<usize>,
}

impl<'t> Worths<'t> {
    pub(super) fn new(set: &'t Element, tests: &'t [Test]) -> Worths<'t> {
        Worths { set, tests }
    }

    /// Whether anything has points.
    pub(super) fn scoring(&self) -> bool {
        let alone = self.tests.iter().filter(|test| test.group.is_none()).map(|test| test.points);
        alone.chain(self.groups().iter().map(|group| self.most(group))).any(|points| points > Points::ZERO)
    }

    /// The points of who solves everything, at least and at most: those of each test are rounded to a thousandth.
    pub(super) fn all(&self) -> (f64, f64) {
        let alone = self.tests.iter().filter(|test| test.group.is_none()).map(|test| test.points);
        let all = alone.chain(self.groups().iter().map(|group| self.most(group))).fold(Points::ZERO, Points::plus);
        let rounded = Points::thousandths(i64::try_from(self.tests.len()).unwrap_or(i64::MAX));
        let number = |points: i64| points as f64 / 1e6;
        (number(all.as_millionths().saturating_sub(rounded.as_millionths()).max(0)), number(all.as_millionths()))
    }

    /// What the points that a checker gives in each test are out of.
    pub(super) fn full(&self) -> Vec<Score> {
        let mut worth: Vec<Points> = self.tests.iter().map(|test| test.points).collect();
        for group in self.groups().iter().filter(|group| group.each() && self.sum(group) == Points::ZERO) {
            let share = self.most(group).as_millionths() / i64::try_from(group.members.len()).unwrap_or(i64::MAX);
            for place in &group.members {
                worth[*place] = Points::millionths(share);
            }
        }
        worth.into_iter().map(Points::score).collect()
    }

    /// The tree of groups in the order of their first tests; tests without a group count by themselves.
    pub(super) fn grading(&self, scoring: bool) -> Grading {
        let rule = |kind, most: Points, require| {
            Rule::Aggregate(Aggregate { kind, most: Some(most.score()), require, scored: scoring, text: None })
        };
        // The checker may give a part of a test's points.
        let single = |index: usize, test: &Test| {
            let rule = rule(AggregateKind::Sum, test.points, Vec::new());
            Part::Group(Grading { name: format!("{} alone", test.case.name), rule, parts: vec![Part::Case(index)] })
        };
        let whole = |group: &Group<'_>| {
            let cases = || group.members.iter().map(|index| Part::Case(*index)).collect();
            let (kind, parts) = match group.each() {
                true if self.sum(group) > Points::ZERO => {
                    let members = group.members.iter();
                    (AggregateKind::Sum, members.map(|index| single(*index, &self.tests[*index])).collect())
                }
                true => (AggregateKind::Sum, cases()),
                false => (AggregateKind::PassFail, cases()),
            };
            let rule = rule(kind, self.most(group), self.required(group));
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

    /// The groups that have tests; each has one at least.
    fn groups(&self) -> Vec<Group<'t>> {
        let described = self.set.at("groups").into_iter().flat_map(|groups| groups.all("group"));
        let mut said: BTreeMap<String, &Element> = BTreeMap::new();
        for group in described {
            if let Some(name) = group.get("name") {
                said.entry(plain(name)).or_insert(group);
            }
        }
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        let mut found: Vec<Group<'_>> = Vec::new();
        for (index, test) in self.tests.iter().enumerate() {
            let Some(name) = test.group.as_deref() else { continue };
            let place = *places.entry(name).or_insert(found.len());
            match found.get_mut(place) {
                Some(group) => group.members.push(index),
                None => found.push(Group { name, said: said.get(name).copied(), members: vec![index] }),
            }
        }
        found
    }

    fn sum(&self, group: &Group<'_>) -> Points {
        group.members.iter().fold(Points::ZERO, |sum, index| sum.plus(self.tests[*index].points))
    }

    /// What a group is worth: what its tests are together, else what it says itself.
    fn most(&self, group: &Group<'_>) -> Points {
        let said = group.said.and_then(points);
        Some(self.sum(group)).filter(|sum| *sum > Points::ZERO).or(said).unwrap_or_default()
    }

    /// The tests that must be accepted, with all their points, before those of a group count.
    fn required(&self, group: &Group<'_>) -> Vec<Requirement> {
        let dependencies = group.said.and_then(|said| said.at("dependencies")).into_iter();
        let before = dependencies.flat_map(|all| all.all("dependency")).filter_map(|one| one.get("group").map(plain));
        let before: BTreeSet<String> = before.collect();
        let required = |test: &Test| test.group.as_ref().is_some_and(|group| before.contains(group));
        let tests = self.tests.iter().enumerate().filter(|(_, test)| !before.is_empty() && required(test));
        tests.map(|(at, _)| Requirement { cases: at..at + 1, part_passes: false }).collect()
    }
}

impl Group<'_> {
    /// Whether each of its tests counts by itself.
    fn each(&self) -> bool {
        self.said.is_some_and(|said| said.get("points-policy") == Some("each-test"))
    }
}

/// The points that an element has.
pub(super) fn points(element: &Element) -> Option<Points> {
    element.get("points").and_then(|points| points.parse().ok()).and_then(Points::nearest)
}
