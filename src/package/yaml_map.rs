//! Reads a YAML map tolerantly, key by key: the allowed values of a key differ between versions, and an unknown key
//! becomes a note rather than an error.

use indexmap::IndexMap;

use crate::model::Diagnostic;
use crate::yaml::{self, Foreign, PathStep, Target, Value};

/// A map of a YAML file, from which keys are taken.
#[derive(Debug)]
pub(super) struct YamlMap<'a> {
    origin: &'a str,
    text: &'a str,
    path: Vec<PathStep>,
    /// Each key with its value until it is taken. An entry stays after its value is taken, because removing it would
    /// shift all later entries.
    map: IndexMap<String, Option<Value>>,
    /// Keys that occur more than once in the same map, anywhere in the file.
    twice: Vec<String>,
}

impl<'a> YamlMap<'a> {
    /// Parses a file as a map. An empty file is an empty map.
    ///
    /// # Errors
    /// Fails if the file is not valid YAML or not a map.
    pub(super) fn parse(origin: &'a str, text: &'a str) -> Result<YamlMap<'a>, Diagnostic> {
        let empty = text.lines().all(|line| line.trim().is_empty() || line.trim_start().starts_with('#'));
        let Foreign { map, twice } = if empty { Foreign::default() } else { yaml::parse_foreign(origin, text)? };
        let map = map.into_iter().map(|(name, value)| (name, Some(value))).collect();
        Ok(YamlMap { origin, text, path: Vec::new(), map, twice })
    }

    /// Takes the value of a key. Returns `None` if the key is missing or its value is null.
    pub(super) fn take(&mut self, key: &str) -> Option<Value> {
        self.map.get_mut(key)?.take().filter(|value| !value.is_null())
    }

    /// Returns whether a key's value is a map.
    pub(super) fn is_map(&self, key: &str) -> bool {
        matches!(self.map.get(key), Some(Some(Value::Mapping(_))))
    }

    /// Takes the value of a key, which must be a scalar, and returns it as a string in its original spelling, as far as
    /// YAML preserves it.
    pub(super) fn string(&mut self, key: &str) -> Result<Option<String>, Diagnostic> {
        let Some(value) = self.take(key) else { return Ok(None) };
        scalar(&value).map(Some).ok_or_else(|| self.error(key, "expected a string"))
    }

    /// Takes the value of a key, which must be a finite number and may be quoted.
    pub(super) fn number(&mut self, key: &str) -> Result<Option<f64>, Diagnostic> {
        let Some(value) = self.take(key) else { return Ok(None) };
        let number = match &value {
            Value::Number(number) => number.as_f64(),
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        };
        match number {
            Some(number) if number.is_finite() => Ok(Some(number)),
            _ => Err(self.error(key, "expected a number")),
        }
    }

    /// Takes the value of a key, which must be a string or a list of strings, and returns it as a list.
    pub(super) fn strings(&mut self, key: &str) -> Result<Option<Vec<String>>, Diagnostic> {
        let Some(value) = self.take(key) else { return Ok(None) };
        strings(&value).map(Some).ok_or_else(|| self.error(key, "expected a string or a list of strings"))
    }

    /// Takes the value of a key, which must be a string or a list of strings, and returns it as a list of arguments. A
    /// string is split at white space.
    pub(super) fn words(&mut self, key: &str) -> Result<Option<Vec<String>>, Diagnostic> {
        let Some(value) = self.take(key) else { return Ok(None) };
        match scalar(&value) {
            Some(text) => Ok(Some(text.split_whitespace().map(str::to_owned).collect())),
            None => strings(&value).map(Some).ok_or_else(|| self.error(key, "expected a string or a list of strings")),
        }
    }

    /// Takes the value of a key, which must be a map.
    pub(super) fn map(&mut self, key: &str) -> Result<Option<YamlMap<'a>>, Diagnostic> {
        let Some(value) = self.take(key) else { return Ok(None) };
        self.as_map(key, value).map(Some)
    }

    /// Converts `value`, the value of the key `key`, to a map.
    pub(super) fn as_map(&self, key: &str, value: Value) -> Result<YamlMap<'a>, Diagnostic> {
        let Value::Mapping(mapping) = value else { return Err(self.error(key, "expected a map")) };
        let mut map = IndexMap::new();
        for (name, value) in mapping {
            let name = scalar(&name).ok_or_else(|| self.error(key, "expected every key in the map to be a string"))?;
            map.insert(name, Some(value));
        }
        let path = [self.path.as_slice(), &[key.into()]].concat();
        Ok(YamlMap { origin: self.origin, text: self.text, path, map, twice: Vec::new() })
    }

    /// Returns the keys that were not taken, in the order of the file.
    pub(super) fn names(&self) -> Vec<String> {
        self.left().cloned().collect()
    }

    fn left(&self) -> impl Iterator<Item = &String> {
        self.map.iter().filter(|(_, value)| value.is_some()).map(|(name, _)| name)
    }

    /// Returns an error about a key's value, with the position of the value.
    pub(super) fn error(&self, key: &str, message: impl Into<String>) -> Diagnostic {
        let whole = [self.path.as_slice(), &[key.into()]].concat();
        let diagnostic = Diagnostic::new(format!("`{key}`: {}", message.into()));
        match yaml::place(self.text, &whole, Target::Value) {
            Some(place) => diagnostic.at(self.origin, self.text, place),
            None => diagnostic.in_file(self.origin),
        }
    }

    /// Adds notes about duplicate keys and about keys that were not taken.
    pub(super) fn finish(self, notes: &mut Vec<String>) {
        let file = std::path::Path::new(self.origin);
        let file = file.file_name().map_or(self.origin.into(), |name| name.to_string_lossy());
        for name in &self.twice {
            notes.push(format!("{file}: duplicate key `{name}`; the last value is used"));
        }
        for name in self.left() {
            notes.push(format!("{file}: the unknown key `{name}` is ignored"));
        }
    }
}

/// Formats a scalar as a string. Returns `None` for other values.
pub(super) fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(truth) => Some(truth.to_string()),
        _ => None,
    }
}

/// Formats a scalar or a list of scalars as strings. Returns `None` for other values.
pub(super) fn strings(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::Sequence(list) => list.iter().map(scalar).collect(),
        other => scalar(other).map(|text| vec![text]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_taken_in_all_spellings() {
        let text = "a: 12\nb: 1e-4\nd: [x, 2]\ne: x 2\nf: {g: ~}\nh:\nz: 1\n";
        let mut keys = YamlMap::parse("problem.yaml", text).unwrap();
        assert_eq!(keys.string("a").unwrap().as_deref(), Some("12"));
        assert_eq!(keys.number("b").unwrap(), Some(1e-4));
        assert_eq!(keys.words("d").unwrap(), keys.words("e").unwrap());
        assert_eq!(keys.map("f").unwrap().unwrap().string("g").unwrap(), None);
        assert_eq!(keys.string("h").unwrap(), None);
        let mut notes = Vec::new();
        keys.finish(&mut notes);
        assert_eq!(notes, ["problem.yaml: the unknown key `z` is ignored"]);
    }

    #[test]
    fn duplicate_keys_use_the_last_value_and_merge_keys_apply() {
        let text = "a: 1\na: 2\nb: &b {x: 1, y: 2}\nc: {<<: *b, y: 100000000000000000000}\n";
        let mut keys = YamlMap::parse("problem.yaml", text).unwrap();
        assert_eq!(keys.string("a").unwrap().as_deref(), Some("2"));
        let mut inner = keys.map("c").unwrap().unwrap();
        assert_eq!(inner.string("x").unwrap().as_deref(), Some("1"));
        assert_eq!(inner.number("y").unwrap(), Some(1e20));
        let mut notes = Vec::new();
        inner.finish(&mut notes);
        keys.take("b");
        keys.finish(&mut notes);
        assert_eq!(notes, ["problem.yaml: duplicate key `a`; the last value is used"]);
    }

    #[test]
    fn errors_have_the_position_of_the_value() {
        let mut keys = YamlMap::parse("p.yaml", "limits:\n  memory: lots\n").unwrap();
        let error = keys.map("limits").unwrap().unwrap().number("memory").unwrap_err();
        assert_eq!(error.line_and_column(), Some((2, 11)));
        assert!(YamlMap::parse("p.yaml", "- 1\n").is_err());
        assert!(YamlMap::parse("p.yaml", "# nothing\n").unwrap().names().is_empty());
    }
}
