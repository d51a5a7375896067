//! Example submissions and their expected results, which are determined by the submissions' folders, by
//! `submissions.yaml`, or by DOMjudge's tags in the source code.

use crate::model::{Diagnostic, Verdict};
use crate::yaml::Value;

use super::super::glob;
use super::super::package_model::{
    ExpectedOutcome, PackageFormat, PackageSubmission, SubmissionExpectation, TimeLimitUse,
};
use super::super::tree::{PackageTree, TreeEntry, join};
use super::super::yaml_map::YamlMap;
use super::cases::is_accepted_name;

use Verdict::{
    Accepted, CompileError, Forbidden, IdleLimit, MemoryLimit, OutputLimit, PresentationError, RuntimeError, TimeLimit,
    WrongAnswer,
};

/// The verdicts that the format's verdict `AC` includes.
const AC: &[Verdict] = &[Accepted];
/// The verdicts that `WA` includes.
const WA: &[Verdict] = &[WrongAnswer, PresentationError, OutputLimit];
/// The verdicts that `TLE` includes. A program that never stops writing exceeds the output limit in this judge, but
/// the time limit in a judge without an output limit.
const TLE: &[Verdict] = &[TimeLimit, IdleLimit, OutputLimit];
/// The verdicts that `RTE` includes.
const RTE: &[Verdict] = &[RuntimeError, MemoryLimit, Forbidden];

/// Abbreviations of the format's four verdicts.
const VERDICT_WORDS: [&str; 4] = ["AC", "WA", "TLE", "RTE"];

/// The folders that version 2025-09 of the format defines, each with the verdicts that it permits and the verdicts that
/// it requires. An empty list means no restriction.
const FOLDERS: [(&str, &[&str], &[&str]); 6] = [
    ("accepted", &["AC"], &[]),
    ("rejected", &[], &["RTE", "TLE", "WA"]),
    ("wrong_answer", &["AC", "WA"], &["WA"]),
    ("time_limit_exceeded", &["AC", "TLE"], &["TLE"]),
    ("run_time_error", &["AC", "RTE"], &["RTE"]),
    ("brute_force", &["AC", "RTE", "TLE"], &["RTE", "TLE"]),
];

/// Reads the example submissions and their expected results.
///
/// # Errors
/// Fails if `submissions.yaml` is invalid or can't be read.
pub(super) fn read(
    tree: &PackageTree,
    format: PackageFormat,
    notes: &mut Vec<String>,
) -> Result<Vec<PackageSubmission>, Diagnostic> {
    let mut found = Vec::new();
    for (folder, entry) in tree.list("submissions") {
        if *entry != TreeEntry::Folder || !is_accepted_name(format, folder) {
            continue;
        }
        let below = join("submissions", folder);
        for (file, entry) in tree.list(&below) {
            let path = match entry {
                TreeEntry::File { path, .. } => path.clone(),
                TreeEntry::Folder => tree.root().join(&below).join(file),
            };
            if file.starts_with('.') || file.eq_ignore_ascii_case("readme.md") || file == "README" {
                continue;
            }
            if !is_accepted_name(format, file) {
                notes.push(format!("`{below}/{file}` is left out: the format does not allow its name"));
                continue;
            }
            let name = format!("{folder}/{file}");
            found.push(PackageSubmission {
                name,
                path,
                language: None,
                entry: None,
                expectations: Vec::new(),
                time_limit_use: TimeLimitUse::None,
                in_time_cases: Vec::new(),
            });
        }
    }
    if format.is_legacy() {
        found.iter_mut().for_each(|submission| apply_folder(tree, submission, notes));
    } else {
        apply_rules(tree, &mut found, notes)?;
    }
    found.sort_by_key(|submission| (!submission.name.starts_with("accepted/"), submission.name.clone()));
    Ok(found)
}

/// Applies the legacy rules: the folder, or otherwise a tag in the source code, determines the expected final verdict.
fn apply_folder(tree: &PackageTree, submission: &mut PackageSubmission, notes: &mut Vec<String>) {
    let folder = submission.name.split('/').next().unwrap_or_default().to_owned();
    let tags = tags(tree, submission, notes);
    let want = |what| SubmissionExpectation { source: folder.clone(), cases: None, outcome: what };
    let whole = |verdicts: &[Verdict]| want(ExpectedOutcome::Final(verdicts.to_vec()));
    submission.expectations = match folder.as_str() {
        "accepted" => vec![whole(AC)],
        "partially_accepted" => vec![whole(AC), want(ExpectedOutcome::NotBest)],
        "wrong_answer" => vec![whole(WA)],
        "time_limit_exceeded" => vec![whole(TLE)],
        "run_time_error" => vec![whole(RTE)],
        _ => tags.results.into_iter().collect(),
    };
    submission.expectations.extend(tags.score);
    if submission.expectations.is_empty() {
        notes.push(format!(
            "`{}` has no expected verdict: the legacy format defines none for its folder, and no tag specifies one",
            submission.name
        ));
    }
    submission.time_limit_use = match folder.as_str() {
        "accepted" => TimeLimitUse::Lower,
        "time_limit_exceeded" => TimeLimitUse::Upper,
        _ => TimeLimitUse::None,
    };
}

/// DOMjudge's tag for expected points.
const SCORE: &str = "@EXPECTED_SCORE@";

/// Returns whether a submission has DOMjudge's tag with a number of points.
pub(super) fn specify_points(submissions: &[PackageSubmission]) -> bool {
    let mut expectations = submissions.iter().flat_map(|submission| &submission.expectations);
    expectations.any(|one| one.source == SCORE && matches!(one.outcome, ExpectedOutcome::Score(..)))
}

/// The expected results in DOMjudge's tags.
#[derive(Debug, Clone, Default)]
struct DomjudgeTags {
    /// The expected verdicts. They apply only if nothing else specifies a verdict.
    results: Option<SubmissionExpectation>,
    /// The expected points.
    score: Option<SubmissionExpectation>,
}

/// Reads the tags. The tag for points may also contain verdicts. As in DOMjudge, the verdicts are ignored if more than
/// one tag specifies verdicts, and the points if more than one tag specifies points.
fn tags(tree: &PackageTree, submission: &PackageSubmission, notes: &mut Vec<String>) -> DomjudgeTags {
    const RESULTS: &str = "@EXPECTED_RESULTS@";
    let path = join("submissions", &submission.name);
    let files = if tree.is_folder(&path) { tree.files_below(&path) } else { vec![path] };
    let (mut results, mut scores) = (Vec::new(), Vec::new());
    for file in files {
        let Ok(Some(bytes)) = tree.bytes(&file) else { continue };
        let text = String::from_utf8_lossy(&bytes).to_ascii_uppercase();
        for tag in [RESULTS, SCORE] {
            for rest in text.split(&format!("{tag}:")).skip(1) {
                let line = rest.lines().next().unwrap_or_default().trim().trim_end_matches("*/").trim_end();
                match line.parse::<f64>().ok().filter(|points| points.is_finite()) {
                    Some(points) if tag == SCORE => scores.push(ExpectedOutcome::Score(points, points)),
                    _ => results.push((tag, line.split(',').flat_map(|word| domjudge(word.trim())).collect())),
                }
            }
        }
    }
    for (count, what) in [(results.len(), "verdicts"), (scores.len(), "points")] {
        if count > 1 {
            let name = &submission.name;
            notes.push(format!("`{name}`: DOMjudge's tags for {what} are ignored, because there are several"));
        }
    }
    let want = |by: &str, what| SubmissionExpectation { source: by.to_owned(), cases: None, outcome: what };
    DomjudgeTags {
        results: match results.as_slice() {
            // The tag specifies no verdict, as for `CHECK-MANUALLY`.
            [(_, verdicts)] if Vec::is_empty(verdicts) => None,
            [(tag, verdicts)] => Some(want(tag, ExpectedOutcome::Final(verdicts.clone()))),
            _ => None,
        },
        score: if let [score] = scores.as_slice() { Some(want(SCORE, score.clone())) } else { None },
    }
}

/// Returns the verdicts that a result name of DOMjudge includes; empty for an unknown name.
fn domjudge(word: &str) -> Vec<Verdict> {
    match word.replace('_', "-").as_str() {
        "CORRECT" | "ACCEPTED" => AC.to_vec(),
        "WRONG-ANSWER" => vec![WrongAnswer, PresentationError],
        "TIMELIMIT" | "TIME-LIMIT-EXCEEDED" => TLE.to_vec(),
        "RUN-ERROR" | "RUN-TIME-ERROR" => RTE.to_vec(),
        "OUTPUT-LIMIT" => vec![OutputLimit],
        "MEMORY-LIMIT" => vec![MemoryLimit, RuntimeError],
        "COMPILER-ERROR" => vec![CompileError],
        "NO-OUTPUT" => vec![WrongAnswer],
        _ => Vec::new(),
    }
}

/// The requirements on the programs that a glob of `submissions.yaml` matches.
#[derive(Debug, Clone, Default)]
struct SubmissionRule {
    permitted: Option<Vec<String>>,
    required: Option<Vec<String>>,
    score: Option<(f64, f64)>,
    message: Option<String>,
    time_limit_use: Option<TimeLimitUse>,
}

/// Applies the default rules of the folders and the rules of `submissions.yaml` (format 2023-07 and later). A rule
/// restricts the verdicts of the submissions that match its glob, on all cases or on the cases it names.
fn apply_rules(tree: &PackageTree, found: &mut [PackageSubmission], notes: &mut Vec<String>) -> Result<(), Diagnostic> {
    let words = |list: &[&str]| Some(list.iter().map(|word| (*word).to_owned()).collect());
    let mut rules: Vec<(String, Option<String>, SubmissionRule)> = Vec::new();
    for (folder, permitted, required) in FOLDERS {
        let rule = SubmissionRule {
            permitted: words(permitted).filter(|list: &Vec<String>| !list.is_empty()),
            required: words(required).filter(|list: &Vec<String>| !list.is_empty()),
            ..SubmissionRule::default()
        };
        rules.push((folder.to_owned(), None, rule));
    }
    let path = "submissions/submissions.yaml";
    let text = tree.text(path)?.unwrap_or_default();
    let origin = tree.origin(path);
    let mut keys = YamlMap::parse(&origin, &text)?;
    for pattern in keys.names() {
        let Some(value) = keys.take(&pattern) else { continue };
        if !matches!(value, Value::Mapping(_)) {
            notes.push(format!("submissions.yaml: `{pattern}` is ignored, because its value is not a map"));
            continue;
        }
        let mut map = keys.as_map(&pattern, value)?;
        let language = map.string("language")?;
        let entry = map.string("entrypoint")?;
        for submission in found.iter_mut().filter(|submission| glob::matches(&pattern, &submission.name)) {
            submission.language = language.clone().or(submission.language.take());
            submission.entry = entry.clone().or(submission.entry.take());
        }
        map.take("authors");
        map.take("model_solution");
        let rule = rule(&mut map)?;
        for of in map.names() {
            let Some(value) = map.take(&of) else { continue };
            if !matches!(value, Value::Mapping(_)) {
                notes.push(format!("submissions.yaml: the unknown key `{of}` in `{pattern}` is ignored"));
            } else {
                let mut inner = map.as_map(&of, value)?;
                let inner_rule = self::rule(&mut inner)?;
                inner.finish(notes);
                rules.push((pattern.clone(), Some(of), inner_rule));
            }
        }
        match rules.iter_mut().find(|(known, of, _)| *known == pattern && of.is_none()) {
            Some((_, _, default)) => default.replace_by(rule),
            None => rules.push((pattern, None, rule)),
        }
    }
    for submission in found {
        let folder = submission.name.split('/').next().unwrap_or_default().to_owned();
        let name = submission.name.clone();
        let mut uses: Vec<TimeLimitUse> = Vec::new();
        for (pattern, of, rule) in rules.iter().filter(|(pattern, ..)| glob::matches(pattern, &name)) {
            submission.expectations.extend(rule.expectations(pattern, of.as_deref()));
            let time_limit_use = rule.time_limit_use.unwrap_or_else(|| rule.default_time_limit_use());
            match of {
                // A requirement on some cases does not bound the program's time in the other cases.
                Some(cases) if time_limit_use == TimeLimitUse::Lower => {
                    submission.in_time_cases.extend(rule.time_limit_use.map(|_| cases.clone()));
                }
                _ => uses.push(time_limit_use),
            }
        }
        let time_limit_use =
            [TimeLimitUse::Upper, TimeLimitUse::Lower].into_iter().find(|time_limit_use| uses.contains(time_limit_use));
        submission.time_limit_use = time_limit_use.unwrap_or_default();
        if folder == "partially_accepted" {
            submission.expectations.push(SubmissionExpectation {
                source: folder,
                cases: None,
                outcome: ExpectedOutcome::NotBest,
            });
        }
        let tags = tags(tree, submission, notes);
        submission.expectations.extend(tags.results.filter(|_| submission.expectations.is_empty()));
        submission.expectations.extend(tags.score);
        if submission.expectations.is_empty() {
            notes.push(format!(
                "`{name}` has no expected verdict: neither its folder nor `submissions.yaml` nor a tag specifies one"
            ));
        }
    }
    Ok(())
}

fn rule(map: &mut YamlMap<'_>) -> Result<SubmissionRule, Diagnostic> {
    let verdicts = |map: &mut YamlMap<'_>, key: &str| -> Result<Option<Vec<String>>, Diagnostic> {
        let list = map.strings(key)?;
        let wrong = list.iter().flatten().find(|word| !VERDICT_WORDS.contains(&word.as_str()));
        match wrong {
            Some(word) => Err(map.error(key, format!("expected `AC`, `WA`, `TLE` or `RTE`, found `{word}`"))),
            // An empty list stands for all verdicts.
            None => Ok(list.map(|list| if list.is_empty() { VERDICT_WORDS.map(str::to_owned).to_vec() } else { list })),
        }
    };
    let (permitted, required) = (verdicts(map, "permitted")?, verdicts(map, "required")?);
    let score = match map.strings("score")? {
        None => None,
        Some(bounds) => {
            let numbers: Vec<f64> = bounds.iter().filter_map(|bound| bound.parse().ok()).collect();
            match numbers[..] {
                [one] if bounds.len() == 1 => Some((one, one)),
                [low, high] if bounds.len() == 2 => Some((low, high)),
                _ => return Err(map.error("score", "expected a number or a list of two numbers")),
            }
        }
    };
    let time_limit_use = match map.string("use_for_time_limit")?.as_deref() {
        None => None,
        Some("false") => Some(TimeLimitUse::None),
        Some("lower") => Some(TimeLimitUse::Lower),
        Some("upper") => Some(TimeLimitUse::Upper),
        // `None` selects the default, which is derived from the permitted and required verdicts.
        Some("true") => None,
        Some(_) => {
            return Err(map.error("use_for_time_limit", "expected `true`, `false`, `lower` or `upper`"));
        }
    };
    Ok(SubmissionRule { permitted, required, score, message: map.string("message")?, time_limit_use })
}

impl SubmissionRule {
    /// Replaces each value for which `other` specifies a value. A glob that is the name of a default folder extends the
    /// rule of that folder.
    fn replace_by(&mut self, other: SubmissionRule) {
        self.permitted = other.permitted.or(self.permitted.take());
        self.required = other.required.or(self.required.take());
        self.score = other.score.or(self.score.take());
        self.message = other.message.or(self.message.take());
        self.time_limit_use = other.time_limit_use.or(self.time_limit_use.take());
    }

    fn expectations(&self, by: &str, of: Option<&str>) -> Vec<SubmissionExpectation> {
        let want = |what| SubmissionExpectation { source: by.to_owned(), cases: of.map(str::to_owned), outcome: what };
        let mut expectations = Vec::new();
        let said = |list: Option<&[String]>| list.map(to_verdicts);
        // If the time of a submission is a lower bound for the time limit, each case must have one of these verdicts,
        // unless the rule lists the permitted verdicts.
        let in_time = || (self.time_limit_use == Some(TimeLimitUse::Lower)).then(|| [AC, WA, RTE].concat());
        let too_slow = || (self.time_limit_use == Some(TimeLimitUse::Upper)).then(|| TLE.to_vec());
        expectations.extend(
            said(self.permitted.as_deref()).or_else(in_time).map(|list| want(ExpectedOutcome::Permitted(list))),
        );
        expectations
            .extend(said(self.required.as_deref()).or_else(too_slow).map(|list| want(ExpectedOutcome::Required(list))));
        expectations.extend(self.score.map(|(low, high)| want(ExpectedOutcome::Score(low, high))));
        expectations.extend(self.message.clone().map(|text| want(ExpectedOutcome::Message(text))));
        expectations
    }

    /// Returns the default effect on the time limit, which is derived from the verdicts.
    fn default_time_limit_use(&self) -> TimeLimitUse {
        let may_be_slow = self.permitted.as_ref().is_none_or(|list| list.iter().any(|word| word == "TLE"));
        match &self.required {
            Some(list) if list.iter().all(|word| word == "TLE") => TimeLimitUse::Upper,
            _ if !may_be_slow => TimeLimitUse::Lower,
            _ => TimeLimitUse::None,
        }
    }
}

/// Converts abbreviations such as `AC` to the verdicts that they include.
fn to_verdicts(list: &[String]) -> Vec<Verdict> {
    let each = list.iter().flat_map(|word| match word.as_str() {
        "AC" => AC,
        "WA" => WA,
        "TLE" => TLE,
        _ => RTE,
    });
    each.copied().collect()
}

#[cfg(test)]
#[path = "submissions_tests.rs"]
mod tests;
