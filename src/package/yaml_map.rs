//! Reading a map of a YAML file key by key, tolerantly: what a key may hold differs from version to version, and a key
//! that nobody asked for becomes a note instead of an end.

use indexmap::IndexMap;

use crate::model::Diagnostic;
use crate::yaml::{self, Foreign, Step, Target, Value};

/// A map of a file, from which keys are taken.
#[derive(Debug)]
pub(super) struct YamlMap<'a> {
    origin: &'a str,
    text: &'a str,
    path: Vec<Step>,
    /// Each key with its value until that is taken: to remove one would move all behind it.
    map: IndexMap<String, Option<Value>>,
    /// The keys of the file that are twice in a map.
    twice: Vec<String>,
}

impl<'a> YamlMap<'a> {
    /// The map that a file is. An empty file is an empty map.
    ///
    /// # Errors
    /// The file is no YAML, or no map.
    pub(super) fn parse(origin: &'a str, text: &'a str) -> Result<YamlMap<'a>, Diagnostic> {
        let empty = text.lines().all(|line| line.trim().is_empty() || line.trim_start().starts_with('#'));
        let Foreign { map, twice } = if empty { Foreign::default() } else { yaml::parse_foreign(origin, text)? };
        let map = map.into_iter().map(|(name, value)| (name, Some(value))).collect();
        Ok(YamlMap { origin, text, path: Vec::new(), map, twice })
    }

    /// Takes a key's value; nothing if it is not there or has nothing in it.
    pub(super) fn take(&mut self, key: &str) -> Option<Value> {
        self.map.get_mut(key)?.take().filter(|value| !value.is_null())
    }

    /// Whether a key's value is a map.
    pub(super) fn is_map(&self, key: &str) -> bool {
        matches!(self.map.get(key), Some(Some(Value::Mapping(_))))
    }

    /// Takes a scalar as text, as a person wrote it as far as YAML lets us know.
    pub(super) fn string(&mut self, key: &str) -> Result<Option<String>, Diagnostic> {
        let Some(value) = self.take(key) else { return Ok(None) };
        scalar(&value).map(Some).ok_or_else(|| self.error(key, "expected a string"))
    }

    /// Takes a number.
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

    /// Takes a text or a list of texts.
    pub(super) fn strings(&mut self, key: &str) -> Result<Option<Vec<String>>, Diagnostic> {
        let Some(value) = self.take(key) else { return Ok(None) };
        strings(&value).map(Some).ok_or_else(|| self.error(key, "expected a string or a list of strings"))
    }

    /// Takes arguments: a list of them, or a text that is split at its blanks.
    pub(super) fn words(&mut self, key: &str) -> Result<Option<Vec<String>>, Diagnostic> {
        let Some(value) = self.take(key) else { return Ok(None) };
        match scalar(&value) {
            Some(text) => Ok(Some(text.split_whitespace().map(str::to_owned).collect())),
            None => strings(&value).map(Some).ok_or_else(|| self.error(key, "expected a list of arguments")),
        }
    }

    /// Takes a map.
    pub(super) fn map(&mut self, key: &str) -> Result<Option<YamlMap<'a>>, Diagnostic> {
        let Some(value) = self.take(key) else { return Ok(None) };
        self.as_map(key, value).map(Some)
    }

    /// A value of this map as a map of its own.
    pub(super) fn as_map(&self, key: &str, value: Value) -> Result<YamlMap<'a>, Diagnostic> {
        let Value::Mapping(mapping) = value else { return Err(self.error(key, "expected a map")) };
        let mut map = IndexMap::new();
        for (name, value) in mapping {
            let name = scalar(&name).ok_or_else(|| self.error(key, "a key is a text"))?;
            map.insert(name, Some(value));
        }
        let path = [self.path.as_slice(), &[key.into()]].concat();
        Ok(YamlMap { origin: self.origin, text: self.text, path, map, twice: Vec::new() })
    }

    /// The keys that are left, in their order.
    pub(super) fn names(&self) -> Vec<String> {
        self.left().cloned().collect()
    }

    fn left(&self) -> impl Iterator<Item = &String> {
        self.map.iter().filter(|(_, value)| value.is_some()).map(|(name, _)| name)
    }

    /// A complaint about a key's value, with its place.
    pub(super) fn error(&self, key: &str, message: impl Into<String>) -> Diagnostic {
        let whole = [self.path.as_slice(), &[key.into()]].concat();
        let diagnostic = Diagnostic::new(format!("`{key}`: {}", message.into()));
        match yaml::place(self.text, &whole, Target::Value) {
            Some(place) => diagnostic.at(self.origin, self.text, place),
            None => diagnostic.in_file(self.origin),
        }
    }

    /// Notes about the keys that are there twice, and about those that nobody took.
    pub(super) fn finish(self, notes: &mut Vec<String>) {
        let file = std::path::Path::new(self.origin);
        let file = file.file_name().map_or(self.origin.into(), |name| name.to_string_lossy());
        for name in &self.twice {
            notes.push(format!("{file}: the key `{name}` is there twice, and the last one counts"));
        }
        for name in self.left() {
            notes.push(format!("{file}: the key `{name}` is not known and is left out"));
        }
    }
}

/// A scalar as text.
pub(super) fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(truth) => Some(truth.to_string()),
        _ => None,
    }
}

/// A scalar or a list of scalars as texts.
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
    fn keys_are_taken_in_all_their_spellings() {
        let text = "a: 12\nb: 1e-4\nd: [x, 2]\ne: x 2\nf: {g: ~}\nh:\nz: 1\n";
        let mut keys = YamlMap::parse("problem.yaml", text).unwrap();
        assert_eq!(keys.string("a").unwrap().as_deref(), Some("12"));
        assert_eq!(keys.number("b").unwrap(), Some(1e-4));
        assert_eq!(keys.words("d").unwrap(), keys.words("e").unwrap());
        assert_eq!(keys.map("f").unwrap().unwrap().string("g").unwrap(), None);
        assert_eq!(keys.string("h").unwrap(), None);
        let mut notes = Vec::new();
        keys.finish(&mut notes);
        assert_eq!(notes, ["problem.yaml: the key `z` is not known and is left out"]);
    }

    #[test]
    fn what_is_there_twice_counts_as_it_is_last_and_what_is_merged_counts_too() {
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
        assert_eq!(notes, ["problem.yaml: the key `a` is there twice, and the last one counts"]);
    }

    #[test]
    fn a_wrong_value_is_marked() {
        let mut keys = YamlMap::parse("p.yaml", "limits:\n  memory: lots\n").unwrap();
        let error = keys.map("limits").unwrap().unwrap().number("memory").unwrap_err();
        assert_eq!(error.line_and_column(), Some((2, 11)));
        assert!(YamlMap::parse("p.yaml", "- 1\n").is_err());
        assert!(YamlMap::parse("p.yaml", "# nothing\n").unwrap().names().is_empty());
    }
}
