//! Tests of the architecture: dependencies between modules, module docs, file lengths, and forbidden names and paths.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The layers of `ARCHITECTURE.md`, lowest first. A module may use modules of lower layers, and itself.
const LAYERS: &[&[&str]] = &[
    &["model", "games"],
    &["yaml", "input", "check", "checktestdata", "sandbox", "report", "unzip", "database", "clock"],
    &["problem", "lang", "play", "workers", "history", "queue"],
    &["catalog", "data", "judge", "package", "mutants", "cluster"],
    &["runner"],
    &["service"],
    &["stress", "grade", "export", "listen", "submissions"],
    &["verify", "classes", "people", "searches", "machines"],
    &["web", "cli"],
    &["commands"],
];

/// Module names that do not describe the content.
const EMPTY_NAMES: &[&str] = &["utils", "util", "common", "helpers", "helper", "manager", "misc"];

/// Maximum length of a file in lines.
const LONGEST: usize = 600;

fn sources(under: &str) -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for entry in walkdir::WalkDir::new(root.join(under)) {
        let path = entry.unwrap().into_path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs_err::read_to_string(&path).unwrap();
            found.push((path.strip_prefix(root).unwrap().to_owned(), text));
        }
    }
    assert!(!found.is_empty(), "no sources under {under}");
    found
}

fn layer(module: &str) -> Option<usize> {
    LAYERS.iter().position(|line| line.contains(&module))
}

/// Returns the top-level module to which a file belongs.
fn module_of(path: &Path) -> Option<String> {
    let mut parts = path.iter().skip(1).skip_while(|part| *part == "server");
    let first = parts.next()?.to_str()?;
    parts.next().map(|_| first.to_owned())
}

/// Returns the top-level modules that a text refers to: `crate::judge::…`, `use crate::{judge, …}`.
fn used(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (at, _) in text.match_indices("crate::") {
        let rest = &text[at + "crate::".len()..];
        let names = match rest.strip_prefix('{') {
            Some(group) => group.split('}').next().unwrap_or(""),
            None => rest.split([':', ';', ',', ')', '}', ' ', '\n', ']', '>', '(']).next().unwrap_or(""),
        };
        for name in names.split(',') {
            let name = name.trim().split("::").next().unwrap_or("");
            found.insert(name.to_owned());
        }
    }
    found
}

#[test]
fn a_module_uses_only_lower_layers() {
    let mut breaches = Vec::new();
    for (path, text) in sources("src") {
        let Some(module) = module_of(&path).filter(|module| module != "guide") else {
            continue;
        };
        let Some(own) = layer(&module) else {
            breaches.push(format!("{}: module `{module}` is in no layer", path.display()));
            continue;
        };
        for other in used(&text) {
            let allowed = other == module || layer(&other).is_some_and(|line| line < own);
            if layer(&other).is_some() && !allowed {
                breaches.push(format!("{}: `{module}` uses `{other}`", path.display()));
            }
        }
    }
    assert!(breaches.is_empty(), "layers:\n{}", breaches.join("\n"));
}

/// A front end converts arguments to requests and reports to text; the judging logic is in lower layers.
#[test]
fn fronts_use_the_service() {
    for (path, text) in sources("src/cli").into_iter().chain(sources("src/server/commands")) {
        for module in ["runner", "judge", "lang"] {
            let named = text.contains(&format!("crate::{module}::"));
            assert!(!named, "{} uses `{module}`, which is below the service", path.display());
        }
        // What is chosen by these depends on the kind of the problem or on the state of a class, not on the front end.
        for decision in ["ProblemSource::Native", ".package()", "default_limits", "known_limits", "begin_rejudge"] {
            assert!(!text.contains(decision), "{} decides by `{decision}`", path.display());
        }
    }
}

#[test]
fn the_yaml_crate_is_named_in_one_module() {
    for (path, text) in sources("src") {
        // Rules are deserialized from any format; their tests use YAML.
        let tests_of_rules = path.ends_with("games/rules_spec_tests.rs");
        let exempt = path.starts_with("src/yaml") || tests_of_rules;
        assert!(exempt || !text.contains("serde_yaml::"), "{} names the YAML crate", path.display());
    }
}

#[test]
fn unsafe_code_is_in_the_sandbox_alone() {
    let word = ["unsafe", " {"].concat();
    for (path, text) in sources("src") {
        assert!(!text.contains(&word) || path.starts_with("src/sandbox"), "{} has unsafe code", path.display());
    }
}

#[test]
fn clap_stays_in_the_command_line() {
    for (path, text) in sources("src") {
        let allowed = path.starts_with("src/cli");
        assert!(allowed || !text.contains("clap::"), "{} names clap", path.display());
    }
}

#[test]
fn every_file_has_module_docs_and_a_bounded_length() {
    for folder in ["src", "tests"] {
        for (path, text) in sources(folder) {
            if path.starts_with("tests/it/programs") || path.starts_with("tests/attacks") {
                continue;
            }
            assert!(text.starts_with("//! "), "{} does not open with what it is", path.display());
            let lines = text.lines().count();
            assert!(lines <= LONGEST, "{} has {lines} lines", path.display());
            let name = path.file_stem().unwrap().to_str().unwrap();
            assert!(!EMPTY_NAMES.contains(&name), "{}: the name says nothing", path.display());
        }
    }
}

#[test]
fn a_mod_rs_lists_and_holds_no_logic() {
    for (path, text) in sources("src") {
        let is_list = path.file_name().is_some_and(|name| name == "mod.rs") && !path.starts_with("src/cli");
        assert!(!is_list || !text.contains("fn "), "{} holds logic", path.display());
    }
}

/// Documents for contributors, whose paths are checked.
const DOCUMENTS: [&str; 3] = ["ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"];

/// Paths in the documents that exist only after a step was followed.
const MADE_LATER: [&str; 3] = ["problems/kayles/", "solutions/kayles/", "target/dist/"];

/// Returns the texts in backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

#[test]
fn documents_name_existing_paths() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for document in DOCUMENTS {
        let text = fs_err::read_to_string(root.join(document)).unwrap();
        for path in quoted(&text) {
            let starts = ["src/", "tests/", "problems/", "solutions/", "target/", ".ci/", ".github/"];
            let is_path = starts.iter().any(|start| path.starts_with(start)) && !path.contains(' ');
            let exists = MADE_LATER.contains(&path) || root.join(path).exists();
            assert!(!is_path || exists, "{document} names {path}, which does not exist");
        }
    }
}

/// Returns the names of the packages under `[dependencies]`, `[dev-dependencies]` and the like of a manifest.
fn dependencies(manifest: &str) -> impl Iterator<Item = &str> {
    let sections = manifest
        .split("\n[")
        .filter(|section| section.split(']').next().is_some_and(|name| name.ends_with("dependencies")));
    sections.flat_map(|section| section.lines().skip(1)).filter_map(|line| {
        let name = line.split(['.', ' ', '=']).next()?;
        (!name.is_empty() && !name.starts_with('#') && !name.starts_with("nimatron")).then_some(name)
    })
}

/// The crates of the workspace, as folders.
const CRATES: [&str; 18] = [
    "",
    "src/check/",
    "src/checktestdata/",
    "src/cluster/",
    "src/database/",
    "src/games/",
    "src/input/",
    "src/lang/",
    "src/model/",
    "src/mutants/",
    "src/package/",
    "src/problem/",
    "src/queue/",
    "src/report/",
    "src/sandbox/",
    "src/server/",
    "src/unzip/",
    "src/yaml/",
];

/// Categories of the registry that the crates use. It drops others without an error.
const CATEGORIES: [&str; 12] = [
    "asynchronous",
    "command-line-interface",
    "command-line-utilities",
    "compression",
    "data-structures",
    "database",
    "development-tools::build-utils",
    "development-tools::testing",
    "game-development",
    "mathematics",
    "parser-implementations",
    "text-processing",
];

/// Returns the texts of a list of a manifest, such as `keywords = ["judge"]`. The crate `nimatron` has the values of
/// the workspace.
fn listed<'a>(manifest: &'a str, key: &str) -> Vec<&'a str> {
    let line = manifest.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = ["));
    line.map_or(Vec::new(), |line| line.split('"').skip(1).step_by(2).collect())
}

/// The registry accepts at most five keywords of at most 20 characters. Both licenses require that their text is passed
/// on.
#[test]
fn every_crate_can_be_published() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for folder in CRATES.map(|folder| root.join(folder)) {
        let manifest = fs_err::read_to_string(folder.join("Cargo.toml")).unwrap();
        let (keywords, categories) = (listed(&manifest, "keywords"), listed(&manifest, "categories"));
        let fits = |word: &&str| word.len() <= 20 && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
        assert!((1..=5).contains(&keywords.len()) && keywords.iter().all(fits), "{}: {keywords:?}", folder.display());
        let known = |category: &&str| CATEGORIES.contains(category);
        assert!((1..=5).contains(&categories.len()) && categories.iter().all(known), "{categories:?}");
        for key in ["description = ", "license.workspace = true", "rust-version.workspace = true"] {
            assert!(manifest.contains(key), "{}: no {key}", folder.display());
        }
        for license in ["LICENSE-MIT", "LICENSE-APACHE"] {
            let text = fs_err::read(folder.join(license)).unwrap();
            assert_eq!(text, fs_err::read(root.join(license)).unwrap(), "{}", folder.display());
        }
    }
}

/// Returns whether the documentation in a source file contains an example, which `cargo test` compiles.
fn has_example(text: &str) -> bool {
    let comments = text.lines().map(str::trim_start).filter_map(|line| line.strip_prefix("//")?.get(1..));
    let fences = comments.filter_map(|line| line.trim().strip_prefix("```"));
    // Every second fence ends an example or another text.
    fences.step_by(2).any(|language| ["", "rust", "no_run", "standalone_crate"].contains(&language))
}

/// Rustdoc takes a third of a second to find that a crate has no examples.
#[test]
fn the_examples_of_every_crate_are_run() {
    let files = sources("src");
    for folder in CRATES {
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join("Cargo.toml");
        let is_run = !fs_err::read_to_string(manifest).unwrap().contains("doctest = false");
        let example = files.iter().find(|(path, text)| crate_of(path) == folder && has_example(text));
        assert_eq!(
            is_run,
            example.is_some(),
            "{folder}Cargo.toml: `doctest = false` belongs in it if there is no example"
        );
    }
}

#[test]
fn every_dependency_has_a_reason() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs_err::read_to_string(root.join("CONTRIBUTING.md")).unwrap();
    let table = text.split_once("\n## Dependencies\n").unwrap().1.split("\n## ").next().unwrap();
    let explained: BTreeSet<&str> = quoted(table).collect();
    let mut found = 0;
    for folder in CRATES {
        let manifest = fs_err::read_to_string(root.join(folder).join("Cargo.toml")).unwrap();
        for name in dependencies(&manifest) {
            assert!(explained.contains(name), "CONTRIBUTING.md gives no reason for {name} in {folder}Cargo.toml");
            found += 1;
        }
    }
    assert!(found > 60, "dependencies were not found");
}

/// Returns the folder below `src/` of the crate to which a file belongs.
fn crate_of(path: &Path) -> &'static str {
    let is_below = |folder: &&str| !folder.is_empty() && path.starts_with(folder);
    CRATES.into_iter().find(is_below).unwrap_or_default()
}

/// Tests and benchmarks may use the dependencies of all crates.
#[test]
fn every_dependency_is_used() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (files, tests) = (sources("src"), sources("tests"));
    for folder in CRATES {
        let manifest = fs_err::read_to_string(root.join(folder).join("Cargo.toml")).unwrap();
        let own = manifest.split("\n[package]").last().unwrap();
        let texts = files.iter().filter(|(path, _)| crate_of(path) == folder);
        let texts = texts.map(|(_, text)| text.as_str());
        let (own, for_tests) = own.split_once("\n[dev-dependencies]").unwrap_or((own, ""));
        let texts: Vec<&str> = texts.collect();
        let names = |manifest: &str| dependencies(manifest).map(|name| name.replace('-', "_")).collect::<Vec<_>>();
        for name in names(own) {
            assert!(texts.iter().any(|text| text.contains(&name)), "{folder}Cargo.toml: `{name}` is not used");
        }
        for name in names(&format!("\n[dev-dependencies]{for_tests}")) {
            let found = texts
                .iter()
                .copied()
                .chain(tests.iter().map(|(_, text)| text.as_str()))
                .any(|text| text.contains(&name));
            assert!(found, "{folder}Cargo.toml: `{name}` is not used by a test");
        }
    }
}

#[test]
fn public_files_contain_no_machine_specific_paths() {
    let words = ["/work/main", "/work/shared", "/root/", "crates.io/api"];
    for (path, text) in sources("src") {
        for word in words {
            assert!(!text.contains(word), "{} contains {word}", path.display());
        }
    }
}

/// Returns the names of the types that are defined at the top level of a file, without tests.
fn types(text: &str) -> impl Iterator<Item = &str> {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    code.lines().filter_map(|line| {
        let end = if line.starts_with("pub(") { ") " } else { " " };
        let words = if line.starts_with("pub") { line.split_once(end)?.1 } else { line };
        let (kind, rest) = words.split_once(' ')?;
        let name = rest.split(|c: char| !c.is_alphanumeric()).next()?;
        ["struct", "enum", "trait", "type"].contains(&kind).then_some(name)
    })
}

#[test]
fn a_type_name_occurs_once() {
    let mut found = std::collections::BTreeMap::<String, Vec<PathBuf>>::new();
    for (path, text) in sources("src") {
        let name = path.file_stem().unwrap().to_str().unwrap();
        // The kit is compiled separately from the crate, with the programs of problem authors.
        if path.starts_with("src/lang/kit") || name.ends_with("tests") || name.ends_with("properties") {
            continue;
        }
        for name in types(&text) {
            found.entry(name.to_owned()).or_default().push(path.clone());
        }
    }
    assert!(found.len() > 500, "types were not found");
    found.retain(|_, files| files.len() > 1);
    assert!(found.is_empty(), "{found:#?}");
}

/// Returns the ignored tests in a source file as (reason, name).
fn ignored_tests(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split("#[ignore").skip(1).map(|rest| {
        let (reason, rest) = rest.split_once("]\n").unwrap_or((rest, ""));
        let line = rest.lines().map(str::trim_start).find(|line| !line.starts_with("#[")).unwrap_or("");
        let name = line.split_once("fn ").map_or(line, |(_, name)| name);
        (reason.trim_start_matches(" = ").trim_matches('"'), name.split(['(', ':']).next().unwrap_or(""))
    })
}

/// `.ci/run` runs the ignored tests whose names do not contain `long_`, and `.ci/long` runs those whose names begin
/// with it.
#[test]
fn every_ignored_test_is_run_by_a_script() {
    const SLOW: &str = "slow; .ci/run runs it";
    /// Tests that a test or a script starts as a process of its own.
    const STARTED: &[&str] = &["judge_until_killed", "attacks_are_built_for_a_machine_without_compilers"];
    /// The parts of the sources whose ignored tests `.ci/run` runs.
    const RUN: &[&str] = &["src/", "tests/it/", "tests/attack_harness/", "tests/server/"];
    /// The steps of `.ci/long` and the parts of the sources whose tests they select.
    const LONG: &[(&str, &[&str])] = &[
        (
            "cargo test --lib -p nimatron-games -p nimatron-server -- --ignored long_",
            &["src/games/", "src/server/classes/", "src/server/submissions/"],
        ),
        ("cargo test -p nimatron-queue -- --ignored long_", &["src/queue/"]),
        ("cargo test --test attacks -- --ignored long_", &["tests/attack_harness/"]),
        ("cargo test --test it -- --ignored setters::long_", &["tests/it/setters.rs"]),
        ("cargo test --test it -- --ignored hunts::long_", &["tests/it/hunts.rs"]),
        (
            "cargo test --test it -- --ignored languages::long_ languages::builds::long_ strength::long_",
            &["tests/it/languages.rs", "tests/it/languages/builds.rs", "tests/it/strength.rs"],
        ),
        ("cargo test --test it -- --ignored grade_large::long_", &["tests/it/grade_large.rs"]),
    ];
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let [run, long] = [".ci/run", ".ci/long"].map(|script| fs_err::read_to_string(root.join(script)).unwrap());
    for tests in ["--test attacks", "--test it", "--lib --bins --test server"] {
        assert!(run.contains(&format!("cargo test --workspace {tests} $slow")), "{tests}");
    }
    assert!(run.contains("slow=\"-- --ignored --skip long_\""));
    let mut wrong = Vec::new();
    for (path, text) in sources("src").into_iter().chain(sources("tests")).filter(|(path, _)| !path.ends_with(file!()))
    {
        for (reason, name) in ignored_tests(&text) {
            let place = path.to_str().unwrap();
            let is_in = |parts: &[&str]| parts.iter().any(|part| place.starts_with(part));
            let is_run = match reason {
                _ if name.starts_with("long_") => {
                    reason != SLOW && LONG.iter().any(|(step, parts)| long.contains(step) && is_in(parts))
                }
                SLOW => is_in(RUN) && !name.contains("long_") && !place.contains("long_"),
                _ => STARTED.contains(&name),
            };
            if !is_run {
                wrong.push(format!("{place}: {name}: {reason}"));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "ignored tests that no script runs, or whose reason is not allowed:\n{}",
        wrong.join("\n")
    );
}
