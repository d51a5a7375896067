//! The tree of test data: its groups, what their files say, and the cases in the order in which they are judged.

use std::collections::BTreeMap;

use crate::lang::fill_constants;
use crate::model::{
    Aggregate, AggregateKind, Diagnostic, Grader, Grading, Part, Points, Requirement, Rule, Score, ScoreMode,
    VerdictMode,
};

use super::super::model::{PackageCase, PackageFormat, SkippedCase, ValidatorTest};
use super::super::tree::{Tree, TreeEntry, join};
use super::super::yaml_map::YamlMap;
use super::cases::{self, Inherited, is_taken};
use super::metadata::{Metadata, OldGrading};

mod validator_tests;

/// The key that names the groups that must be passed first, and as drafts spelt it.
const REQUIRE: [&str; 2] = ["require_pass", "require-pass"];

/// The maps that drafts had for what a group's file says itself.
const OF_DRAFTS: [&str; 2] = ["scoring", "grading"];

/// What the test data says.
#[derive(Debug, Clone)]
pub(super) struct Data {
    pub(super) cases: Vec<PackageCase>,
    pub(super) grading: Grading,
    pub(super) validator_tests: Vec<ValidatorTest>,
    pub(super) skipped_cases: Vec<SkippedCase>,
    /// A group asks for a grader of its own.
    pub(super) custom_grader: bool,
}

/// Programs that the package has, for groups that ask for them.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Own {
    pub(super) grader: bool,
    pub(super) static_validator: bool,
}

/// Reads `data/`. Groups are graded by the package's own grader only if it has one.
///
/// # Errors
/// A group's or a case's file that makes no sense, or no case at all.
pub(super) fn read(tree: &Tree, metadata: &Metadata, own: Own, notes: &mut Vec<String>) -> Result<Data, Diagnostic> {
    let mut reader = Reader {
        tree,
        format: metadata.format,
        scoring: metadata.kind.scoring,
        old: &metadata.grading,
        constants: &metadata.constants,
        notes,
        cases: Vec::new(),
        skipped_cases: Vec::new(),
        own,
        custom_grader: false,
        of_all: Inherited::default(),
    };
    let by_grader = metadata.format.is_legacy() || metadata.format == PackageFormat::Draft2023 && has_old_keys(tree)?;
    let grading = if by_grader { reader.old_root()? } else { reader.new_root()? };
    let validator_tests = reader.validator_tests()?;
    let Reader { cases, skipped_cases, custom_grader, .. } = reader;
    if cases.is_empty() {
        let help = "cases are pairs such as `data/secret/1.in` and `data/secret/1.ans`";
        return Err(Diagnostic::new("the package has no test case").in_file(tree.origin("data")).help(help));
    }
    Ok(Data { cases, grading, validator_tests, skipped_cases, custom_grader })
}

/// Whether the groups' files have keys that only the old version had: packages that call themselves 2023-07 mix both.
fn has_old_keys(tree: &Tree) -> Result<bool, Diagnostic> {
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

struct Reader<'a> {
    tree: &'a Tree,
    format: PackageFormat,
    scoring: bool,
    old: &'a OldGrading,
    constants: &'a BTreeMap<String, String>,
    notes: &'a mut Vec<String>,
    cases: Vec<PackageCase>,
    skipped_cases: Vec<SkippedCase>,
    own: Own,
    custom_grader: bool,
    /// What stands above all groups, which goes for the cases that test validators too.
    of_all: Inherited,
}

/// A group's settings as the old version passes them on to the groups below.
#[derive(Debug, Clone)]
struct OldSettings {
    grader: Grader,
    /// Its flags as they are written, and whether they are for the package's own grader.
    flags: Vec<String>,
    custom: bool,
    inherited: Inherited,
}

impl Reader<'_> {
    /// The text of a group's file, and its path.
    fn config(&self, folder: &str) -> Result<Option<(String, String)>, Diagnostic> {
        for file in ["test_group.yaml", "testdata.yaml"] {
            let path = join(folder, file);
            if let Some(text) = self.tree.text(&path)? {
                return Ok(Some((self.tree.origin(&path), fill_constants(&text, self.constants))));
            }
        }
        Ok(None)
    }

    /// Folders whose names are the format's.
    fn folders(&mut self, folder: &str) -> Vec<String> {
        let mut found = Vec::new();
        for (child, entry) in self.tree.list(folder) {
            if *entry != TreeEntry::Folder || child.ends_with(".files") {
                continue;
            }
            if is_taken(self.format, child) {
                found.push(child.to_owned());
            } else if !child.starts_with('.') {
                self.notes.push(format!("`{}` is left out: its name is not one of the format's", join(folder, child)));
            }
        }
        found
    }

    /// The names of a folder's cases. Answers without an input are left out.
    fn stems(&mut self, folder: &str) -> Vec<String> {
        let lost = self.tree.list(folder).filter_map(|(file, _)| file.strip_suffix(".ans"));
        let lost =
            lost.filter(|stem| self.tree.file(&format!("{folder}/{stem}.in")).is_none() && !stem.starts_with('.'));
        for stem in lost {
            let case = join(folder.strip_prefix("data/").unwrap_or_default(), stem);
            self.skipped_cases.push(SkippedCase { case, why: "for there is no `.in`".to_owned() });
        }
        cases::names(self.tree, folder, self.format, &mut self.skipped_cases)
    }

    /// Reads a case; one without an answer is left out.
    fn case(&mut self, folder: &str, stem: &str, inherited: &Inherited) -> Result<Option<usize>, Diagnostic> {
        let read = cases::read(self.tree, folder, stem, self.format, inherited.clone(), self.notes)?;
        let Some(case) = read else { return Ok(None) };
        if case.answer.is_none() {
            self.skipped_cases.push(SkippedCase { case: case.name, why: "for there is no `.ans`".to_owned() });
            return Ok(None);
        }
        self.cases.push(case);
        Ok(Some(self.cases.len() - 1))
    }

    /// The old version: a tree of any depth, in which settings go down.
    fn old_root(&mut self) -> Result<Grading, Diagnostic> {
        let settings = OldSettings {
            grader: Grader {
                verdict: VerdictMode::Worst,
                score: ScoreMode::Sum,
                ignore_sample: false,
                accept_if_any: false,
                accept_score: Points::thousandths(1_000),
                reject_score: Points::ZERO,
                stop: true,
                range: (None, None),
                program: None,
            },
            flags: Vec::new(),
            custom: false,
            inherited: Inherited::default(),
        };
        for child in self.folders("data") {
            if child != "sample" && child != "secret" {
                self.notes.push(format!("`data/{child}` is left out: only `sample` and `secret` are judged"));
            }
        }
        self.old_group("data", settings, |child| child == "sample" || child == "secret")
    }

    fn old_group(
        &mut self,
        folder: &str,
        mut settings: OldSettings,
        wanted: fn(&str) -> bool,
    ) -> Result<Grading, Diagnostic> {
        if let Some((origin, text)) = self.config(folder)? {
            let mut keys = YamlMap::parse(&origin, &text)?;
            self.old_settings(&mut keys, &mut settings)?;
            keys.finish(self.notes);
        }
        if folder == "data" {
            self.of_all = settings.inherited.clone();
        }
        let mut grader = settings.grader.clone();
        grader.program = (settings.custom && self.own.grader).then(|| settings.flags.clone());
        self.before_all(&mut grader);
        // Groups and cases are mixed, by the names of folders and of answers.
        let mut order: Vec<(String, Option<String>)> = Vec::new();
        order.extend(self.folders(folder).into_iter().filter(|child| wanted(child)).map(|child| (child, None)));
        let stems = self.stems(folder);
        order.extend(stems.into_iter().map(|stem| (format!("{stem}.ans"), Some(stem))));
        order.sort();
        let mut parts = Vec::new();
        for (child, stem) in order {
            match stem {
                Some(stem) => parts.extend(self.case(folder, &stem, &settings.inherited)?.map(Part::Case)),
                None => {
                    parts.push(Part::Group(self.old_group(&join(folder, &child), settings.clone(), |_| true)?));
                }
            }
        }
        let name = folder.strip_prefix("data/").unwrap_or("").to_owned();
        Ok(Grading { name, rule: Rule::Grader(grader), parts })
    }

    /// What the old `grading` of `problem.yaml` says stands before what the groups say.
    fn before_all(&self, grader: &mut Grader) {
        grader.accept_score = self.old.accept_score.unwrap_or(grader.accept_score);
        grader.reject_score = self.old.reject_score.unwrap_or(grader.reject_score);
        grader.range = self.old.range.as_deref().and_then(range).unwrap_or(grader.range);
        grader.stop = self.old.stop.unwrap_or(grader.stop);
    }

    fn old_settings(&mut self, keys: &mut YamlMap<'_>, settings: &mut OldSettings) -> Result<(), Diagnostic> {
        let grader = &mut settings.grader;
        match keys.string("on_reject")?.as_deref() {
            None => {}
            Some("break") => grader.stop = true,
            Some("continue") => grader.stop = false,
            Some(_) => return Err(keys.wrong("on_reject", "`break` or `continue` is expected here")),
        }
        match keys.string("grading")?.as_deref() {
            None => {}
            Some("default") => settings.custom = false,
            Some("custom") => (settings.custom, self.custom_grader) = (true, true),
            Some(_) => return Err(keys.wrong("grading", "`default` or `custom` is expected here")),
        }
        if let Some(flags) = keys.words("grader_flags")? {
            (grader.verdict, grader.score) = (VerdictMode::Worst, ScoreMode::Sum);
            (grader.ignore_sample, grader.accept_if_any) = (false, false);
            let of_default = !settings.custom || !self.own.grader;
            for flag in &flags {
                if !set_flag(grader, flag) && of_default {
                    self.notes.push(format!("the grader flag `{flag}` is not the default grader's"));
                }
            }
            settings.flags = flags;
        }
        let points = |score: Option<f64>| score.and_then(Points::nearest);
        grader.accept_score = points(keys.number("accept_score")?).unwrap_or(grader.accept_score);
        grader.reject_score = points(keys.number("reject_score")?).unwrap_or(grader.reject_score);
        if let Some(text) = keys.string("range")? {
            grader.range = range(&text).ok_or_else(|| keys.wrong("range", "two numbers are expected here"))?;
        }
        settings.inherited.take(keys)
    }

    /// Version 2025-09: samples, and secret cases or one level of groups.
    fn new_root(&mut self) -> Result<Grading, Diagnostic> {
        self.note_other_folders();
        let mut inherited = self.arguments("data", Inherited::default())?;
        self.of_all = inherited.clone();
        let sample = self.new_group("data/sample", inherited.clone(), false)?;
        let (mut secret, _) = self.new_settings("data/secret", &mut inherited, self.scoring)?;
        let folders = self.folders("data/secret");
        let mut parts = text_of(&secret);
        if folders.iter().any(|child| self.is_group(child)) {
            parts.extend(self.beside_groups(&inherited)?);
            for child in folders {
                let folder = format!("data/secret/{child}");
                if self.scoring && !self.is_group(&child) {
                    self.notes.push(format!("`{folder}` has no test_group.yaml: it is a group without points"));
                }
                parts.push(Part::Group(self.new_group(&folder, inherited.clone(), true)?));
            }
        } else {
            parts.extend(self.all_below("data/secret", &inherited)?);
        }
        if secret.kind == AggregateKind::PassFail {
            parts.iter_mut().for_each(all_or_nothing);
        }
        secret.require = self.required("data/secret", &sample)?;
        let secret = Grading { name: "secret".to_owned(), rule: Rule::Aggregate(secret), parts };
        let root =
            Aggregate { kind: AggregateKind::Sum, most: None, require: Vec::new(), scored: self.scoring, text: None };
        let parts = [sample, secret].into_iter().filter(|group| !group.parts.is_empty()).map(Part::Group).collect();
        let mut root = Grading { name: String::new(), rule: Rule::Aggregate(root), parts };
        self.require_all(&mut root)?;
        Ok(root)
    }

    /// Cases that lie in `secret` beside groups. The text allows none, earlier drafts did, and packages have them: they must
    /// be accepted, and earn nothing.
    fn beside_groups(&mut self, inherited: &Inherited) -> Result<Vec<Part>, Diagnostic> {
        let mut parts = Vec::new();
        for stem in self.stems("data/secret") {
            parts.extend(self.case("data/secret", &stem, inherited)?.map(Part::Case));
        }
        if parts.is_empty() || !self.scoring {
            return Ok(parts);
        }
        self.notes.push("`data/secret` has cases beside its groups: they earn no points".to_owned());
        let rule =
            Aggregate { kind: AggregateKind::PassFail, most: None, require: Vec::new(), scored: true, text: None };
        Ok(vec![Part::Group(Grading { name: "secret".to_owned(), rule: Rule::Aggregate(rule), parts })])
    }

    /// Notes the folders of `data` that nobody reads.
    fn note_other_folders(&mut self) {
        let known = |child: &str| {
            ["sample", "secret"].contains(&child)
                || validator_tests::FOLDERS.iter().any(|(folder, _)| folder.ends_with(&format!("/{child}")))
        };
        for child in self.folders("data").into_iter().filter(|child| !known(child)) {
            self.notes.push(format!("`data/{child}` is left out: it is not one of the format's"));
        }
    }

    /// What a folder's file says of arguments, over what holds above it. The text knows such files in groups alone, but the
    /// tool by which most packages of this version are made has one in `data` itself and hands arguments down from
    /// folder to folder, as the drafts did.
    fn arguments(&mut self, folder: &str, mut above: Inherited) -> Result<Inherited, Diagnostic> {
        if let Some((origin, text)) = self.config(folder)? {
            let mut keys = YamlMap::parse(&origin, &text)?;
            above.take(&mut keys)?;
            keys.finish(self.notes);
        }
        Ok(above)
    }

    fn is_group(&self, child: &str) -> bool {
        ["test_group.yaml", "testdata.yaml"]
            .iter()
            .any(|file| self.tree.file(&format!("data/secret/{child}/{file}")).is_some())
    }

    fn new_group(&mut self, folder: &str, mut inherited: Inherited, secret: bool) -> Result<Grading, Diagnostic> {
        let (mut rule, of_each) = self.new_settings(folder, &mut inherited, self.scoring && secret)?;
        if !secret {
            rule = Aggregate { kind: AggregateKind::PassFail, most: None, ..rule };
        }
        let parts = [text_of(&rule), self.all_below(folder, &inherited)?].concat();
        if let Some(points) = of_each {
            rule.most = Some(parts.iter().fold(Score::ZERO, |sum, _| sum.plus(points)));
        }
        let name = folder.strip_prefix("data/").unwrap_or(folder).to_owned();
        Ok(Grading { name, rule: Rule::Aggregate(rule), parts })
    }

    /// All cases below a folder, by name: folders in a group are no groups, and yet may have arguments of their own.
    fn all_below(&mut self, folder: &str, inherited: &Inherited) -> Result<Vec<Part>, Diagnostic> {
        let mut open = vec![(folder.to_owned(), inherited.clone())];
        let mut found = Vec::new();
        while let Some((folder, inherited)) = open.pop() {
            for child in self.folders(&folder) {
                if !(self.format == PackageFormat::Draft2023 && is_for_show(&folder, &child)) {
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

    /// The rule of a group, and the points of each of its cases if that is what its file says.
    fn new_settings(
        &mut self,
        folder: &str,
        inherited: &mut Inherited,
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
        for name in OF_DRAFTS {
            if let Some(mut old) = draft_map(&mut keys, name)? {
                read_scoring(&mut old, &mut rule, "aggregation", "max_score")?;
                let most = rule.most;
                read_scoring(&mut old, &mut rule, "aggregation", "score")?;
                // In `grading`, the points of a group that adds up are those of each case.
                if name == "grading" && rule.kind == AggregateKind::Sum && rule.most != most {
                    (of_each, rule.most) = (rule.most, most);
                }
                REQUIRE.iter().for_each(|key| _ = old.take(key));
                old.finish(self.notes);
            }
        }
        self.read_text_case(&mut keys, &mut rule, folder)?;
        REQUIRE.iter().chain(&["description", "hint"]).for_each(|key| _ = keys.take(key));
        keys.finish(self.notes);
        Ok((rule, of_each))
    }

    /// The case of a group in which the program's text is judged, if it has one. It comes before the others.
    fn read_text_case(&mut self, keys: &mut YamlMap<'_>, rule: &mut Aggregate, folder: &str) -> Result<(), Diagnostic> {
        const KEY: &str = "static_validation_score";
        let args = keys.words("static_validator_args")?;
        let Some(score) = keys.string(KEY)? else {
            if args.is_some() {
                self.notes.push(format!("`{folder}` has arguments for a static validator and no `{KEY}`"));
            }
            return Ok(());
        };
        if !self.own.static_validator {
            return Err(keys.wrong(KEY, "the package has no static validator").help("it lies in `static_validator/`"));
        }
        let shares = rule.scored && rule.kind != AggregateKind::PassFail;
        let most = match (score.as_str(), shares) {
            ("pass-fail", false) => Score::ZERO,
            ("pass-fail", true) => return Err(keys.wrong(KEY, "points are expected in a group that adds points up")),
            (_, false) => {
                return Err(keys.wrong(KEY, "`pass-fail` is expected where a group passes or fails as a whole"));
            }
            (number, true) => {
                let points = number.parse::<f64>().ok().filter(|points| (0.0..=1e9).contains(points));
                let points = points.and_then(Points::nearest).map(Points::score);
                points.ok_or_else(|| keys.wrong(KEY, "points of 0 or more, or `pass-fail`, are expected here"))?
            }
        };
        if rule.most.is_some_and(|whole| shares && most > whole) {
            return Err(keys.wrong(KEY, "it is more than the whole group has"));
        }
        rule.text = Some((self.cases.len(), most));
        let name = join(folder, "@static");
        self.cases.push(cases::of_text(name.strip_prefix("data/").unwrap_or(&name), args.unwrap_or_default()));
        Ok(())
    }

    /// Fills in what groups require, once the places of all cases are known.
    fn require_all(&mut self, root: &mut Grading) -> Result<(), Diagnostic> {
        let before = root.clone();
        for part in &mut root.parts {
            let Part::Group(group) = part else { continue };
            for part in &mut group.parts {
                let Part::Group(inner) = part else { continue };
                let folder = format!("data/{}", inner.name);
                let require = self.required(&folder, &before)?;
                if let Rule::Aggregate(rule) = &mut inner.rule {
                    rule.require = require;
                }
            }
        }
        Ok(())
    }

    /// The cases of the groups that this one requires. Who gets a share of one is accepted: its validator said 42.
    fn required(&self, folder: &str, known: &Grading) -> Result<Vec<Requirement>, Diagnostic> {
        let Some((origin, text)) = self.config(folder)? else { return Ok(Vec::new()) };
        let mut keys = YamlMap::parse(&origin, &text)?;
        let mut names = Vec::new();
        for key in REQUIRE {
            names.extend(keys.strings(key)?.unwrap_or_default());
        }
        for name in OF_DRAFTS {
            let Some(mut old) = draft_map(&mut keys, name)? else { continue };
            for key in REQUIRE {
                names.extend(old.strings(key)?.unwrap_or_default());
            }
        }
        let range = |name: &String| {
            let group = known.find(name).or_else(|| known.find(&format!("secret/{name}")));
            let cases = group.map(Grading::cases).unwrap_or_default();
            match (cases.first(), cases.last()) {
                (Some(first), Some(last)) => Ok(*first..last + 1),
                _ if name == "sample" => Ok(0..0),
                _ => Err(keys.wrong(REQUIRE[0], format!("there is no group `{name}` with cases before this one"))),
            }
        };
        names.iter().map(|name| Ok(Requirement { cases: range(name)?, part_passes: true })).collect()
    }
}

/// Sets a flag of the default grader; false if it has none of this name.
fn set_flag(grader: &mut Grader, flag: &str) -> bool {
    match flag {
        "worst_error" | "no_errors" => grader.verdict = VerdictMode::Worst,
        "first_error" => grader.verdict = VerdictMode::First,
        "always_accept" => grader.verdict = VerdictMode::Accept,
        "sum" => grader.score = ScoreMode::Sum,
        "avg" => grader.score = ScoreMode::Average,
        "min" => grader.score = ScoreMode::Least,
        "max" => grader.score = ScoreMode::Most,
        "ignore_sample" => grader.ignore_sample = true,
        "accept_if_any_accepted" => grader.accept_if_any = true,
        _ => return false,
    }
    true
}

/// Whether this is a folder of samples that drafts had for the statement or for download, which nobody is judged by.
fn is_for_show(folder: &str, child: &str) -> bool {
    folder == "data/sample" && (child == "statement" || child == "download")
}

/// The case in which the program's text is judged, as a part of the group.
fn text_of(rule: &Aggregate) -> Vec<Part> {
    rule.text.iter().map(|(case, _)| Part::Case(*case)).collect()
}

/// A group that passes or fails as a whole makes all groups in it do so.
fn all_or_nothing(part: &mut Part) {
    if let Part::Group(Grading { rule: Rule::Aggregate(rule), .. }) = part {
        rule.kind = AggregateKind::PassFail;
    }
}

/// Takes such a map. The old version's `grading`, which is a word, is left where it is.
fn draft_map<'a>(keys: &mut YamlMap<'a>, name: &str) -> Result<Option<YamlMap<'a>>, Diagnostic> {
    if name == "grading" && !keys.is_map(name) { Ok(None) } else { keys.map(name) }
}

fn read_scoring(keys: &mut YamlMap<'_>, rule: &mut Aggregate, kind: &str, most: &str) -> Result<(), Diagnostic> {
    match keys.string(kind)?.as_deref() {
        None => {}
        Some("sum") => rule.kind = AggregateKind::Sum,
        Some("min") => rule.kind = AggregateKind::Least,
        Some("pass-fail") => rule.kind = AggregateKind::PassFail,
        Some(_) => return Err(keys.wrong(kind, "`pass-fail`, `sum` or `min` is expected here")),
    }
    match keys.take(most).as_ref().and_then(super::super::yaml_map::scalar) {
        None => {}
        Some(text) if text == "unbounded" => rule.most = None,
        Some(text) => {
            let points = text.parse::<f64>().ok().filter(|points| (0.0..=1e9).contains(points));
            let wrong = || keys.wrong(most, "points of 0 or more, or `unbounded`, are expected here");
            rule.most = Some(points.and_then(Points::nearest).ok_or_else(wrong)?.score());
        }
    }
    Ok(())
}

/// Two numbers, each of which may be infinite: nothing for an infinite one.
fn range(text: &str) -> Option<(Option<Points>, Option<Points>)> {
    let mut bounds = text.split_whitespace().map(|word| word.parse::<f64>().ok().filter(|bound| !bound.is_nan()));
    let (low, high) = (bounds.next()??, bounds.next()??);
    let finite = |bound: f64| bound.is_finite().then(|| Points::nearest(bound)).flatten();
    bounds.next().is_none().then(|| (finite(low), finite(high)))
}

#[cfg(test)]
#[path = "testdata_tests.rs"]
mod tests;
