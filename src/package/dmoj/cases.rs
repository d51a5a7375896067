//! Reads the cases of a DMOJ package. `init.yml` lists them, or they are found by file names. A case may belong to
//! a batch.

use crate::model::Diagnostic;
use crate::yaml::Value;

use super::super::yaml_map::{YamlMap, scalar};
use super::naming::{FilePair, FoundCases, NamePattern, pair};

/// Maximum points of a case.
const MOST: f64 = 1e9;

/// The settings that a case, a batch or the whole package may have. Missing settings are inherited from the enclosing
/// level.
#[derive(Debug, Clone, Default)]
pub(super) struct CaseSettings {
    /// Name of the input file. An empty name means that the case has no input, even if a default exists.
    pub(super) input: Option<String>,
    /// Name of the answer file. An empty name means that the case has no answer, even if a default exists.
    pub(super) answer: Option<String>,
    pub(super) points: Option<f64>,
    pub(super) checker: Option<Value>,
    pub(super) binary: Option<bool>,
    pub(super) generator: Option<Value>,
    pub(super) generator_args: Option<Vec<String>>,
    /// Name of the file that is the generator's standard input.
    pub(super) generator_in: Option<String>,
}

/// A single case, or a batch.
#[derive(Debug, Clone)]
pub(super) struct BatchOrCase {
    pub(super) batched: bool,
    /// Numbers of the batches on which this batch depends, counted from 1.
    pub(super) after: Vec<usize>,
    pub(super) cases: Vec<CaseSettings>,
}

impl CaseSettings {
    /// Removes the settings from `keys` and returns them.
    ///
    /// # Errors
    /// Returns an error if a value is invalid or a feature is not supported.
    pub(super) fn take(keys: &mut YamlMap<'_>, notes: &mut Vec<String>) -> Result<CaseSettings, Diagnostic> {
        refuse_python_keys(keys)?;
        let points = keys.number("points")?;
        if points.is_some_and(|points| !(0.0..=MOST).contains(&points)) {
            return Err(keys.error("points", "expected a number of points from 0 to 1000000000"));
        }
        for (key, why) in [
            ("file_io", "it is supported only for the whole package"),
            ("symlinks", "it is supported only for the whole package"),
            ("wall_time_factor", "the wall time limit is derived from the time limit"),
        ] {
            if keys.take(key).is_some() {
                notes.push(format!("init.yml: `{key}` is ignored, because {why}"));
            }
        }
        // This key affects only how DMOJ's site displays the output.
        keys.take("output_prefix_length");
        let (generator, generator_in) = (keys.take("generator"), keys.string("generator_in")?);
        let args = keys.take("generator_args").map(|args| arguments(&args));
        let wrong =
            || keys.error("generator_args", "expected a list whose items are strings, numbers, booleans or null");
        let generator_args = args.map(|args| args.ok_or_else(wrong)).transpose()?;
        let (input, answer) = (file(keys, "in")?, file(keys, "out")?);
        let (checker, binary) = (keys.take("checker"), read_bool(keys, "binary_data")?);
        #[rustfmt::skip]
        let settings = CaseSettings {
            input, answer, points, checker, binary, generator, generator_args, generator_in,
        };
        Ok(settings)
    }

    /// Fills in missing settings from the defaults.
    fn within(self, defaults: &CaseSettings) -> CaseSettings {
        CaseSettings {
            input: self.input.or_else(|| defaults.input.clone()),
            answer: self.answer.or_else(|| defaults.answer.clone()),
            points: self.points.or(defaults.points),
            checker: self.checker.or_else(|| defaults.checker.clone()),
            binary: self.binary.or(defaults.binary),
            generator: self.generator.or_else(|| defaults.generator.clone()),
            generator_args: self.generator_args.or_else(|| defaults.generator_args.clone()),
            generator_in: self.generator_in.or_else(|| defaults.generator_in.clone()),
        }
    }

    /// Returns the name of the input file, or `None` if the case has no input.
    pub(super) fn input(&self) -> Option<&str> {
        self.input.as_deref().filter(|name| !name.is_empty())
    }

    /// Returns the name of the answer file, or `None` if the case has no answer.
    pub(super) fn answer(&self) -> Option<&str> {
        self.answer.as_deref().filter(|name| !name.is_empty())
    }

    /// Returns the points of the case, which are 1 by default.
    pub(super) fn points_or_default(&self) -> f64 {
        self.points.unwrap_or(1.0)
    }

    /// Returns the generator of the missing files, or `None` if no file is missing or there is no generator.
    pub(super) fn generator(&self) -> Option<&Value> {
        let whole = self.input().is_some() && self.answer().is_some();
        self.generator.as_ref().filter(|value| !whole && scalar(value).is_none_or(|name| !name.is_empty()))
    }

    /// Fails if the input is specified as a file, but the generator has arguments or standard input and would generate
    /// the input too.
    fn check_generator(&self, map: &YamlMap<'_>) -> Result<(), Diagnostic> {
        let args = self.generator_args.as_ref().is_some_and(|args| !args.is_empty());
        match self.input().filter(|_| self.generator.is_some() && (args || self.generator_in.is_some())) {
            Some(input) => {
                let message = format!("the input is the file `{input}`, so it cannot also be generated");
                let key = if args { "generator_args" } else { "generator_in" };
                Err(map.error(key, message).help("remove either `in`, or `generator_args` and `generator_in`"))
            }
            None => Ok(()),
        }
    }
}

impl BatchOrCase {
    /// Returns whether the item is a single case without points.
    pub(super) fn is_pretest(&self) -> bool {
        !self.batched && self.cases.iter().all(|case| case.points_or_default() <= 0.0)
    }
}

/// Removes the entry `key` from `keys` and returns its value, the name of a file. A null value is returned as an empty
/// name, which overrides the default.
fn file(keys: &mut YamlMap<'_>, key: &str) -> Result<Option<String>, Diagnostic> {
    let said = keys.names().iter().any(|name| name == key);
    Ok(keys.string(key)?.or_else(|| said.then(String::new)))
}

/// Formats the arguments of a generator as Python does. A null value stands for an empty list. Returns `None` if the
/// value is neither null nor a list of scalars.
pub(super) fn arguments(value: &Value) -> Option<Vec<String>> {
    let one = |value: &Value| match value {
        Value::Bool(true) => Some("True".to_owned()),
        Value::Bool(false) => Some("False".to_owned()),
        Value::Null => Some("None".to_owned()),
        other => scalar(other),
    };
    match value {
        Value::Sequence(list) => list.iter().map(one).collect(),
        Value::Null => Some(Vec::new()),
        _ => None,
    }
}

/// Removes the entry `key` from `keys` and returns its boolean value, or `None` if the key is missing. DMOJ reads YAML
/// 1.1, in which booleans have additional spellings, such as `yes` and `off`.
///
/// # Errors
/// Returns an error if the value is not a boolean.
pub(super) fn read_bool(keys: &mut YamlMap<'_>, key: &str) -> Result<Option<bool>, Diagnostic> {
    match keys.take(key) {
        None => Ok(None),
        Some(Value::Bool(truth)) => Ok(Some(truth)),
        Some(Value::String(word)) if ["yes", "on"].contains(&word.to_ascii_lowercase().as_str()) => Ok(Some(true)),
        Some(Value::String(word)) if ["no", "off"].contains(&word.to_ascii_lowercase().as_str()) => Ok(Some(false)),
        Some(_) => Err(keys.error(key, "expected `true` or `false`")),
    }
}

/// Rejects keys whose values are Python code: the value of `x+` is an expression, and the value of `x++` is a
/// program.
///
/// # Errors
/// Returns an error that names the first such key.
pub(super) fn refuse_python_keys(keys: &YamlMap<'_>) -> Result<(), Diagnostic> {
    match keys.names().iter().find(|name| name.ends_with('+')) {
        Some(name) => Err(keys.error(name, "keys that end in `+` contain Python code, which is not supported")),
        None => Ok(()),
    }
}

/// A reader of the cases of a package.
pub(super) struct CasesReader<'r> {
    pub(super) defaults: &'r CaseSettings,
    /// File names in the archive; `None` if the package has no archive.
    pub(super) archive_names: Option<Vec<String>>,
    pub(super) notes: &'r mut Vec<String>,
}

impl CasesReader<'_> {
    /// Reads the cases that the key `key` of `init.yml` specifies. If its value is not a list of cases, the cases are
    /// found by the names of the files in the archive.
    ///
    /// # Errors
    /// Returns an error if a case is invalid or not supported, or if the cases are not listed and the package has no
    /// archive.
    pub(super) fn read(&mut self, keys: &mut YamlMap<'_>, key: &str) -> Result<Vec<BatchOrCase>, Diagnostic> {
        match keys.take(key) {
            Some(Value::Sequence(list)) => self.read_list(keys, key, list),
            Some(value) => {
                let mut formats = keys.as_map(key, value)?;
                self.find_by_name(&mut formats, key)
            }
            None => self.find_by_name(&mut YamlMap::parse("init.yml", "")?, key),
        }
    }

    fn read_list(&mut self, keys: &YamlMap<'_>, key: &str, list: Vec<Value>) -> Result<Vec<BatchOrCase>, Diagnostic> {
        let mut items = Vec::new();
        for (index, value) in list.into_iter().enumerate() {
            let numbered = |error: Diagnostic| {
                let message = format!("{} (item {} of `{key}`)", error.message, index + 1);
                Diagnostic { message, ..error }
            };
            let mut map = keys.as_map(key, value)?;
            let item = self.read_item(&mut map).map_err(numbered)?;
            map.finish(self.notes);
            let before = items.iter().filter(|item: &&BatchOrCase| item.batched).count();
            if let Some(wrong) = item.after.iter().find(|number| **number > before) {
                let message =
                    format!("item {} depends on batch {wrong}, but no earlier batch has this number", index + 1);
                return Err(keys.error(key, message));
            }
            items.push(item);
        }
        Ok(items)
    }

    fn read_item(&mut self, map: &mut YamlMap<'_>) -> Result<BatchOrCase, Diagnostic> {
        let own = CaseSettings::take(map, self.notes)?.within(self.defaults);
        let Some(batched) = map.take("batched") else {
            own.check_generator(map)?;
            return Ok(BatchOrCase { batched: false, after: Vec::new(), cases: vec![own] });
        };
        let Value::Sequence(list) = batched else {
            return Err(map.error("batched", "expected a list of cases"));
        };
        let mut cases = Vec::new();
        for value in list {
            let mut inner = map.as_map("batched", value)?;
            if inner.take("batched").is_some() {
                return Err(map.error("batched", "batches cannot be nested"));
            }
            let case = CaseSettings::take(&mut inner, self.notes)?.within(&own);
            case.check_generator(&inner)?;
            inner.finish(self.notes);
            cases.push(case);
        }
        if cases.is_empty() {
            return Err(map.error("batched", "the batch has no cases"));
        }
        let mut after = Vec::new();
        for text in map.strings("dependencies")?.unwrap_or_default() {
            let number = text.parse().ok().filter(|number| *number > 0);
            let message = || format!("expected a batch number of at least 1, found `{text}`");
            after.push(number.ok_or_else(|| map.error("dependencies", message()))?);
        }
        Ok(BatchOrCase { batched: true, after, cases })
    }

    /// Finds cases by the names of the files in the archive.
    fn find_by_name(&mut self, formats: &mut YamlMap<'_>, key: &str) -> Result<Vec<BatchOrCase>, Diagnostic> {
        let names = self.archive_names.clone().ok_or_else(|| {
            formats.error(key, "expected a list of cases, because the package has no `archive` to search for cases")
        })?;
        refuse_python_keys(formats)?;
        let mut pattern = |key: &str, kind: &str| match formats.string(key)? {
            Some(own) => NamePattern::custom(&own).map_err(|why| formats.error(key, why)),
            None => NamePattern::default_for(kind).map_err(Diagnostic::new),
        };
        let (inputs, answers) = (pattern("input_format", "in")?, pattern("output_format", "out")?);
        let points = formats.strings("case_points")?;
        let mut worth = points.into_iter().flatten();
        let found = pair(&names, &inputs, &answers);
        for name in formats.names() {
            self.notes.push(format!("init.yml: the unknown key `{name}` in `{key}` is ignored"));
        }
        let mut items = Vec::new();
        for found in found {
            let points = match worth.next() {
                Some(text) => {
                    Some(text.parse::<f64>().ok().filter(|points| (0.0..=MOST).contains(points)).ok_or_else(|| {
                        formats.error(
                            "case_points",
                            format!("expected a number of points from 0 to 1000000000, found `{text}`"),
                        )
                    })?)
                }
                None => self.defaults.points,
            };
            let (batched, pairs) = match found {
                FoundCases::Case(pair) => (false, vec![pair]),
                FoundCases::Batch(pairs) => (true, pairs),
            };
            let named = |FilePair { input, answer }: FilePair| {
                let [input, answer] = [input, answer].map(|name| Some(name.unwrap_or_default()));
                CaseSettings { points, input, answer, ..self.defaults.clone() }
            };
            let cases: Vec<CaseSettings> = pairs.into_iter().map(named).collect();
            cases.iter().try_for_each(|case| case.check_generator(formats))?;
            items.push(BatchOrCase { batched, after: Vec::new(), cases });
        }
        self.note_missing_files(&items);
        Ok(items)
    }

    /// Adds a note for each case that has an answer but no input, and for each case that has no answer although another
    /// case has one. An empty file is used instead.
    fn note_missing_files(&mut self, items: &[BatchOrCase]) {
        let cases = || items.iter().flat_map(|item| &item.cases);
        let answered = cases().any(|case| case.answer().is_some());
        for case in cases() {
            let (file, what) = match (case.input(), case.answer()) {
                (Some(input), None) if answered => (input, "answer"),
                (None, Some(answer)) => (answer, "input"),
                _ => continue,
            };
            self.notes.push(format!("init.yml: the archive has no {what} for `{file}`; an empty file is used"));
        }
    }
}
