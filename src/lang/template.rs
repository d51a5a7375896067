//! An argument with placeholders, such as `{source}` or `-Xmx{memory_mib}m`. Braces around other text are literal.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};

use serde::{Deserialize, Deserializer};

/// A command-line argument from the table of languages, which may contain placeholders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    pub(super) text: String,
    pub(super) parts: Vec<TemplatePart>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TemplatePart {
    Text(String),
    Name(String),
}

/// The values of placeholders, by name. A value is a list of arguments, which usually has one element.
pub type TemplateValues = BTreeMap<String, Vec<OsString>>;

impl Template {
    /// Parses a template.
    pub fn new(text: &str) -> Template {
        let mut parts = Vec::new();
        let mut plain = String::new();
        let mut rest = text;
        while let Some(open) = rest.find('{') {
            let (before, after) = rest.split_at(open);
            plain.push_str(before);
            match name_at(after) {
                Some(name) => {
                    parts.extend((!plain.is_empty()).then(|| TemplatePart::Text(std::mem::take(&mut plain))));
                    parts.push(TemplatePart::Name(name.to_owned()));
                    rest = &after[name.len() + 2..];
                }
                None => {
                    plain.push('{');
                    rest = &after[1..];
                }
            }
        }
        plain.push_str(rest);
        parts.extend((!plain.is_empty()).then_some(TemplatePart::Text(plain)));
        Template { text: text.to_owned(), parts }
    }

    /// Returns the template as written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the names of the placeholders.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            TemplatePart::Name(name) => Some(name.as_str()),
            TemplatePart::Text(_) => None,
        })
    }

    /// Returns the arguments with all placeholders replaced. A template that consists of a single placeholder expands
    /// to all arguments of its value, or to no argument if it has no value. Any other template expands to one
    /// argument, in which each placeholder is replaced by the first argument of its value, or by the empty string if
    /// it has no value.
    pub fn fill(&self, values: &TemplateValues) -> Vec<OsString> {
        let of = |name: &str| values.get(name).map_or(&[][..], Vec::as_slice);
        if let [TemplatePart::Name(name)] = self.parts.as_slice() {
            return of(name).to_vec();
        }
        let mut argument = OsString::new();
        for part in &self.parts {
            match part {
                TemplatePart::Text(text) => argument.push(text),
                TemplatePart::Name(name) => argument.push(of(name).first().map_or(OsStr::new(""), OsString::as_os_str)),
            }
        }
        vec![argument]
    }

    /// Returns the first argument of [`Template::fill`], or an empty string if there are no arguments.
    pub(super) fn fill_one(&self, values: &TemplateValues) -> OsString {
        self.fill(values).into_iter().next().unwrap_or_default()
    }
}

/// Returns the name of the placeholder at the start of the text, or `None` if there is none.
fn name_at(text: &str) -> Option<&str> {
    let (name, _) = text.strip_prefix('{')?.split_once('}')?;
    let good = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    (!name.is_empty() && name.chars().all(good)).then_some(name)
}

/// Returns the arguments of a command line with all placeholders replaced.
pub(super) fn fill(argv: &[Template], values: &TemplateValues) -> Vec<OsString> {
    argv.iter().flat_map(|template| template.fill(values)).collect()
}

impl<'de> Deserialize<'de> for Template {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Template, D::Error> {
        String::deserialize(deserializer).map(|text| Template::new(&text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(text: &str) -> Vec<String> {
        let value = |of: &[&str]| of.iter().map(OsString::from).collect::<Vec<_>>();
        let values = TemplateValues::from([
            ("source".to_owned(), value(&["main.c"])),
            ("sources".to_owned(), value(&["a.c", "b c.c"])),
            ("static".to_owned(), value(&[])),
            ("memory_mib".to_owned(), value(&["256"])),
        ]);
        Template::new(text).fill(&values).into_iter().map(|argument| argument.into_string().unwrap()).collect()
    }

    #[test]
    fn placeholders_become_single_arguments() {
        assert_eq!(filled("{sources}"), ["a.c", "b c.c"]);
        assert_eq!(filled("-Xmx{memory_mib}m"), ["-Xmx256m"]);
        assert_eq!(filled("{source}:{memory_mib}"), ["main.c:256"]);
        assert_eq!(filled("{static}"), [""; 0]);
        assert_eq!(filled("-O2; rm -rf $HOME"), ["-O2; rm -rf $HOME"]);
        assert_eq!(filled(""), [""]);
    }

    #[test]
    fn other_braces_are_literal() {
        for text in ["{}", "{ print }", "{A}", "a{", "}{", "{{x y}}"] {
            assert_eq!(filled(text), [text], "{text}");
        }
        assert_eq!(filled("{{source}}"), ["{main.c}"]);
        assert_eq!(Template::new("{a}-{b_1}{").names().collect::<Vec<_>>(), ["a", "b_1"]);
    }
}
