//! Tests of the examples in the guides: every block of YAML is read, and descriptions of inputs are used.
//!
//! The word after `yaml` tells the kind of a block: a `problem`, the `input` of a problem, a `part` of a problem (each
//! key is read alone), a `policy` or `manual` marks for `grade`, or `languages`.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::path::Path;

use nimatron::grade::overlay::overlay;
use nimatron::grade::policy::Policy;
use nimatron::input::{Description, Rng};
use nimatron::lang::{LanguageTable, TableLayer};
use nimatron::model::{Digest, ProblemId};
use nimatron::problem::{Problem, Recipe, read};
use nimatron::report::render_diagnostic;

/// A problem to which a part is added.
const BASE: &str = "name: Example\ninput:\n  - n: 1..=9\n  - a[n]: 0..=9\ntests:\n  one: { count: 1 }\n";

/// A block of YAML in a guide.
struct Block {
    /// The name of the guide and the line of the block.
    place: String,
    kind: String,
    text: String,
}

fn blocks() -> Vec<Block> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/guide");
    let mut found = Vec::new();
    for entry in folder.read_dir().unwrap() {
        let path = entry.unwrap().path();
        let text = fs_err::read_to_string(&path).unwrap();
        let mut lines = text.lines().enumerate();
        while let Some((number, line)) = lines.next() {
            let Some(kind) = line.strip_prefix("```yaml") else { continue };
            let block: String = lines
                .by_ref()
                .map(|(_, line)| line)
                .take_while(|line| *line != "```")
                .map(|line| format!("{line}\n"))
                .collect();
            let place = format!("{}:{}", path.file_name().unwrap().display(), number + 1);
            found.push(Block { place, kind: kind.trim().to_owned(), text: block });
        }
    }
    assert!(found.len() >= 12, "only {} blocks", found.len());
    found
}

/// Reads a problem whose programs are all the files that it names.
fn problem(place: &str, text: &str) -> Problem {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("programs")).unwrap();
    for word in text.split(|c: char| c.is_whitespace() || c == ',') {
        if [".rs", ".cpp", ".py"].iter().any(|end| word.ends_with(end)) {
            fs_err::write(dir.path().join("programs").join(word), "x").unwrap();
        }
    }
    let id: ProblemId = "example".parse().unwrap();
    read(place, text, id, dir.path()).unwrap_or_else(|error| panic!("{}", render_diagnostic(&error, false, 100)))
}

/// Generates inputs and validates them.
fn inputs(place: &str, description: &Description) {
    for seed in 0..2 {
        let made = description
            .generate(&mut Rng::from_digest(&Digest::of(&[seed])))
            .unwrap_or_else(|error| panic!("{place}: {error:?}"));
        let bytes = made.to_bytes(description);
        let text = String::from_utf8_lossy(&bytes);
        description.validate(&*bytes, None).unwrap_or_else(|error| panic!("{place}: {error:?}\n{text}"));
    }
}

fn whole_problem(place: &str, text: &str) {
    let problem = problem(place, text);
    inputs(place, &problem.input);
    for group in &problem.groups {
        match &group.recipe {
            Recipe::Given(cases) => {
                for case in cases {
                    problem.input.validate(case.input.as_bytes(), None).unwrap();
                }
            }
            Recipe::Random { description, .. } => inputs(place, description),
            Recipe::Every { description, count } => assert_eq!(description.enumerate().count(), *count, "{place}"),
            Recipe::Program { .. } => {}
        }
    }
}

/// Returns the text of each key of the outermost map.
fn keys(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for line in text.lines() {
        match found.last_mut() {
            Some(last) if line.starts_with(' ') => *last += &format!("{line}\n"),
            _ => found.push(format!("{line}\n")),
        }
    }
    found
}

/// Returns the description of an answer if the key needs one.
fn answer(key: &str) -> &'static str {
    if key.starts_with("game:") { "answer:\n  - moves: 0..=1000\n" } else { "" }
}

#[test]
fn every_example_in_yaml_is_read() {
    let ids: Vec<ProblemId> = ["classic-nim", "split-nim"].iter().map(|id| id.parse().unwrap()).collect();
    let policy_text = blocks().into_iter().find(|block| block.kind == "policy").unwrap().text;
    let policy = Policy::parse("policy", &policy_text, &ids).unwrap();
    for Block { place, kind, text } in blocks() {
        match kind.as_str() {
            "problem" => whole_problem(&place, &text),
            "input" => whole_problem(&place, &format!("name: Example\n{text}tests:\n  some: {{ count: 3 }}\n")),
            "part" => keys(&text).iter().for_each(|key| drop(problem(&place, &format!("{BASE}{}{key}", answer(key))))),
            "policy" => drop(Policy::parse(&place, &text, &ids).unwrap()),
            "manual" => drop(overlay(&place, &text, &ids, &policy).unwrap()),
            "languages" => drop(LanguageTable::from_layers(&[TableLayer { origin: place, text }]).unwrap()),
            other => panic!("{place}: the block of YAML is marked `{other}`, so it is not tested"),
        }
    }
}
