//! Reads the tree of test data: groups with their settings, and cases in the order of judging.

use std::collections::BTreeMap;

use crate::lang::fill_constants;
use crate::model::{Aggregate, AggregateKind, Diagnostic, Grading, Part, Points, Requirement, Rule, Score};

use super::super::package_model::{PackageCase, PackageFormat, SkippedCase, ValidatorTest};
use super::super::tree::{PackageTree, TreeEntry, join};
use super::super::yaml_map::YamlMap;
use super::cases::{self, InheritedArgs, is_accepted_name};
use super::problem_yaml::{LegacyGrading, Metadata};
use super::scoring::read_scoring;

mod legacy;
mod validator_tests;

/// The names of the configuration file of a group, in the new and in the old versions.
const GROUP_FILES: [&str; 2] = ["test_group.yaml", "testdata.yaml"];

/// The key that lists the groups that must pass first, and its spelling in drafts of the format.
const REQUIRE: [&str; 2] = ["require_pass", "require-pass"];

/// Maps in which drafts of the format placed the settings of a group.
const DRAFT_MAPS: [&str; 2] = ["scoring", "grading"];

/// The cases and groups of the test data.
#[derive(Debug, Clone)]
pub(super) struct TestData {
    pub(super) cases: Vec<PackageCase>,
    pub(super) grading: Grading,
    pub(super) validator_tests: Vec<ValidatorTest>,
    pub(super) skipped_cases: Vec<SkippedCase>,
    /// Whether a group requires a custom grader.
    pub(super) custom_grader: bool,
}

/// Whether the package has the programs that groups may require.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PackagePrograms {
    pub(super) grader: bool,
    pub(super) static_validator: bool,
}

/// Reads `data/`. The custom grader is used only if the package has one. If `domjudge` is true, the points are counted as
/// in DOMjudge and not as in Kattis.
///
/// # Errors
/// Fails if the file of a group or case is invalid or can't be read, if a group requires a group that does not precede
/// it, or if there are no cases.
pub(super) fn read(
    tree: &PackageTree,
    metadata: &Metadata,
    programs: PackagePrograms,
    domjudge: bool,
    notes: &mut Vec<String>,
) -> Result<TestData, Diagnostic> {
    let mut reader = TestDataReader {
        tree,
        format: metadata.format,
        scoring: metadata.kind.scoring,
        old: &metadata.grading,
        domjudge,
        constants: &metadata.constants,
        notes,
        cases: Vec::new(),
        skipped_cases: Vec::new(),
        programs,
        custom_grader: false,
        data_args: InheritedArgs::default(),
    };
    let by_grader = metadata.format.is_legacy() || metadata.format == PackageFormat::Draft2023 && has_old_keys(tree)?;
    let grading = if by_grader { reader.read_legacy_root()? } else { reader.read_root()? };
    let validator_tests = reader.validator_tests()?;
    let TestDataReader { cases, skipped_cases, custom_grader, .. } = reader;
    if cases.is_empty() {
        let help = "cases are pairs such as `data/secret/1.in` and `data/secret/1.ans`";
        return Err(Diagnostic::new("the package has no test cases").in_file(tree.origin("data")).help(help));
    }
    Ok(TestData { cases, grading, validator_tests, skipped_cases, custom_grader })
}

/// Returns whether a folder has the configuration file of a group.
pub(super) fn has_group_file(tree: &PackageTree, folder: &str) -> bool {
    GROUP_FILES.iter().any(|file| tree.file(&join(folder, file)).is_some())
}

/// Returns whether the files of groups have keys that only the legacy format defines. Some packages that declare
/// version 2023-07 also use keys of the legacy format.
fn has_old_keys(tree: &PackageTree) -> Result<bool, Diagnostic> {
    for path in tree.files_below("data") {
        if path.ends_with("/testdata.yaml") || path == "data/testdata.yaml" {
            let text = tree.text(&path)?.unwrap_or_default();
            let keys = YamlMap::parse(&path, &text)?.names();
            if keys.iter().any(|key| ["on_reject", "grader_flags", "accept_score", "range"].contains(&key.as_str())) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

struct TestDataReader<'a> {
    tree: &'a PackageTree,
    format: PackageFormat,
    scoring: bool,
    old: &'a LegacyGrading,
    /// Whether the points are counted as in DOMjudge and not as in Kattis.
    domjudge: bool,
    constants: &'a BTreeMap<String, String>,
    notes: &'a mut Vec<String>,
    cases: Vec<PackageCase>,
    skipped_cases: Vec<SkippedCase>,
    programs: PackagePrograms,
    custom_grader: bool,
    /// Arguments that the file of the folder `data` specifies. All groups and the cases that test validators inherit
    /// them.
    data_args: InheritedArgs,
}

impl TestDataReader<'_> {
    /// Returns the path of a group's file for messages, and its text with the constants replaced, or `None` if there is
    /// no file.
    fn config(&self, folder: &str) -> Result<Option<(String, String)>, Diagnostic> {
        for file in GROUP_FILES {
            let path = join(folder, file);
            if let Some(text) = self.tree.text(&path)? {
                return Ok(Some((self.tree.origin(&path), fill_constants(&text, self.constants))));
            }
        }
        Ok(None)
    }

    /// Returns the names of the subfolders that may contain cases. Adds a note for each name that the format does not
    /// allow.
    fn folders(&mut self, folder: &str) -> Vec<String> {
        let mut found = Vec::new();
        for (child, entry) in self.tree.list(folder) {
            if *entry != TreeEntry::Folder || child.ends_with(".files") {
                continue;
            }
            if is_accepted_name(self.format, child) {
                found.push(child.to_owned());
            } else if !child.starts_with('.') {
                self.notes.push(format!("`{}` is left out: the format does not allow its name", join(folder, child)));
            }
        }
        found
    }

    /// Returns the names of a folder's cases. Adds each answer without an input to `skipped_cases`.
    fn stems(&mut self, folder: &str) -> Vec<String> {
        let lost = self.tree.list(folder).filter_map(|(file, _)| file.strip_suffix(".ans"));
        let lost =
            lost.filter(|stem| self.tree.file(&format!("{folder}/{stem}.in")).is_none() && !stem.starts_with('.'));
        for stem in lost {
            let case = join(folder.strip_prefix("data/").unwrap_or_default(), stem);
            self.skipped_cases.push(SkippedCase { case, why: "there is no `.in` file".to_owned() });
        }
        cases::names(self.tree, folder, self.format, &mut self.skipped_cases)
    }

    /// Reads a case and returns its index. Returns `None` for a case without an input or an answer, which is skipped.
    fn case(&mut self, folder: &str, stem: &str, inherited: &InheritedArgs) -> Result<Option<usize>, Diagnostic> {
        let read = cases::read(self.tree, folder, stem, self.format, inherited.clone(), self.notes)?;
        let Some(case) = read else { return Ok(None) };
        if case.answer.is_none() {
            self.skipped_cases.push(SkippedCase { case: case.name, why: "there is no `.ans` file".to_owned() });
            return Ok(None);
        }
        self.cases.push(case);
        Ok(Some(self.cases.len() - 1))
    }

    /// Reads the test data of version 2023-07 or 2025-09 of the format: samples, and either secret cases or one level
    /// of groups.
    fn read_root(&mut self) -> Result<Grading, Diagnostic> {
        self.note_other_folders();
        let mut inherited = self.arguments("data", InheritedArgs::default())?;
        self.data_args = inherited.clone();
        let sample = self.read_group("data/sample", inherited.clone(), false)?;
        let (mut secret, _) = self.read_settings("data/secret", &mut inherited, self.scoring)?;
        let folders = self.folders("data/secret");
        let mut parts = static_case(&secret);
        if folders.iter().any(|child| self.is_group(child)) {
            parts.extend(self.read_cases_without_group(&inherited)?);
            for child in folders {
                let folder = format!("data/secret/{child}");
                if self.scoring && !self.is_group(&child) {
                    self.notes.push(format!("`{folder}` has no `test_group.yaml`, so it is a group without points"));
                }
                parts.push(Part::Group(self.read_group(&folder, inherited.clone(), true)?));
            }
        } else {
            parts.extend(self.read_cases_below("data/secret", &inherited)?);
        }
        if secret.kind == AggregateKind::PassFail {
            parts.iter_mut().for_each(all_or_nothing);
        }
        secret.require = self.required("data/secret", &sample, None)?;
        let secret = Grading { name: "secret".to_owned(), rule: Rule::Aggregate(secret), parts };
        let root =
            Aggregate { kind: AggregateKind::Sum, most: None, require: Vec::new(), scored: self.scoring, text: None };
        let parts = [sample, secret].into_iter().filter(|group| !group.parts.is_empty()).map(Part::Group).collect();
        let mut root = Grading { name: String::new(), rule: Rule::Aggregate(root), parts };
        self.require_all(&mut root)?;
        Ok(root)
    }

    /// Reads the cases directly in `secret`, next to groups. The specification forbids such cases, but earlier drafts
    /// allowed them, and existing packages have them. A submission must pass these cases, but earns no points for them.
    fn read_cases_without_group(&mut self, inherited: &InheritedArgs) -> Result<Vec<Part>, Diagnostic> {
        let mut parts = Vec::new();
        for stem in self.stems("data/secret") {
            parts.extend(self.case("data/secret", &stem, inherited)?.map(Part::Case));
        }
        if parts.is_empty() || !self.scoring {
            return Ok(parts);
        }
        self.notes.push("`data/secret` has cases outside of its groups; they earn no points".to_owned());
        let rule =
            Aggregate { kind: AggregateKind::PassFail, most: None, require: Vec::new(), scored: true, text: None };
        Ok(vec![Part::Group(Grading { name: "secret".to_owned(), rule: Rule::Aggregate(rule), parts })])
    }

    /// Adds notes about the folders of `data` that are not read.
    fn note_other_folders(&mut self) {
        let known = |child: &str| {
            ["sample", "secret"].contains(&child)
                || validator_tests::FOLDERS.iter().any(|(folder, _)| folder.ends_with(&format!("/{child}")))
        };
        for child in self.folders("data").into_iter().filter(|child| !known(child)) {
            self.notes.push(format!("`data/{child}` is left out: the format does not define this folder"));
        }
    }

    /// Returns the arguments in effect for a folder. The specification allows a file with arguments only in groups.
    /// However, packages created with BAPCtools also have such a file in `data`, and their folders inherit arguments,
    /// as in the drafts.
    fn arguments(&mut self, folder: &str, mut above: InheritedArgs) -> Result<InheritedArgs, Diagnostic> {
        if let Some((origin, text)) = self.config(folder)? {
            let mut keys = YamlMap::parse(&origin, &text)?;
            above.take(&mut keys)?;
            keys.finish(self.notes);
        }
        Ok(above)
    }

    fn is_group(&self, child: &str) -> bool {
        has_group_file(self.tree, &join("data/secret", child))
    }

    fn read_group(&mut self, folder: &str, mut inherited: InheritedArgs, secret: bool) -> Result<Grading, Diagnostic> {
        let (mut rule, of_each) = self.read_settings(folder, &mut inherited, self.scoring && secret)?;
        if !secret {
            rule = Aggregate { kind: AggregateKind::PassFail, most: None, ..rule };
        }
        let parts = [static_case(&rule), self.read_cases_below(folder, &inherited)?].concat();
        if let Some(points) = of_each {
            rule.most = Some(parts.iter().fold(Score::ZERO, |sum, _| sum.plus(points)));
        }
        let name = folder.strip_prefix("data/").unwrap_or(folder).to_owned();
        Ok(Grading { name, rule: Rule::Aggregate(rule), parts })
    }

    /// Reads all cases below a folder, sorted by name. Subfolders of a group are not groups, but may have their own
    /// arguments.
    fn read_cases_below(&mut self, folder: &str, inherited: &InheritedArgs) -> Result<Vec<Part>, Diagnostic> {
        let mut open = vec![(folder.to_owned(), inherited.clone())];
        let mut found = Vec::new();
        while let Some((folder, inherited)) = open.pop() {
            for child in self.folders(&folder) {
                if !(self.format == PackageFormat::Draft2023 && is_statement_only(&folder, &child)) {
                    let child = join(&folder, &child);
                    let inner = self.arguments(&child, inherited.clone())?;
                    open.push((child, inner));
                }
            }
            let stems = self.stems(&folder);
            found.extend(stems.into_iter().map(|stem| (join(&folder, &stem), folder.clone(), stem, inherited.clone())));
        }
        found.sort_by(|a, b| a.0.cmp(&b.0));
        let mut parts = Vec::new();
        for (_, folder, stem, inherited) in found {
            parts.extend(self.case(&folder, &stem, &inherited)?.map(Part::Case));
        }
        Ok(parts)
    }

    /// Reads the rule of a group, and the points per case if its file specifies them.
    fn read_settings(
        &mut self,
        folder: &str,
        inherited: &mut InheritedArgs,
        scored: bool,
    ) -> Result<(Aggregate, Option<Score>), Diagnostic> {
        let whole = folder == "data/secret";
        let mut rule = Aggregate {
            kind: if whole { AggregateKind::Sum } else { AggregateKind::PassFail },
            most: whole.then_some(Score::points(100)),
            require: Vec::new(),
            scored,
            text: None,
        };
        let mut of_each = None;
        let Some((origin, text)) = self.config(folder)? else { return Ok((rule, of_each)) };
        let mut keys = YamlMap::parse(&origin, &text)?;
        inherited.take(&mut keys)?;
        read_scoring(&mut keys, &mut rule, "score_aggregation", "max_score")?;
        for name in DRAFT_MAPS {
            if let Some(mut old) = draft_map(&mut keys, name)? {
                read_scoring(&mut old, &mut rule, "aggregation", "max_score")?;
                let most = rule.most;
                read_scoring(&mut old, &mut rule, "aggregation", "score")?;
                // For a group that adds up points, the map `grading` specifies the points of each case, not of the
                // group.
                if name == "grading" && rule.kind == AggregateKind::Sum && rule.most != most {
                    (of_each, rule.most) = (rule.most, most);
                }
                REQUIRE.iter().for_each(|key| _ = old.take(key));
                old.finish(self.notes);
            }
        }
        self.read_static_case(&mut keys, &mut rule, folder)?;
        REQUIRE.iter().chain(&["description", "hint"]).for_each(|key| _ = keys.take(key));
        keys.finish(self.notes);
        Ok((rule, of_each))
    }

    /// Adds the case in which the static validator judges the source code, if the group has one. It precedes the other
    /// cases.
    fn read_static_case(
        &mut self,
        keys: &mut YamlMap<'_>,
        rule: &mut Aggregate,
        folder: &str,
    ) -> Result<(), Diagnostic> {
        const KEY: &str = "static_validation_score";
        let args = keys.words("static_validator_args")?;
        let Some(score) = keys.string(KEY)? else {
            if args.is_some() {
                self.notes
                    .push(format!("`static_validator_args` is ignored for `{folder}`, because `{KEY}` is missing"));
            }
            return Ok(());
        };
        if !self.programs.static_validator {
            return Err(keys.error(KEY, "the package has no static validator").help("add one to `static_validator/`"));
        }
        let shares = rule.scored && rule.kind != AggregateKind::PassFail;
        let most = match (score.as_str(), shares) {
            ("pass-fail", false) => Score::ZERO,
            ("pass-fail", true) => {
                return Err(
                    keys.error(KEY, "expected a number of points, because the group does not pass or fail as a whole")
                );
            }
            (_, false) => {
                let why = if rule.scored { "passes or fails as a whole" } else { "has no points" };
                return Err(keys.error(KEY, format!("expected `pass-fail`, because the group {why}")));
            }
            (number, true) => {
                let points = number.parse::<f64>().ok().filter(|points| (0.0..=1e9).contains(points));
                let points = points.and_then(Points::nearest).map(Points::score);
                points.ok_or_else(|| keys.error(KEY, "expected a number of points from 0 to 1000000000"))?
            }
        };
        if rule.most.is_some_and(|whole| shares && most > whole) {
            return Err(keys.error(KEY, "the value exceeds the maximum number of points for the group"));
        }
        rule.text = Some((self.cases.len(), most));
        let name = join(folder, "@static");
        self.cases
            .push(cases::static_validation_case(name.strip_prefix("data/").unwrap_or(&name), args.unwrap_or_default()));
        Ok(())
    }

    /// Resolves the requirements of groups. The positions of all cases must be known.
    fn require_all(&mut self, root: &mut Grading) -> Result<(), Diagnostic> {
        let before = root.clone();
        for part in &mut root.parts {
            let Part::Group(group) = part else { continue };
            for part in &mut group.parts {
                let Part::Group(inner) = part else { continue };
                let folder = format!("data/{}", inner.name);
                let first = inner.cases().first().copied();
                let require = self.required(&folder, &before, first)?;
                if let Rule::Aggregate(rule) = &mut inner.rule {
                    rule.require = require;
                }
            }
        }
        Ok(())
    }

    /// Returns the cases of the required groups. A case with partial points counts as passed, because the validator has
    /// accepted the output.
    ///
    /// # Errors
    /// Fails if the configuration file in `folder` is invalid. Also fails if a required group other than `sample` has
    /// no cases, or if not all of its cases precede the case with the index `first` (if given).
    fn required(&self, folder: &str, known: &Grading, first: Option<usize>) -> Result<Vec<Requirement>, Diagnostic> {
        let Some((origin, text)) = self.config(folder)? else { return Ok(Vec::new()) };
        let mut keys = YamlMap::parse(&origin, &text)?;
        let mut names = Vec::new();
        for key in REQUIRE {
            names.extend(keys.strings(key)?.unwrap_or_default().into_iter().map(|name| (key, name)));
        }
        for name in DRAFT_MAPS {
            let Some(mut old) = draft_map(&mut keys, name)? else { continue };
            for key in REQUIRE {
                names.extend(old.strings(key)?.unwrap_or_default().into_iter().map(|name| (key, name)));
            }
        }
        let range = |(key, name): &(&str, String)| {
            let group = known.find(name).or_else(|| known.find(&format!("secret/{name}")));
            let cases = group.map(Grading::cases).unwrap_or_default();
            match (cases.first(), cases.last()) {
                (Some(&from), Some(&to)) if first.is_none_or(|first| to < first) => Ok(from..to + 1),
                _ if name == "sample" => Ok(0..0),
                _ => Err(keys
                    .error(key, format!("there is no earlier group `{name}` with cases"))
                    .help("a group can only require groups whose cases precede its own")),
            }
        };
        names.iter().map(|name| Ok(Requirement { cases: range(name)?, part_passes: true })).collect()
    }
}

/// Returns whether `child` is a folder of samples for the statement or for download, which drafts of the format
/// defined. Such samples are not judged.
fn is_statement_only(folder: &str, child: &str) -> bool {
    folder == "data/sample" && (child == "statement" || child == "download")
}

/// Returns a list with the case of the static validator, or an empty list if the group has no such case.
fn static_case(rule: &Aggregate) -> Vec<Part> {
    rule.text.iter().map(|(case, _)| Part::Case(*case)).collect()
}

/// Makes a subgroup pass or fail as a whole, because its parent does.
fn all_or_nothing(part: &mut Part) {
    if let Part::Group(Grading { rule: Rule::Aggregate(rule), .. }) = part {
        rule.kind = AggregateKind::PassFail;
    }
}

/// Takes a map that only drafts define, or returns `None` if the key is missing. The legacy key `grading` with a string
/// value is not taken.
fn draft_map<'a>(keys: &mut YamlMap<'a>, name: &str) -> Result<Option<YamlMap<'a>>, Diagnostic> {
    if name == "grading" && !keys.is_map(name) { Ok(None) } else { keys.map(name) }
}

#[cfg(test)]
#[path = "testdata_tests.rs"]
mod tests;
