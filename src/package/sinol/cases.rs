//! The tests of a package: their names, groups, points and limits. `abc10b.in` is test `10b` of group 10.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::model::{Diagnostic, Grading, Part, Rule, Score, WorstCase};

use super::super::defaults::sum;
use super::super::package_model::{GeneratedCase, InputArgs, Package, PackageCase, PackageSubmission};
use super::limits::SinolLimits;

/// Suffix of the ids of tests that are test runs. These tests belong to group 0.
const TEST_RUN: &str = "ocen";
/// The total points of a package without `scores`.
const ALL_POINTS: u32 = 100;

/// The properties of the tests of a package that are known before the inputs are generated.
#[derive(Debug, Clone)]
pub(crate) struct SinolTests {
    /// The id of the task, with which the names of all inputs and answers begin.
    pub(super) task: String,
    /// The name of the configuration in diagnostics.
    pub(super) origin: String,
    /// Whether an accepted program earns fewer points if it uses more than half of the time limit.
    pub(super) decay: bool,
    pub(super) scoring: bool,
    /// Points by group; `None` if all groups are worth the same.
    pub(super) scores: Option<BTreeMap<u32, Score>>,
    pub(super) dependencies: BTreeMap<u32, Vec<u32>>,
    pub(super) limits: SinolLimits,
    /// The files in `in/`, by name.
    pub(super) inputs: BTreeMap<String, PathBuf>,
    /// The files in `out/`, by name.
    pub(super) answers: BTreeMap<String, PathBuf>,
    /// The solution that generates missing answers; `None` if there is none.
    pub(super) model: Option<PackageSubmission>,
    pub(super) interactive: bool,
}

impl SinolTests {
    /// Returns whether the package contains an input.
    pub(super) fn has_inputs(&self) -> bool {
        self.inputs.keys().any(|name| self.test_id(name).is_some())
    }

    /// Returns the inputs in the package, with their names.
    pub(super) fn input_files(&self) -> Vec<(String, PathBuf)> {
        let inputs = self.inputs.iter().filter(|(name, _)| self.test_id(name).is_some());
        inputs.map(|(name, path)| (name.clone(), path.clone())).collect()
    }

    /// Returns the id and the group of the test whose input file is called `name`; `None` if `name` is not the name of
    /// an input.
    fn test_id<'n>(&self, name: &'n str) -> Option<(&'n str, u32)> {
        let id = name.strip_suffix(".in")?.strip_prefix(&self.task)?;
        let digits = id.find(|c: char| !c.is_ascii_digit()).unwrap_or(id.len());
        let plain = id.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
        let number = id[..digits].parse().ok().filter(|_| plain)?;
        Some((id, if id.ends_with(TEST_RUN) { 0 } else { number }))
    }

    /// Replaces the cases of a package with a case for each of its inputs and for each input in `made`. An input in
    /// `made` replaces the package's input with the same name.
    pub(super) fn add_to(&self, package: &mut Package, made: &[(String, PathBuf)]) -> Result<(), Diagnostic> {
        let mut inputs = self.inputs.clone();
        inputs.extend(made.iter().cloned());
        let mut groups: BTreeMap<u32, Vec<(&str, &str, &PathBuf)>> = BTreeMap::new();
        for (name, path) in &inputs {
            if let Some((id, group)) = self.test_id(name) {
                groups.entry(group).or_default().push((id, name, path));
            }
        }
        if groups.is_empty() {
            let (message, task) = ("the package has no tests", &self.task);
            let help = format!("start the name of each input with the id of the task, as in `in/{task}1a.in`");
            return Err(Diagnostic::new(message).help(help).in_file(&self.origin));
        }
        let numbers: Vec<u32> = groups.keys().copied().collect();
        let scores = self.scores.clone().unwrap_or_else(|| even_scores(&numbers));
        package.cases.clear();
        package.case_limits.clear();
        package.generated_cases.clear();
        package.skipped_cases.clear();
        let mut cases_of: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        let mut parts = Vec::new();
        for group in ordered(&numbers, &self.dependencies) {
            let mut folders: BTreeMap<String, Vec<usize>> = BTreeMap::new();
            for (id, name, path) in &groups[&group] {
                let folder = folder(id, group);
                folders.entry(folder.clone()).or_default().push(package.cases.len());
                cases_of.entry(group).or_default().push(package.cases.len());
                let case = self.case(format!("{folder}/{id}"), name, path);
                self.add_case(package, case, (id, group));
            }
            let before = self.dependencies.get(&group).into_iter().flatten();
            let after: Vec<usize> = before.filter_map(|one| cases_of.get(one)).flatten().copied().collect();
            // Samples come before test runs.
            for (name, cases) in folders.into_iter().rev() {
                let most = scores.get(&group).copied().filter(|_| group > 0).unwrap_or_default();
                let rule = match self.scoring {
                    true => Rule::WorstCase(WorstCase { most, after: after.clone() }),
                    false => sum(None, Vec::new(), false),
                };
                parts.push(Part::Group(Grading { name, rule, parts: cases.into_iter().map(Part::Case).collect() }));
            }
        }
        package.grading = Grading { name: String::new(), rule: sum(None, Vec::new(), self.scoring), parts };
        self.add_notes(package, &numbers, &scores);
        Ok(())
    }

    fn add_case(&self, package: &mut Package, case: PackageCase, (id, group): (&str, u32)) {
        let limits = self.limits.of(id, group, self.decay);
        package.case_limits.insert(case.name.clone(), limits);
        if let (None, Some(model), false) = (&case.answer, &self.model, self.interactive) {
            package.generated_cases.push(GeneratedCase {
                case: package.cases.len(),
                input: None,
                answer: Some((model.path.clone(), None)),
                printed: None,
            });
        }
        package.cases.push(case);
    }

    fn case(&self, name: String, file: &str, input: &Path) -> PackageCase {
        let answer = self.answers.get(&file.replace(".in", ".out")).cloned();
        PackageCase {
            name,
            input: input.to_owned(),
            answer,
            output: None,
            shown: [None, None],
            interaction: None,
            args: Vec::new(),
            files: Vec::new(),
            input_args: InputArgs::All(vec![file.to_owned()]),
            output_args: Vec::new(),
            text_args: None,
            hint: None,
            description: None,
        }
    }

    /// Adds notes about groups without points, and about points without a group.
    fn add_notes(&self, package: &mut Package, groups: &[u32], scores: &BTreeMap<u32, Score>) {
        let mut note = |text: String| {
            if !package.notes.contains(&text) {
                package.notes.push(text);
            }
        };
        for group in groups.iter().filter(|group| **group > 0 && self.scoring && !scores.contains_key(group)) {
            note(format!("config.yml: group {group} has tests, but no points in `scores`"));
        }
        // If the package contains no inputs, the groups are not known before the inputs are generated.
        if self.inputs.is_empty() {
            return;
        }
        for group in scores.keys().filter(|group| **group > 0 && !groups.contains(group)) {
            note(format!("config.yml: group {group} has points in `scores`, but no tests"));
        }
    }
}

/// Returns the folder of the case for a test. Tests whose id ends in `ocen` may be too large for a statement, so they
/// are not samples.
fn folder(id: &str, group: u32) -> String {
    match group {
        0 if id.ends_with(TEST_RUN) => TEST_RUN.to_owned(),
        0 => "sample".to_owned(),
        number => format!("group{number}"),
    }
}

/// Returns the points of the groups if they are all worth the same. The last group also receives the remainder, and
/// group 0 receives no points.
fn even_scores(groups: &[u32]) -> BTreeMap<u32, Score> {
    let count = groups.iter().filter(|group| **group > 0).count() as u32;
    let each = ALL_POINTS / count.max(1);
    let mut scores: BTreeMap<u32, Score> = groups.iter().map(|group| (*group, Score::points(each))).collect();
    scores.insert(0, Score::ZERO);
    if let Some((_, last)) = scores.iter_mut().next_back().filter(|(group, _)| **group > 0) {
        *last = Score::points(each + ALL_POINTS - each * count);
    }
    scores
}

/// Sorts the groups such that each group follows the groups on which it depends.
fn ordered(groups: &[u32], dependencies: &BTreeMap<u32, Vec<u32>>) -> Vec<u32> {
    let mut left = groups.to_vec();
    let mut sorted = Vec::new();
    while !left.is_empty() {
        let is_free = |group: &u32| dependencies.get(group).into_iter().flatten().all(|one| !left.contains(one));
        let next = left.iter().position(is_free).unwrap_or(0);
        sorted.push(left.remove(next));
    }
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_split_evenly_and_the_last_group_gets_the_rest() {
        let points = |groups: &[u32]| -> Vec<f64> { even_scores(groups).values().map(|one| one.as_points()).collect() };
        assert_eq!(points(&[0, 1, 2, 3]), [0.0, 33.0, 33.0, 34.0]);
        assert_eq!(points(&[1, 2]), [0.0, 50.0, 50.0]);
        assert_eq!(points(&[0]), [0.0]);
    }

    #[test]
    fn groups_follow_those_on_which_they_depend() {
        assert_eq!(ordered(&[0, 1, 2, 3], &BTreeMap::from([(1, vec![3]), (3, vec![2])])), [0, 2, 3, 1]);
    }
}
