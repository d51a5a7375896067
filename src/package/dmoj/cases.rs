//! The cases of `init.yml`, which are listed explicitly or found by file names, singly or in batches.

use crate::model::Diagnostic;
use crate::yaml::Value;

use super::super::yaml_map::YamlMap;
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
    pub(super) generated: bool,
}

/// A single case, or a batch.
#[derive(Debug, Clone)]
pub(super) struct BatchOrCase {
    pub(super) batched: bool,
    /// Numbers of the batches that must pass first, counted from 1.
    pub(super) after: Vec<usize>,
    pub(super) cases: Vec<CaseSettings>,
}

impl CaseSettings {
    /// Takes the settings from a map.
    ///
    /// # Errors
    /// Returns an error if a value is invalid or a feature is not supported.
    pub(super) fn take(keys: &mut YamlMap<'_>, notes: &mut Vec<String>) -> Result<CaseSettings, Diagnostic> {
        refuse_python_keys(keys)?;
        let points = keys.number("points")?;
        if points.is_some_and(|points| !(0.0..=MOST).contains(&points)) {
            return Err(keys.error("points", "expected points from 0 to 1000000000"));
        }
        for (key, why) in [
            ("file_io", "it is supported only for the whole package"),
            ("symlinks", "links in working directories are not supported"),
            ("wall_time_factor", "the default wall time limit applies"),
        ] {
            if keys.take(key).is_some() {
                notes.push(format!("init.yml: `{key}` is ignored: {why}"));
            }
        }
        // This key affects only how DMOJ's site displays the output.
        keys.take("output_prefix_length");
        let generated = ["generator", "generator_args", "generator_in"].map(|key| keys.take(key).is_some());
        let (input, answer) = (file(keys, "in")?, file(keys, "out")?);
        let (checker, binary) = (keys.take("checker"), read_bool(keys, "binary_data")?);
        Ok(CaseSettings { input, answer, points, checker, binary, generated: generated.contains(&true) })
    }

    /// Replaces missing settings by the defaults.
    fn within(self, defaults: &CaseSettings) -> CaseSettings {
        CaseSettings {
            input: self.input.or_else(|| defaults.input.clone()),
            answer: self.answer.or_else(|| defaults.answer.clone()),
            points: self.points.or(defaults.points),
            checker: self.checker.or_else(|| defaults.checker.clone()),
            binary: self.binary.or(defaults.binary),
            generated: self.generated || defaults.generated,
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

    /// Fails if the files of a case would have to be generated.
    fn check_files(&self, map: &YamlMap<'_>) -> Result<(), Diagnostic> {
        let made = self.generated && (self.input().is_none() || self.answer().is_none());
        let why = "generated cases are not supported; add their files to the package";
        if made { Err(map.error("generator", why)) } else { Ok(()) }
    }
}

impl BatchOrCase {
    /// Whether the item is a single case without points.
    pub(super) fn is_pretest(&self) -> bool {
        !self.batched && self.cases.iter().all(|case| case.points_or_default() <= 0.0)
    }
}

/// Takes the name of a file. A key with a null value gives an empty name, which overrides the default.
fn file(keys: &mut YamlMap<'_>, key: &str) -> Result<Option<String>, Diagnostic> {
    let said = keys.names().iter().any(|name| name == key);
    Ok(keys.string(key)?.or_else(|| said.then(String::new)))
}

/// Takes a boolean. DMOJ reads YAML 1.1, in which booleans have more spellings.
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

/// Rejects keys whose values are Python code: `x+` holds an expression, `x++` a program.
///
/// # Errors
/// Returns an error that names the first such key.
pub(super) fn refuse_python_keys(keys: &YamlMap<'_>) -> Result<(), Diagnostic> {
    match keys.names().iter().find(|name| name.ends_with('+')) {
        Some(name) => Err(keys.error(name, "keys that end in `+` contain Python code, which is not supported")),
        None => Ok(()),
    }
}

/// Reads the cases of a package.
pub(super) struct CasesReader<'r> {
    pub(super) defaults: &'r CaseSettings,
    /// File names in the archive; `None` if the package has no archive.
    pub(super) archive_names: Option<Vec<String>>,
    pub(super) notes: &'r mut Vec<String>,
}

impl CasesReader<'_> {
    /// Reads the cases below a key of `init.yml`.
    ///
    /// # Errors
    /// Returns an error if a case is invalid or not supported.
    pub(super) fn read(&mut self, keys: &mut YamlMap<'_>, key: &str) -> Result<Vec<BatchOrCase>, Diagnostic> {
        match keys.take(key) {
            Some(Value::Sequence(list)) => self.read_list(keys, key, list),
            Some(value) => {
                let mut formats = keys.as_map(key, value)?;
                self.find_by_name(&mut formats)
            }
            None => self.find_by_name(&mut YamlMap::parse("init.yml", "")?),
        }
    }

    fn read_list(&mut self, keys: &YamlMap<'_>, key: &str, list: Vec<Value>) -> Result<Vec<BatchOrCase>, Diagnostic> {
        let mut items = Vec::new();
        for (index, value) in list.into_iter().enumerate() {
            let numbered =
                |error: Diagnostic| Diagnostic { message: format!("{key}[{index}]: {}", error.message), ..error };
            let mut map = keys.as_map(key, value)?;
            let item = self.read_item(&mut map).map_err(numbered)?;
            map.finish(self.notes);
            let before = items.iter().filter(|item: &&BatchOrCase| item.batched).count();
            if let Some(wrong) = item.after.iter().find(|number| **number > before) {
                let message = format!("{key}[{index}]: `dependencies`: {wrong} is not the number of an earlier batch");
                return Err(keys.error(key, message));
            }
            items.push(item);
        }
        Ok(items)
    }

    fn read_item(&mut self, map: &mut YamlMap<'_>) -> Result<BatchOrCase, Diagnostic> {
        let own = CaseSettings::take(map, self.notes)?.within(self.defaults);
        let Some(batched) = map.take("batched") else {
            own.check_files(map)?;
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
            case.check_files(&inner)?;
            inner.finish(self.notes);
            cases.push(case);
        }
        if cases.is_empty() {
            return Err(map.error("batched", "the batch has no cases"));
        }
        let mut after = Vec::new();
        for text in map.strings("dependencies")?.unwrap_or_default() {
            let number = text.parse().ok().filter(|number| *number > 0);
            after.push(number.ok_or_else(|| map.error("dependencies", "expected batch numbers, counted from 1"))?);
        }
        Ok(BatchOrCase { batched: true, after, cases })
    }

    /// Finds cases by the names of the files in the archive.
    fn find_by_name(&mut self, formats: &mut YamlMap<'_>) -> Result<Vec<BatchOrCase>, Diagnostic> {
        let names = self.archive_names.clone().ok_or_else(|| {
            formats.error(
                "test_cases",
                "the cases are not listed, so they are taken from `archive`, but the package has no `archive`",
            )
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
        let said = formats.names();
        if !said.is_empty() {
            self.notes.push(format!("init.yml: `test_cases`: unknown keys are ignored: {}", said.join(", ")));
        }
        let mut items = Vec::new();
        for found in found {
            let points = match worth.next() {
                Some(text) => Some(
                    text.parse::<f64>()
                        .ok()
                        .filter(|points| (0.0..=MOST).contains(points))
                        .ok_or_else(|| formats.error("case_points", format!("`{text}` is not a valid score")))?,
                ),
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
            cases.iter().try_for_each(|case| case.check_files(formats))?;
            items.push(BatchOrCase { batched, after: Vec::new(), cases });
        }
        self.note_missing_files(&items);
        Ok(items)
    }

    /// Adds a note for each case that lacks an input or answer, for which an empty file is used.
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
