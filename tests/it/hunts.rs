//! Tests that `nimatron stress` finds the mistakes of a set of wrong programs. Each has a right program and a source of
//! inputs.
//!
//! A table in `tests/it/hunts/` has entries of this form:
//!
//! ```text
//! == name
//! The mistake in words.
//! spec: a description, or gen: a generator with its arguments
//! options: further options of `nimatron stress`
//! -- wrong.cpp
//! its text
//! ```

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use crate::project::Project;

const TABLES: [&str; 6] = [
    include_str!("hunts/arrays.txt"),
    include_str!("hunts/numbers.txt"),
    include_str!("hunts/strings.txt"),
    include_str!("hunts/graphs.txt"),
    include_str!("hunts/greedy.txt"),
    include_str!("hunts/cases.txt"),
];

/// Entries of the short test: programs that start quickly. Together they use every source of inputs and every method of
/// shrinking.
const FEW: [&str; 6] = ["second-largest", "brackets", "common-ancestor", "minimum-kept", "rotate", "stairs"];

/// An entry of a table.
struct Mistake {
    name: &'static str,
    /// The options that define the inputs, and further options.
    options: Vec<String>,
    /// Names and texts of the programs.
    files: Vec<(&'static str, &'static str)>,
}

/// The result of a search.
struct Found {
    verdict: String,
    tests: u64,
    /// The duration of the search in seconds, without compilation.
    seconds: f64,
    before: u64,
    after: u64,
    minimal: bool,
    way: &'static str,
}

impl Mistake {
    fn parse(text: &'static str) -> Mistake {
        let (head, files) = text.split_once("\n-- ").unwrap();
        let mut lines = head.lines();
        let name = lines.next().unwrap();
        let value = |key: &str| head.lines().find_map(|line| line.strip_prefix(key)).map(str::to_owned);
        let mut options = match (value("spec: "), value("gen: ")) {
            (Some(spec), None) => vec!["--input-spec".to_owned(), spec],
            (None, Some(generator)) => vec!["--generator".to_owned(), generator],
            _ => panic!("{name}: expected either a description or a generator"),
        };
        options.extend(value("options: ").iter().flat_map(|text| text.split(' ')).map(str::to_owned));
        let files = files.split("\n-- ").map(|file| file.split_once('\n').unwrap()).collect();
        Mistake { name, options, files }
    }

    fn program(&self, stem: &str) -> &'static str {
        let named = |(name, _): &&(&'static str, &'static str)| name.split('.').next() == Some(stem);
        self.files.iter().find(named).unwrap().0
    }

    /// Searches for a failing input and shrinks it.
    fn hunt(&self) -> Result<Found, String> {
        let mut project = Project::new();
        for (name, text) in &self.files {
            project = project.file(name, text);
        }
        let mut args = vec!["stress", ".", self.program("wrong"), "--against", self.program("right")];
        args.extend(["--json", "--seconds", "300"]);
        args.extend(self.options.iter().map(String::as_str));
        let ran = project.run(&args);
        if ran.code != 1 {
            return Err(format!("{}: nothing found: {ran:#?}", self.name));
        }
        let last = ran.last_json();
        let number = |key: &str| last[key].as_u64().unwrap_or(0);
        let file = project.path(last["input"].as_str().unwrap());
        assert_eq!(std::fs::metadata(file).unwrap().len(), number("size_after"));
        let described = self.options[0] == "--input-spec";
        Ok(Found {
            verdict: last["verdict"].as_str().unwrap().to_owned(),
            tests: number("tests"),
            seconds: last["seconds"].as_f64().unwrap(),
            before: number("size_before"),
            after: number("size_after"),
            minimal: last["minimal"] == true,
            way: match (described, last["guessed_form"].is_string()) {
                (true, _) => "description",
                (false, true) => "guess",
                (false, false) => "text",
            },
        })
    }
}

fn all() -> Vec<Mistake> {
    let entries = TABLES.iter().flat_map(|table| table.strip_prefix("== ").unwrap().split("\n== "));
    entries.map(Mistake::parse).collect()
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_few_mistakes_are_found_and_shrunk() {
    let all = all();
    for name in FEW {
        let found = all.iter().find(|mistake| mistake.name == name).unwrap().hunt().unwrap();
        assert!(found.after <= 24 && found.after <= found.before, "{name}: {} bytes", found.after);
    }
}

#[test]
#[ignore = "compiles 200 programs, about five minutes; run by .ci/long"]
fn long_all_mistakes_are_found_and_shrunk() {
    let wanted = std::env::var("NIMATRON_HUNTS").unwrap_or_default();
    let mut missed = Vec::new();
    println!(
        "{:<24} {:>4} {:>7} {:>8} {:>8} {:>6} {:>8}  way",
        "mistake", "", "tests", "a second", "before", "after", "minimal"
    );
    for mistake in all().iter().filter(|mistake| mistake.name.contains(&wanted)) {
        match mistake.hunt() {
            Ok(Found { verdict, tests, seconds, before, after, minimal, way }) => {
                let (name, rate) = (mistake.name, tests as f64 / seconds);
                println!("{name:<24} {verdict:>4} {tests:>7} {rate:>8.0} {before:>8} {after:>6} {minimal:>8}  {way}");
                if !minimal {
                    missed.push(format!("{name}: the input of {after} bytes is not minimal"));
                }
            }
            Err(message) => missed.push(message),
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}
