//! Converts a problem as written ([`Spec`]) to a resolved [`Problem`].

mod game;

use std::ops::Range;
use std::path::Path;

use indexmap::IndexMap;

use crate::input::{At, Description, DescriptionError, RawItem, RawValue};
use crate::model::{ByteSize, Diagnostic, Limits, ProblemId, Score, TextRange, TimeSpan, default_wall};
use crate::yaml::{self, PathStep, Target, Unique};

use super::resolved::{Balance, Given, Group, Problem, Recipe, TimeLimitSource};
use super::spec::{FORMAT, GivenSpec, GroupSpec, ItemSpec, LimitsSpec, RecipeSpec, Spec, TimeSpec, ValueSpec};

/// Maximum number of test cases of a problem.
const MOST_CASES: usize = 100_000;
/// Maximum points of a group. The JSON Schema has the same bound.
const MOST_POINTS: u32 = 1_000_000;

/// Maximum CPU time limit, including limits that are derived from the solutions.
const LONGEST: TimeSpan = TimeSpan::seconds(60);

/// Parses and checks the text of a `problem.yaml`. `origin` is the name of the file in messages, and `dir` is the
/// problem's folder.
///
/// # Errors
/// Returns the first error, with its position.
pub fn read(origin: &str, text: &str, id: ProblemId, dir: &Path) -> Result<Problem, Diagnostic> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let spec: Spec = yaml::parse(origin, text)?;
    Lower { origin, text, dir }.problem(spec, id)
}

/// The part of a `problem.yaml` that describes the input; other keys are ignored.
#[derive(serde::Deserialize)]
struct InputSpec {
    input: Vec<ItemSpec>,
    #[serde(rename = "where", default)]
    clauses: Vec<String>,
}

/// Parses the description of inputs in a file: `input:` and `where:` as in `problem.yaml`, or else a description on one
/// line. `origin` is the name of the file in messages.
///
/// # Errors
/// Returns the first error, with its position.
pub fn read_description(origin: &str, text: &str) -> Result<Description, Diagnostic> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if !text.lines().any(|line| line.starts_with("input:")) {
        return Description::parse_one_line(origin, text);
    }
    let spec: InputSpec = yaml::parse(origin, text)?;
    Lower { origin, text, dir: Path::new("") }.description(&spec.input, &spec.clauses)
}

/// The name, the text and the folder of the file that is converted. Errors refer to positions in the text.
pub(super) struct Lower<'a> {
    pub(super) origin: &'a str,
    pub(super) text: &'a str,
    pub(super) dir: &'a Path,
}

/// Creates a path of keys and indices in the file from its steps.
pub(super) fn path<const N: usize>(steps: [PathStep; N]) -> Vec<PathStep> {
    steps.into()
}

impl Lower<'_> {
    fn problem(&self, spec: Spec, id: ProblemId) -> Result<Problem, Diagnostic> {
        if spec.format > FORMAT {
            let message = format!("unsupported format {}; the newest supported format is {FORMAT}", spec.format);
            return Err(self.at(&path(["format".into()]), message).help("use a newer version of nimatron"));
        }
        if spec.name.trim().is_empty() {
            return Err(self.at(&path(["name".into()]), "expected a name, found a blank string"));
        }
        let input = self.description(&spec.input, &spec.clauses)?;
        let answer = self.answer(&spec, &input)?;
        let groups = self.groups(&spec, &input, answer.as_ref())?;
        let (judging, validators) = (self.judging(&spec)?, self.validators(&spec)?);
        let game = self.game(spec.game, &input, answer.as_ref())?;
        Ok(Problem {
            id,
            dir: self.dir.to_owned(),
            text: self.text.to_owned(),
            name: spec.name,
            source: spec.source,
            keywords: spec.keywords,
            license: spec.license,
            limits: self.limits(&spec.limits)?,
            time: if spec.limits.time == Some(TimeSpec::Auto) { TimeLimitSource::Auto } else { TimeLimitSource::Fixed },
            input,
            answer,
            judging,
            validators,
            game,
            groups,
        })
    }

    /// Creates an error that marks the value at the end of a path.
    pub(super) fn at(&self, path: &[PathStep], message: impl Into<String>) -> Diagnostic {
        self.marked(path, Target::Value, None, message)
    }

    /// Creates an error that marks the value or the key at the end of a path, or the part `range` of it.
    fn marked(
        &self,
        path: &[PathStep],
        target: Target,
        range: Option<Range<usize>>,
        message: impl Into<String>,
    ) -> Diagnostic {
        let diagnostic = Diagnostic::new(message);
        let Some(whole) = yaml::place(self.text, path, target) else { return diagnostic.in_file(self.origin) };
        let inside = |range: Range<usize>| {
            let place = TextRange { start: whole.start + range.start, end: (whole.start + range.end).min(whole.end) };
            (place.start <= place.end && self.text.get(place.start..place.end).is_some()).then_some(place)
        };
        let place = range.and_then(inside).unwrap_or(whole);
        diagnostic.at(self.origin, self.text, place)
    }

    fn limits(&self, spec: &LimitsSpec) -> Result<Limits, Diagnostic> {
        let cpu = match spec.time {
            None => TimeSpan::seconds(1),
            Some(TimeSpec::Fixed(time)) => time,
            Some(TimeSpec::Auto) => LONGEST,
        };
        let limits = Limits {
            cpu,
            wall: spec.wall.unwrap_or(default_wall(cpu)),
            memory: spec.memory.unwrap_or(ByteSize::mib(512)),
            output: spec.output.unwrap_or(ByteSize::mib(64)),
            processes: spec.processes.unwrap_or(64),
        };
        let complain = |key: &str, message: String| Err(self.at(&path(["limits".into(), key.into()]), message));
        if cpu == TimeSpan::ZERO || cpu > LONGEST {
            return complain("time", format!("expected a time limit of more than 0 and at most 1min, found {cpu}"));
        }
        let Limits { wall, memory, output, processes, .. } = limits;
        if spec.wall.is_some() && spec.time == Some(TimeSpec::Auto) {
            let message = "`wall` cannot be combined with `time: auto`, which determines the wall time limit";
            return complain("wall", format!("{message}; remove `wall`"));
        }
        if wall < cpu || wall > LONGEST.times(10) {
            let message = format!("expected a wall time limit from {cpu} (the CPU time limit) to 10min, found {wall}");
            return complain("wall", message);
        }
        if memory < ByteSize::mib(1) || memory > ByteSize::mib(64 << 10) {
            return complain("memory", format!("expected a memory limit from 1MiB to 64GiB, found {memory}"));
        }
        if output < ByteSize::new(1) || output > ByteSize::mib(1 << 10) {
            return complain("output", format!("expected an output limit from 1B to 1GiB, found {output}"));
        }
        if !(1..=4096).contains(&processes) {
            return complain("processes", format!("expected a process limit from 1 to 4096, found {processes}"));
        }
        Ok(limits)
    }

    fn description(&self, input: &[ItemSpec], clauses: &[String]) -> Result<Description, Diagnostic> {
        let items = self.items("input", input)?;
        Description::parse(&items, clauses).map_err(|complaint| self.described("input", complaint))
    }

    fn answer(&self, spec: &Spec, input: &Description) -> Result<Option<Description>, Diagnostic> {
        if spec.answer.is_empty() {
            return Ok(None);
        }
        let items = self.items("answer", &spec.answer)?;
        Description::parse_after(input, &items, &[]).map(Some).map_err(|complaint| self.described("answer", complaint))
    }

    fn items(&self, section: &str, items: &[ItemSpec]) -> Result<Vec<RawItem>, Diagnostic> {
        let raw = |(index, item): (usize, &ItemSpec)| match item {
            ItemSpec::Line(values) => Ok(RawItem::Line(raw_values(values))),
            ItemSpec::Repeat(block) => {
                let lines = match (&block.line, &block.lines) {
                    (Some(line), None) => vec![raw_values(line)],
                    (None, Some(lines)) if !lines.is_empty() => lines.iter().map(raw_values).collect(),
                    _ => {
                        let message = "a block requires either `line:` or a non-empty list `lines:`";
                        return Err(self.at(&path([section.into(), index.into()]), message));
                    }
                };
                Ok(RawItem::Repeat { repeat: block.repeat.0.clone(), lines })
            }
        };
        items.iter().enumerate().map(raw).collect()
    }

    /// Converts an error in a description to an error that marks a position in the file.
    fn described(&self, section: &str, complaint: DescriptionError) -> Diagnostic {
        let (place, target) = self.place_of(section, &complaint.at);
        let diagnostic = self.marked(&place, target, complaint.range, complaint.message);
        match complaint.help {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        }
    }

    fn place_of(&self, section: &str, at: &At) -> (Vec<PathStep>, Target) {
        match at {
            At::Item(item) => (path([section.into(), (*item).into()]), Target::Value),
            At::Key { item, key } => (self.path_of_key(section, *item, key), Target::Key),
            At::Value { item, key } => (self.path_of_key(section, *item, key), Target::Value),
            At::Repeat { item } => (path([section.into(), (*item).into(), "repeat".into()]), Target::Value),
            At::Clause(index) => (path(["where".into(), (*index).into()]), Target::Value),
            At::Override(name) => (path([section.into(), name.as_str().into()]), Target::Value),
        }
    }

    /// Returns the path to a key of an item: a key of the item itself, or of the `line:` or one of the first 16
    /// `lines:` of a block. Returns the path to the item if the key is not found.
    fn path_of_key(&self, section: &str, item: usize, key: &str) -> Vec<PathStep> {
        let head = path([section.into(), item.into()]);
        let there = |tail: &[PathStep]| {
            let whole: Vec<PathStep> = head.iter().chain(tail).cloned().collect();
            let place = yaml::place(self.text, &whole, Target::Key)?;
            (self.text.get(place.start..place.end)? == key).then_some(whole)
        };
        there(&[key.into()])
            .or_else(|| there(&["line".into(), key.into()]))
            .or_else(|| (0..16_usize).find_map(|line| there(&["lines".into(), line.into(), key.into()])))
            .unwrap_or(head)
    }

    fn groups(&self, spec: &Spec, input: &Description, answer: Option<&Description>) -> Result<Vec<Group>, Diagnostic> {
        let mut groups: Vec<Group> = Vec::new();
        for (name, group) in spec.tests.iter() {
            self.check_name(name)?;
            let here = [PathStep::from("tests"), name.as_str().into()];
            let group = match group {
                GroupSpec::Given(cases) => Group {
                    judging: None,
                    name: name.clone(),
                    points: None,
                    after: vec![],
                    recipe: self.given(&here, cases, input)?,
                },
                GroupSpec::Recipe(recipe) => Group {
                    judging: None,
                    name: name.clone(),
                    points: self.points(&here, recipe)?,
                    after: self.after(&here, &groups, recipe)?,
                    recipe: self.recipe(&here, recipe, input, answer)?,
                },
            };
            groups.push(group);
        }
        let cases: usize = groups.iter().map(Group::count).sum();
        if cases == 0 || cases > MOST_CASES {
            let message = format!("expected 1 to {MOST_CASES} test cases in all groups together, found {cases}");
            return Err(self.at(&path(["tests".into()]), message));
        }
        Ok(groups)
    }

    fn points(&self, here: &[PathStep], recipe: &RecipeSpec) -> Result<Option<Score>, Diagnostic> {
        match recipe.points {
            Some(points) if points > MOST_POINTS => {
                let path: Vec<PathStep> = here.iter().cloned().chain(["points".into()]).collect();
                Err(self.at(&path, format!("the {points} points of the group exceed the limit of {MOST_POINTS}")))
            }
            points => Ok(points.map(Score::points)),
        }
    }

    fn check_name(&self, name: &str) -> Result<(), Diagnostic> {
        let good = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_';
        if (1..=40).contains(&name.len()) && name.chars().all(good) {
            return Ok(());
        }
        let here = path(["tests".into(), name.into()]);
        let message = format!("`{name}` is not a valid group name");
        Err(self
            .marked(&here, Target::Key, None, message)
            .help("a group name consists of 1 to 40 of the characters a-z, 0-9, `-` and `_`"))
    }

    fn after(&self, here: &[PathStep], groups: &[Group], recipe: &RecipeSpec) -> Result<Vec<usize>, Diagnostic> {
        let index = |(at, name): (usize, &String)| {
            groups.iter().position(|group| group.name == *name).ok_or_else(|| {
                let place = [here, &["after".into(), at.into()]].concat();
                let known = groups.iter().map(|group| group.name.as_str());
                let diagnostic = self.at(&place, format!("there is no earlier group `{name}`"));
                match yaml::nearest(name, known) {
                    Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
                    None => diagnostic.help("`after` can list only groups that precede this group"),
                }
            })
        };
        recipe.after.iter().enumerate().map(index).collect()
    }

    fn given(&self, here: &[PathStep], cases: &[GivenSpec], input: &Description) -> Result<Recipe, Diagnostic> {
        if cases.is_empty() {
            return Err(self
                .at(here, "the group has no cases")
                .help("add a case such as `- input: \"1\\n\"`, or remove the group"));
        }
        for (at, case) in cases.iter().enumerate() {
            // In single quotes `\n` is two characters and not a line break, so the input is a single line.
            if case.input.contains("\\n") && input.validate(case.input.as_bytes(), None).is_err() {
                let place = [here, &[at.into(), "input".into()]].concat();
                let message = "the input contains `\\n` as two characters and does not match `input:`";
                return Err(self.at(&place, message).help(format!("use double quotes: `\"{}\"`", case.input)));
            }
        }
        let given = |case: &GivenSpec| Given {
            input: case.input.clone(),
            answer: case.answer.clone(),
            note: case.note.clone(),
        };
        Ok(Recipe::Given(cases.iter().map(given).collect()))
    }

    /// Returns the recipe that the keys of a group specify.
    fn recipe(
        &self,
        here: &[PathStep],
        recipe: &RecipeSpec,
        input: &Description,
        answer: Option<&Description>,
    ) -> Result<Recipe, Diagnostic> {
        self.check_keys(here, recipe)?;
        if let Some(cases) = &recipe.cases {
            return self.given(&[here, &["cases".into()]].concat(), cases, input);
        }
        if let Some(every) = &recipe.every {
            return self.every(&[here, &["every".into()]].concat(), every, input);
        }
        let count = self.count(here, recipe)?;
        let balance = self.balance(here, recipe, answer)?;
        match &recipe.program {
            Some(program) => {
                let place = [here, &["program".into()]].concat();
                let (file, args) = (self.program_at(&place, &place, program)?, self.args(here, recipe)?);
                Ok(Recipe::Program { file, args, count, balance })
            }
            None => {
                let with = recipe.with.clone().unwrap_or_default();
                let description = self.narrowed(&[here, &["with".into()]].concat(), &with, input)?;
                Ok(Recipe::Random { description, count, balance })
            }
        }
    }

    /// Checks that the keys of a group can be combined with each other.
    fn check_keys(&self, here: &[PathStep], recipe: &RecipeSpec) -> Result<(), Diagnostic> {
        let there = [
            ("cases", recipe.cases.is_some()),
            ("every", recipe.every.is_some()),
            ("program", recipe.program.is_some()),
            ("with", recipe.with.is_some()),
            ("count", recipe.count.is_some()),
            ("balance", recipe.balance.is_some()),
            ("args", recipe.args.is_some()),
        ];
        let allowed: (&str, &[&str]) = match recipe {
            RecipeSpec { cases: Some(_), .. } => ("cases", &["cases"]),
            RecipeSpec { every: Some(_), .. } => ("every", &["every"]),
            RecipeSpec { program: Some(_), .. } => ("program", &["program", "args", "count", "balance"]),
            _ => ("count", &["count", "with", "balance"]),
        };
        match there.iter().find(|(key, is_there)| *is_there && !allowed.1.contains(key)) {
            None => Ok(()),
            Some((key, _)) => {
                let place = [here, &[PathStep::from(*key)]].concat();
                let message = match *key {
                    "args" => "`args` requires `program`".to_owned(),
                    key => format!("`{key}` cannot be combined with `{}`", allowed.0),
                };
                let help = "specify exactly one of `cases`, `every`, `count` (optionally with `with` and `balance`), \
                     or `program` (with `count`, and optionally `args` and `balance`); to score two kinds of cases \
                     together, put the cases of one kind into a separate group without `points`, and list that \
                     group in `after`";
                Err(self.marked(&place, Target::Key, None, message).help(help))
            }
        }
    }

    fn count(&self, here: &[PathStep], recipe: &RecipeSpec) -> Result<usize, Diagnostic> {
        match recipe.count {
            Some(count) if (1..=MOST_CASES).contains(&count) => Ok(count),
            Some(count) => {
                let place = [here, &["count".into()]].concat();
                Err(self.at(&place, format!("expected 1 to {MOST_CASES} cases, found {count}")))
            }
            None => {
                let diagnostic = self.marked(here, Target::Key, None, "the group does not specify its number of cases");
                let help = if recipe.program.is_some() {
                    "add a number such as `count: 10`"
                } else {
                    "add a number such as `count: 10`, or use `every:` for all inputs in given ranges, or `cases:` \
                     for given inputs"
                };
                Err(diagnostic.help(help))
            }
        }
    }

    fn narrowed(
        &self,
        here: &[PathStep],
        with: &Unique<ValueSpec>,
        input: &Description,
    ) -> Result<Description, Diagnostic> {
        input.narrow(&raw_values(with)).map_err(|complaint| {
            let At::Override(name) = &complaint.at else { return self.described("input", complaint) };
            let place = [here, &[name.as_str().into()]].concat();
            let known = input.names().any(|known| known == name);
            let target = if known { Target::Value } else { Target::Key };
            let diagnostic = self.marked(&place, target, complaint.range, complaint.message);
            match complaint.help {
                Some(help) => diagnostic.help(help),
                None => diagnostic,
            }
        })
    }

    fn every(&self, here: &[PathStep], every: &Unique<ValueSpec>, input: &Description) -> Result<Recipe, Diagnostic> {
        const MOST: u64 = 20_000;
        let description = self.narrowed(here, every, input)?;
        match description.count_up_to(MOST) {
            Some(0) => Err(self.at(here, "no input that matches `input:` satisfies these ranges; widen the ranges")),
            Some(count) => Ok(Recipe::Every { description, count: count as usize }),
            None => Err(self.at(
                here,
                format!(
                    "more than {MOST} inputs satisfy these ranges, or counting them takes too long; narrow the \
                     ranges, or use `count` and `with` for random inputs"
                ),
            )),
        }
    }

    fn balance(
        &self,
        here: &[PathStep],
        recipe: &RecipeSpec,
        answer: Option<&Description>,
    ) -> Result<Option<Balance>, Diagnostic> {
        let Some(name) = &recipe.balance else { return Ok(None) };
        match answer.and_then(|answer| answer.words(name)) {
            Some(words) => {
                Ok(Some(Balance { name: name.clone(), words: words.into_iter().map(str::to_owned).collect() }))
            }
            None => {
                let place = [here, &["balance".into()]].concat();
                let message = format!("`balance` requires that `answer:` describes `{name}` as a choice of words");
                let help =
                    "specify the name of a choice of words, such as `winner` in `answer: [{ winner: [Yes, No] }]`";
                Err(self.at(&place, message).help(help))
            }
        }
    }

    /// Splits arguments such as `n=3 xor={0,any}` at white space, and each argument into its alternatives.
    fn args(&self, here: &[PathStep], recipe: &RecipeSpec) -> Result<Vec<Vec<String>>, Diagnostic> {
        let text = recipe.args.as_ref().map_or("", |args| args.0.as_str());
        text.split_whitespace()
            .map(|argument| {
                alternatives(argument).ok_or_else(|| {
                    let place = [here, &["args".into()]].concat();
                    let start = argument.as_ptr() as usize - text.as_ptr() as usize;
                    let message = format!("`{argument}` has unmatched braces or more than one pair of braces");
                    self.marked(&place, Target::Value, Some(start..start + argument.len()), message)
                        .help("write the alternatives of an argument in one pair of braces, such as `n={1,5}`")
                })
            })
            .collect()
    }
}

fn alternatives(argument: &str) -> Option<Vec<String>> {
    let Some((head, rest)) = argument.split_once('{') else {
        return (!argument.contains('}')).then(|| vec![argument.to_owned()]);
    };
    let (middle, tail) = rest.split_once('}')?;
    if middle.contains('{') || tail.contains(['{', '}']) {
        return None;
    }
    Some(middle.split(',').map(|part| format!("{head}{part}{tail}")).collect())
}

fn raw_values(values: &Unique<ValueSpec>) -> IndexMap<String, RawValue> {
    let raw = |value: &ValueSpec| match value {
        ValueSpec::Text(text) => RawValue::Text(text.clone()),
        ValueSpec::Words(words) => RawValue::Words(words.clone()),
    };
    values.iter().map(|(name, value)| (name.clone(), raw(value))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPEC: &str = "name: Nim\ninput:\n  - n: 1..=9\n  - a[n]: 0..=9\nanswer:\n  - winner: [Yes, No]\ntests:\n  \
                        sample:\n    - input: \"1\\n2\\n\"\n  tiny: { every: { n: 1..=2, a: 0..=3 }, points: 10 }\n  \
                        more: { count: 4, with: { n: 3 }, balance: winner, after: [tiny] }\n";

    fn lower(text: &str) -> Result<Problem, Diagnostic> {
        read("problem.yaml", text, "nim".parse().unwrap(), Path::new("."))
    }

    /// Replaces `from` with `to` in the spec. Returns the message and the help of the error, and the text that the
    /// error marks.
    #[track_caller]
    fn complaint(from: &str, to: &str) -> (String, String) {
        assert!(SPEC.contains(from), "{from}");
        let error = lower(&SPEC.replacen(from, to, 1)).unwrap_err();
        let marked = error.place.map(|place| error.text[place.start..place.end].to_owned());
        (format!("{} {}", error.message, error.help.unwrap_or_default()), marked.unwrap_or_default())
    }

    #[test]
    fn a_spec_becomes_a_problem() {
        let problem = lower(SPEC).unwrap();
        let counts: Vec<usize> = problem.groups.iter().map(Group::count).collect();
        assert_eq!(counts, [1, 4 + 16, 4]);
        assert_eq!(problem.groups[2].after, [1]);
        assert_eq!(problem.groups[1].points, Some(Score::points(10)));
        assert_eq!(problem.samples().len(), 1);
        assert_eq!(problem.limits.cpu, TimeSpan::seconds(1));
    }

    #[test]
    fn errors_mark_their_position() {
        let marks = [
            ("n: 1..=9", "n: 9..=1", "9..=1"),
            ("a[n]: 0..=9", "a[m]: 0..=9", "m"),
            ("n: 1..=2,", "n: 1..=99,", "1..=99"),
            ("every: { n: 1..=2,", "every: { q: 1..=2,", "q"),
            ("balance: winner", "balance: loser", "loser"),
            ("after: [tiny]", "after: [tini]", "tini"),
            ("count: 4", "count: 0", "0"),
            ("count: 4, ", "", "more"),
            ("more:", "More:", "More"),
            ("name: Nim", "name: ' '", " "),
        ];
        for (from, to, marked) in marks {
            assert_eq!(complaint(from, to).1, marked, "{from} -> {to}: {:?}", complaint(from, to));
        }
    }

    #[test]
    fn conflicting_keys_are_refused() {
        let (message, marked) = complaint("every: {", "count: 3, every: {");
        assert!(message.contains("`count` cannot be combined with `every`"), "{message}");
        assert_eq!(marked, "count");
        assert!(complaint("count: 4", "count: 4, program: x.rs").0.contains("cannot be combined"));
        let (message, marked) = complaint("count: 4, with: { n: 3 }", "count: 4, program: ../x.rs");
        assert!(message.contains("name of a file or folder in `programs/`"), "{message}");
        assert_eq!(marked, "../x.rs");
    }

    #[test]
    fn enumerations_that_are_too_large_are_refused() {
        let (message, _) = complaint("every: { n: 1..=2, a: 0..=3 }", "every: {}");
        assert!(message.contains("more than"), "{message}");
    }

    #[test]
    fn arguments_have_alternatives() {
        assert_eq!(alternatives("n=3"), Some(vec!["n=3".to_owned()]));
        assert_eq!(alternatives("x={a,b}c"), Some(vec!["x=ac".to_owned(), "x=bc".to_owned()]));
        for bad in ["{", "}", "{a", "a}", "{a}{b}", "{a{b}}"] {
            assert_eq!(alternatives(bad), None, "{bad}");
        }
    }
}
