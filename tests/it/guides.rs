//! Tests of the examples in the guides: every block of YAML is read, and descriptions of inputs are used;
//! and of the book's table of contents.
//!
//! The word after `yaml` tells the kind of a block: a `problem`, the `input` of a problem, a `part` of a problem (each
//! key is read alone), a `policy` or `manual` marks for `grade`, or `languages`.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use nimatron::grade::overlay::overlay;
use nimatron::grade::policy::Policy;
use nimatron::input::{Description, Rng};
use nimatron::lang::{LanguageTable, TableLayer};
use nimatron::model::{Digest, ProblemId};
use nimatron::problem::{Problem, Recipe, read};
use nimatron::report::render_diagnostic;
use regex::Regex;

use crate::guide_blocks::{Block, blocks, text, topics};

/// A problem to which a part is added.
const BASE: &str = "name: Example\ninput:\n  - n: 1..=9\n  - a[n]: 0..=9\ntests:\n  one: { count: 1 }\n";

/// Returns the blocks of YAML in all guides.
fn yaml_blocks() -> Vec<Block> {
    let all = topics().into_iter().flat_map(|topic| blocks(&topic));
    let found: Vec<Block> = all.filter(|block| block.language == "yaml").collect();
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
#[ignore = "slow; .ci/run runs it"]
fn every_example_in_yaml_is_read() {
    let ids: Vec<ProblemId> = ["classic-nim", "split-nim"].iter().map(|id| id.parse().unwrap()).collect();
    let mut policy = None;
    for Block { place, words, text, .. } in yaml_blocks() {
        match words.first().map_or("", String::as_str) {
            "problem" => whole_problem(&place, &text),
            "input" => whole_problem(&place, &format!("name: Example\n{text}tests:\n  some: {{ count: 3 }}\n")),
            "part" => keys(&text).iter().for_each(|key| drop(problem(&place, &format!("{BASE}{}{key}", answer(key))))),
            "policy" => policy = Some(Policy::parse(&place, &text, &ids).unwrap()),
            // Marks by hand follow the policy to which they belong.
            "manual" => drop(overlay(&place, &text, &ids, policy.as_ref().unwrap()).unwrap()),
            "languages" => drop(LanguageTable::from_layers(&[TableLayer { origin: place, text }]).unwrap()),
            other => panic!("{place}: the block of YAML is marked `{other}`, so it is not tested"),
        }
    }
}

/// Returns the links of the book's table of contents: title and topic.
fn chapters() -> Vec<(String, String)> {
    let summary = text("SUMMARY");
    let links = summary.lines().filter_map(|line| line.strip_prefix("- [")?.strip_suffix(".md)")?.split_once("]("));
    links.map(|(title, topic)| (title.to_owned(), topic.to_owned())).collect()
}

#[test]
fn the_book_contains_every_guide_once() {
    let mut listed: Vec<String> = chapters().into_iter().map(|(_, topic)| topic).collect();
    listed.sort_unstable();
    assert_eq!(listed, topics());
    for (title, topic) in chapters() {
        assert_eq!(text(&topic).lines().next(), Some(format!("# {title}").as_str()), "{topic}.md");
    }
}

#[test]
fn guides_refer_to_existing_guides() {
    let topics = topics();
    let named = Regex::new(r"nimatron\s+guide\s+([a-z-]+)").unwrap();
    for topic in &topics {
        for found in named.captures_iter(&text(topic)) {
            assert!(topics.iter().any(|topic| *topic == found[1]), "{topic}.md: {}", &found[0]);
        }
    }
}
