//! Tests of the architecture: dependencies between modules, module docs, file lengths, and forbidden names and paths.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The layers of `ARCHITECTURE.md`, lowest first. A module may use modules of lower layers, and itself.
const LAYERS: &[&[&str]] = &[
    &["model", "games"],
    &["yaml", "input", "check", "sandbox", "report", "unzip", "database"],
    &["problem", "lang", "play", "workers", "history"],
    &["data", "judge", "package", "mutants"],
    &["runner"],
    &["service"],
    &["stress", "grade", "export", "listen", "submissions"],
    &["verify", "classes", "people", "searches"],
    &["web"],
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
    let mut parts = path.iter().skip(1);
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
        let Some(module) = module_of(&path).filter(|module| !["cli", "guide", "kit"].contains(&module.as_str())) else {
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
    for (path, text) in sources("src/cli") {
        for module in ["runner", "judge", "lang"] {
            let named = text.contains(&format!("nimatron::{module}::"));
            assert!(!named, "{} uses `{module}`, which is below the service", path.display());
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
fn clap_stays_in_the_binary() {
    for (path, text) in sources("src") {
        let allowed = path.starts_with("src/cli") || path == Path::new("src/main.rs");
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

#[test]
fn public_files_contain_no_machine_specific_paths() {
    let words = ["/work/main", "/work/shared", "/root/", "crates.io/api"];
    for (path, text) in sources("src") {
        for word in words {
            assert!(!text.contains(word), "{} contains {word}", path.display());
        }
    }
}

/// Type names that occur twice although they mean different things.
const TWICE: [(&str, &str); 1] = [("History", "the argument types are named as their subcommands")];

/// Returns the names of the types that are defined at the top level of a file, without tests.
fn types(text: &str) -> impl Iterator<Item = &str> {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    code.lines().filter_map(|line| {
        let words = line.strip_prefix("pub").map_or(line, |rest| rest.split_once(' ').map_or(rest, |(_, rest)| rest));
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
        if path.starts_with("src/kit") || name.ends_with("tests") || name.ends_with("properties") {
            continue;
        }
        for name in types(&text) {
            found.entry(name.to_owned()).or_default().push(path.clone());
        }
    }
    assert!(found.len() > 500, "types were not found");
    found.retain(|name, files| files.len() > 1 && TWICE.iter().all(|(twice, _)| name != twice));
    assert!(found.is_empty(), "{found:#?}");
}
