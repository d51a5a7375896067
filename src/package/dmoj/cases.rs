//! The cases of `init.yml`: listed, or found by the names of the files, single or in batches.

use crate::model::Diagnostic;
use crate::yaml::Value;

use super::super::keys::Keys;
use super::naming::{Found, Pair, Pattern, pair};

/// The most points a case may have.
const MOST: f64 = 1e9;

/// What a case, a batch and the whole package may say; what one does not say, the next outer one does.
#[derive(Debug, Clone, Default)]
pub(super) struct Own {
    pub(super) points: Option<f64>,
    pub(super) checker: Option<Value>,
    pub(super) binary: Option<bool>,
    generated: bool,
}

/// A case.
#[derive(Debug, Clone)]
pub(super) struct Case {
    pub(super) input: Option<String>,
    pub(super) answer: Option<String>,
    pub(super) own: Own,
}

/// A single case, or a batch.
#[derive(Debug, Clone)]
pub(super) struct Unit {
    pub(super) batched: bool,
    pub(super) pretest: bool,
    /// The batches that must be passed before, counted from 1.
    pub(super) after: Vec<usize>,
    pub(super) points: Option<f64>,
    pub(super) cases: Vec<Case>,
}

impl Own {
    /// Takes what a map says.
    ///
    /// # Errors
    /// It makes no sense, or can't be done here.
    pub(super) fn take(keys: &mut Keys<'_>, notes: &mut Vec<String>) -> Result<Own, Diagnostic> {
        if let Some(name) = keys.names().iter().find(|name| name.ends_with("++")) {
            return Err(keys.wrong(name, "keys that end in `++` are programs in Python, which are not run"));
        }
        let points = keys.number("points")?;
        if points.is_some_and(|points| !(0.0..=MOST).contains(&points)) {
            return Err(keys.wrong("points", "points are from 0 to a milliard"));
        }
        let binary = match keys.take("binary_data") {
            None => None,
            Some(Value::Bool(truth)) => Some(truth),
            // DMOJ reads YAML 1.1, which has more words for both.
            Some(Value::String(word)) if ["yes", "on"].contains(&word.to_ascii_lowercase().as_str()) => Some(true),
            Some(Value::String(word)) if ["no", "off"].contains(&word.to_ascii_lowercase().as_str()) => Some(false),
            Some(_) => return Err(keys.wrong("binary_data", "`true` or `false` is expected here")),
        };
        for (key, why) in [
            ("file_io", "it counts for the whole package only"),
            ("symlinks", "no links are laid beside programs"),
            ("wall_time_factor", "the time on the clock is bounded as everywhere here"),
        ] {
            if keys.take(key).is_some() {
                notes.push(format!("init.yml: `{key}` is left out: {why}"));
            }
        }
        // What only the site shows.
        keys.take("output_prefix_length");
        let generated = ["generator", "generator_args", "generator_in"].map(|key| keys.take(key).is_some());
        Ok(Own { points, checker: keys.take("checker"), binary, generated: generated.contains(&true) })
    }

    /// This, and where it says nothing the outer one.
    fn within(self, outer: &Own) -> Own {
        Own {
            points: self.points.or(outer.points),
            checker: self.checker.or_else(|| outer.checker.clone()),
            binary: self.binary.or(outer.binary),
            generated: self.generated || outer.generated,
        }
    }
}

/// What is known when cases are read.
pub(super) struct Reader<'r> {
    pub(super) outer: &'r Own,
    /// The names in the archive, if there is one.
    pub(super) archived: Option<Vec<String>>,
    pub(super) notes: &'r mut Vec<String>,
}

impl Reader<'_> {
    /// The cases under a key of `init.yml`.
    ///
    /// # Errors
    /// They make no sense, or can't be had here.
    pub(super) fn units(&mut self, keys: &mut Keys<'_>, key: &str) -> Result<Vec<Unit>, Diagnostic> {
        match keys.take(key) {
            Some(Value::Sequence(list)) => self.listed(keys, key, list),
            Some(value) => {
                let mut formats = keys.as_map(key, value)?;
                self.named(&mut formats)
            }
            None => self.named(&mut Keys::parse("init.yml", "")?),
        }
    }

    fn listed(&mut self, keys: &Keys<'_>, key: &str, list: Vec<Value>) -> Result<Vec<Unit>, Diagnostic> {
        let mut units = Vec::new();
        for (index, value) in list.into_iter().enumerate() {
            let numbered =
                |error: Diagnostic| Diagnostic { message: format!("{key}[{index}]: {}", error.message), ..error };
            let mut map = keys.as_map(key, value)?;
            let unit = self.unit(&mut map).map_err(numbered)?;
            map.finish(self.notes);
            let before = units.iter().filter(|unit: &&Unit| unit.batched).count();
            if let Some(wrong) = unit.after.iter().find(|number| **number > before) {
                let message = format!("{key}[{index}]: `dependencies`: {wrong} is no batch before this one");
                return Err(keys.wrong(key, message));
            }
            units.push(unit);
        }
        Ok(units)
    }

    fn unit(&mut self, map: &mut Keys<'_>) -> Result<Unit, Diagnostic> {
        let own = Own::take(map, self.notes)?.within(self.outer);
        let points = own.points;
        let Some(batched) = map.take("batched") else {
            let case = Case { input: map.string("in")?, answer: map.string("out")?, own };
            there(&case, map)?;
            return Ok(Unit {
                batched: false,
                pretest: points == Some(0.0),
                after: Vec::new(),
                points,
                cases: vec![case],
            });
        };
        let Value::Sequence(list) = batched else {
            return Err(map.wrong("batched", "a list of cases is expected here"));
        };
        let mut cases = Vec::new();
        for value in list {
            let mut inner = map.as_map("batched", value)?;
            if inner.take("batched").is_some() {
                return Err(map.wrong("batched", "a batch has no batches in it"));
            }
            let own = Own::take(&mut inner, self.notes)?.within(&own);
            let case = Case { input: inner.string("in")?, answer: inner.string("out")?, own };
            there(&case, &inner)?;
            inner.finish(self.notes);
            cases.push(case);
        }
        if cases.is_empty() {
            return Err(map.wrong("batched", "there is no case in it"));
        }
        let mut after = Vec::new();
        for text in map.strings("dependencies")?.unwrap_or_default() {
            let number = text.parse().ok().filter(|number| *number > 0);
            after.push(
                number.ok_or_else(|| map.wrong("dependencies", "numbers of batches, from 1, are expected here"))?,
            );
        }
        Ok(Unit { batched: true, pretest: points == Some(0.0), after, points, cases })
    }

    /// Cases by the names of the files in the archive.
    fn named(&mut self, formats: &mut Keys<'_>) -> Result<Vec<Unit>, Diagnostic> {
        let names = self.archived.clone().ok_or_else(|| {
            formats.wrong(
                "test_cases",
                "without a list of cases they are found by the names in `archive`, and there is none",
            )
        })?;
        let mut pattern = |key: &str, kind: &str| match formats.string(key)? {
            Some(own) => Pattern::own(&own).map_err(|why| formats.wrong(key, why)),
            None => Pattern::usual(kind).map_err(Diagnostic::new),
        };
        let (inputs, answers) = (pattern("input_format", "in")?, pattern("output_format", "out")?);
        let points = formats.strings("case_points")?;
        let mut worth = points.into_iter().flatten();
        let found = pair(&names, &inputs, &answers);
        let said = formats.names();
        if !said.is_empty() {
            self.notes.push(format!("init.yml: `test_cases`: {} is left out: it is not known", said.join(", ")));
        }
        let mut units = Vec::new();
        for found in found {
            let points = match worth.next() {
                Some(text) => Some(
                    text.parse::<f64>()
                        .ok()
                        .filter(|points| (0.0..=MOST).contains(points))
                        .ok_or_else(|| formats.wrong("case_points", format!("`{text}` are no points")))?,
                ),
                None => self.outer.points,
            };
            let own = Own { points, ..self.outer.clone() };
            let (batched, pairs) = match found {
                Found::Case(pair) => (false, vec![pair]),
                Found::Batch(pairs) => (true, pairs),
            };
            let mut cases = Vec::new();
            for Pair { input, answer } in pairs {
                if input.is_none() || answer.is_none() {
                    let file = input.or(answer).unwrap_or_default();
                    self.notes.push(format!("init.yml: `{file}` is left out: its counterpart is not in the archive"));
                    continue;
                }
                cases.push(Case { input, answer, own: own.clone() });
            }
            if !cases.is_empty() {
                units.push(Unit { batched, pretest: points == Some(0.0), after: Vec::new(), points, cases });
            }
        }
        Ok(units)
    }
}

/// Whether a case has its files.
fn there(case: &Case, map: &Keys<'_>) -> Result<(), Diagnostic> {
    match (&case.input, &case.answer, case.own.generated) {
        (None, _, true) | (_, None, true) => {
            Err(map
                .wrong("generator", "cases that a generator makes are not supported: put their files into the package"))
        }
        _ => Ok(()),
    }
}
