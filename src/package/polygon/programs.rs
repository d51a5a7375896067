//! Solutions of Polygon packages, their languages, and the files that are compiled with them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::model::Verdict;

use super::super::glob;
use super::super::package_model::{ExpectedOutcome, PackageSubmission, SubmissionExpectation, TimeLimitUse};
use super::super::tree::PackageTree;
use super::super::xml::Element;

/// The interpretation of a source type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SourceType {
    /// The id of a supported language.
    Language(&'static str),
    /// Python 2, which is not supported.
    Python2,
}

/// Prefixes of source types, each with its interpretation. A version or a compiler may follow the prefix in a source
/// type. The first prefix that matches is used.
const TYPES: [(&str, SourceType); 24] = [
    ("python2", SourceType::Python2),
    ("python3", SourceType::Language("python")),
    ("pypy2", SourceType::Python2),
    ("pypy3", SourceType::Language("pypy")),
    ("python.pypy2", SourceType::Python2),
    ("python.pypy", SourceType::Language("pypy")),
    ("python.2", SourceType::Python2),
    ("python.3", SourceType::Language("python")),
    ("javascript", SourceType::Language("javascript")),
    ("haskell", SourceType::Language("haskell")),
    ("csharp", SourceType::Language("csharp")),
    ("kotlin", SourceType::Language("kotlin")),
    ("ocaml", SourceType::Language("ocaml")),
    ("perl", SourceType::Language("perl")),
    ("ruby", SourceType::Language("ruby")),
    ("rust", SourceType::Language("rust")),
    ("java", SourceType::Language("java")),
    ("cpp", SourceType::Language("cpp")),
    ("pas", SourceType::Language("pascal")),
    ("lua", SourceType::Language("lua")),
    ("go", SourceType::Language("go")),
    ("js", SourceType::Language("javascript")),
    ("c", SourceType::Language("c")),
    // Header files have types such as `h.g++`.
    ("h", SourceType::Language("cpp")),
];

/// Languages for which files may be compiled with solutions, each with its code in [`Package::include`] and the source
/// types of its solutions.
///
/// [`Package::include`]: super::super::package_model::Package::include
const FAMILIES: [(&str, &[&str]); 9] = [
    ("c", &["c.gcc"]),
    ("cpp", &["cpp.g++17", "cpp.gcc14-64-msys2-g++23"]),
    ("csharp", &["csharp.mono"]),
    ("go", &["go", "go.1"]),
    ("java", &["java21", "java.21"]),
    ("kotlin", &["kotlin19", "kotlin.19"]),
    ("pascal", &["pas.fpc", "pas.dpr"]),
    ("python3", &["python.3", "python.pypy3-64"]),
    ("rust", &["rust", "rust.2021"]),
];

/// Interprets a source type such as `cpp.g++17`. Returns `None` if it is unknown.
fn source_type(of: &str) -> Option<SourceType> {
    let begins = |start: &str| of.strip_prefix(start).is_some_and(|rest| !rest.starts_with(char::is_alphabetic));
    TYPES.iter().find(|(start, _)| begins(start)).map(|(_, kind)| *kind)
}

/// Maximum length of a type pattern, in bytes. Longer patterns are ignored.
const LONGEST_PATTERN: usize = 100;

/// Returns the source file of an element, or `None` if it is missing.
pub(super) fn source<'a>(tree: &'a PackageTree, element: &Element) -> Option<&'a Path> {
    element.at("source").and_then(|source| source.get("path")).and_then(|path| tree.file(path))
}

/// Returns the interpreted type of an element's source, or `None` if it is missing or unknown.
fn type_of_source(element: &Element) -> Option<SourceType> {
    element.at("source").and_then(|source| source.get("type")).and_then(source_type)
}

/// Returns the language of a solution, or `None` if its source type is missing, unknown or Python 2, or if the file's
/// extension determines the language.
pub(super) fn language_of(solution: &Element) -> Option<String> {
    match type_of_source(solution)? {
        // Without an explicit language, the solution runs with PyPy if that is installed, and with Python otherwise.
        SourceType::Language("pypy") if solution.at("source")?.get("path")?.ends_with(".py") => None,
        SourceType::Language(language) => Some(language.to_owned()),
        SourceType::Python2 => None,
    }
}

fn all_solutions(root: &Element) -> impl Iterator<Item = &Element> {
    root.at("assets/solutions").into_iter().flat_map(|all| all.all("solution"))
}

/// Returns the solutions of a package except those in unsupported languages.
pub(super) fn solutions(root: &Element) -> impl Iterator<Item = &Element> {
    all_solutions(root).filter(|solution| type_of_source(solution) != Some(SourceType::Python2))
}

/// Returns the solutions with the expected results that their tags specify. `all` is the range of points of a correct
/// solution, or `None` if the scale of the checker's points is unknown.
pub(super) fn submissions(
    tree: &PackageTree,
    root: &Element,
    all: Option<(f64, f64)>,
    notes: &mut Vec<String>,
) -> Vec<PackageSubmission> {
    let mut found = Vec::new();
    for solution in all_solutions(root) {
        let Some(path) = source(tree, solution) else {
            let name = solution.at("source").and_then(|source| source.get("path")).unwrap_or_default();
            notes.push(format!("the solution `{name}` is ignored: the file is not in the package"));
            continue;
        };
        let tag = solution.get("tag").unwrap_or_default();
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        if type_of_source(solution) == Some(SourceType::Python2) {
            notes.push(format!("`{tag}/{file}` is ignored: Python 2 is not supported"));
            continue;
        }
        let expectations = expectations(tag, all);
        if expectations.is_empty() {
            notes.push(format!("no verdict is expected of the solution `{file}`, because its tag `{tag}` is unknown"));
        }
        found.push(PackageSubmission {
            name: format!("{tag}/{file}"),
            path: path.to_owned(),
            language: language_of(solution),
            entry: None,
            expectations,
            time_limit_use: TimeLimitUse::None,
            in_time_cases: Vec::new(),
        });
    }
    found.sort_by_key(|submission| !submission.name.starts_with("main/"));
    found
}

/// Returns the files that are compiled with solutions, such as graders and libraries, by the code of the language. Adds
/// notes about files that are ignored.
pub(super) fn include(
    tree: &PackageTree,
    root: &Element,
    notes: &mut Vec<String>,
) -> BTreeMap<String, Vec<(String, PathBuf)>> {
    let mut found: BTreeMap<String, Vec<(String, PathBuf)>> = BTreeMap::new();
    for file in root.at("files/resources").into_iter().flat_map(|all| all.all("file")) {
        let named = |list: &str, item: &str, wanted: &str| {
            let mut items = file.at(list).into_iter().flat_map(|list| list.all(item));
            items.any(|item| item.get("name").is_some_and(|name| name.eq_ignore_ascii_case(wanted)))
        };
        if !named("assets", "asset", "solution") {
            continue;
        }
        let shown = file.get("path").unwrap_or_default();
        let name = shown.rsplit('/').next().unwrap_or_default().to_owned();
        let mut skip = |why: &str| notes.push(format!("`{shown}` is not compiled with the solutions: {why}"));
        let Some(path) = tree.file(shown) else {
            skip("it is not in the package");
            continue;
        };
        if !named("stages", "stage", "compile") {
            skip("it is not a resource of the compile stage");
            continue;
        }
        let types = file.get("for-types").or_else(|| file.get("for-type")).or_else(|| file.get("type"));
        let languages = languages(types.unwrap_or_default());
        if languages.is_empty() {
            skip("none of its types (`for-types`) is a known language");
        }
        for language in languages {
            found.entry(language.to_owned()).or_default().push((name.clone(), path.to_owned()));
        }
    }
    found
}

/// Returns the codes of the languages that match a list of type patterns, such as `cpp.*` or `cpp.g++17;cpp.g++20`.
fn languages(patterns: &str) -> Vec<&'static str> {
    let patterns =
        || patterns.split([';', ':', ',', ' ']).filter(|pattern| (1..=LONGEST_PATTERN).contains(&pattern.len()));
    // A pattern for one version of a language matches the language, because only one version is supported.
    let same = |pattern: &str, of: &str| {
        !pattern.contains('*') && source_type(pattern).is_some_and(|one| Some(one) == source_type(of))
    };
    let meant = |of: &str| patterns().any(|pattern| glob::matches(pattern, of) || same(pattern, of));
    FAMILIES.iter().filter(|(_, types)| types.iter().any(|of| meant(of))).map(|(code, _)| *code).collect()
}

/// Returns the expected results that a solution's tag specifies, or an empty list if the tag is unknown.
fn expectations(tag: &str, all: Option<(f64, f64)>) -> Vec<SubmissionExpectation> {
    let right = tag == "main" || tag == "accepted";
    let points = all.filter(|(_, most)| right && *most > 0.0).map(|(least, most)| ExpectedOutcome::Score(least, most));
    let promised = verdicts(tag, all.is_some()).map(ExpectedOutcome::Final).into_iter().chain(points);
    promised.map(|what| SubmissionExpectation { source: tag.to_owned(), cases: None, outcome: what }).collect()
}

/// Returns the final verdicts that a solution's tag allows. A failing solution may have earned partial points. A
/// correct solution may receive `Partial` if `sized` is false, because the scale of the checker's points is then
/// unknown. Returns `None` for an unknown tag.
fn verdicts(tag: &str, sized: bool) -> Option<Vec<Verdict>> {
    use Verdict::{
        Accepted, CompileError, Forbidden, IdleLimit, MemoryLimit, OutputLimit, Partial, PresentationError,
        RuntimeError, TimeLimit, WrongAnswer,
    };
    let rejected = vec![
        WrongAnswer,
        PresentationError,
        TimeLimit,
        IdleLimit,
        MemoryLimit,
        RuntimeError,
        OutputLimit,
        Forbidden,
        CompileError,
        Partial,
    ];
    Some(match tag {
        "main" | "accepted" if sized => vec![Accepted],
        "main" | "accepted" => vec![Accepted, Partial],
        "wrong-answer" => vec![WrongAnswer, PresentationError, Partial],
        "presentation-error" => vec![PresentationError, WrongAnswer, Partial],
        // Polygon has no verdict for the output limit, so a program that never stops writing reaches the time limit.
        "time-limit-exceeded" => vec![TimeLimit, IdleLimit, OutputLimit, Partial],
        "time-limit-exceeded-or-accepted" => vec![TimeLimit, IdleLimit, OutputLimit, Accepted, Partial],
        "time-limit-exceeded-or-memory-limit-exceeded" => {
            vec![TimeLimit, IdleLimit, OutputLimit, MemoryLimit, Partial]
        }
        "memory-limit-exceeded" => vec![MemoryLimit, Partial],
        "rejected" | "failed" => rejected,
        _ => return None,
    })
}
