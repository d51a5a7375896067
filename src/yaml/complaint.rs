//! Parses YAML into typed values. Errors mark the position in the text and, where possible, suggest a correction.

use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};

use crate::model::{Diagnostic, TextRange};

use super::mistake::{self, Mistake, ParseError};
use super::path::token_at;
use super::wrong_type::{advice, type_name};

/// Maximum size of a YAML file, in bytes.
const LARGEST: usize = 4 << 20;

/// Parses `text` as a `T`; `origin` is the file name for messages.
///
/// # Errors
/// Fails if the text is larger than 4 MiB, is not valid YAML or not a `T`, or has a value whose first word YAML drops
/// because it begins with `&` or `!`. The error marks the position, if it is known.
pub fn parse<T: DeserializeOwned>(origin: &str, text: &str) -> Result<T, Diagnostic> {
    let parsed = parse_by(origin, text, |deserializer| T::deserialize(deserializer));
    match mistake::dropped_text(text.get(..LARGEST).unwrap_or(text)) {
        Some(mistake) => Err(mistaken(origin, text, mistake)),
        None => parsed,
    }
}

/// Parses `text` with `make`, which creates the value from a deserializer. Unlike [`parse`], this function does not
/// report text that YAML drops.
pub(super) fn parse_by<T>(
    origin: &str,
    text: &str,
    make: impl FnOnce(serde_yaml::Deserializer<'_>) -> Result<T, serde_yaml::Error>,
) -> Result<T, Diagnostic> {
    if text.len() > LARGEST {
        return Err(
            Diagnostic::new(format!("the file is larger than the limit of {} MiB", LARGEST >> 20)).in_file(origin)
        );
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    make(serde_yaml::Deserializer::from_str(text)).map_err(|error| explain(origin, text, &error))
}

/// Returns the syntax error in `text`, if there is one. A deserializer may report a wrong type instead, even if a
/// syntax error is the cause.
fn error_of_grammar(text: &str) -> Option<serde_yaml::Error> {
    IgnoredAny::deserialize(serde_yaml::Deserializer::from_str(text)).err()
}

/// Converts an error of the YAML crate to a diagnostic.
fn explain(origin: &str, text: &str, error: &serde_yaml::Error) -> Diagnostic {
    let of_grammar = error_of_grammar(text);
    let error = of_grammar.as_ref().unwrap_or(error);
    let whole = error.to_string();
    let at = error.location().map(|location| location.index().min(text.len()));
    let parse_error = ParseError { text, message: &whole, at: at.unwrap_or(0) };
    if let Some(mistake) = mistake::find(&parse_error) {
        return mistaken(origin, text, mistake);
    }
    let message = without_position(&whole);
    let diagnostic = Diagnostic::new(plain(&message));
    let diagnostic = match at {
        Some(at) => diagnostic.at(origin, text, mark(text, &message, at)),
        None => diagnostic.in_file(origin),
    };
    let is_duplicate =
        ["duplicate field `", "duplicate key `", "duplicate entry "].iter().any(|start| message.contains(*start));
    let duplicate = || is_duplicate.then(|| "remove or rename one of the two keys".to_owned());
    let near = nearest_key(&message).map(|name| format!("did you mean `{name}`?"));
    match near.or_else(|| advice(&parse_error)).or_else(duplicate) {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
}

fn mistaken(origin: &str, text: &str, mistake: Mistake) -> Diagnostic {
    Diagnostic::new(mistake.message).at(origin, text, mistake.range).help(mistake.help)
}

/// Returns the range to mark for an error at byte `index`. For an unknown or duplicate key, the YAML parser may report
/// the position of the mapping, so this function searches for the key from there.
fn mark(text: &str, message: &str, index: usize) -> TextRange {
    let key = ["unknown field `", "duplicate field `", "duplicate key `"]
        .iter()
        .find_map(|start| Some(message.split_once(start)?.1.split_once('`')?.0));
    let Some(key) = key else { return token_at(text, index) };
    if text.get(index..).is_some_and(|rest| rest.starts_with(key)) {
        return TextRange { start: index, end: index + key.len() };
    }
    let last = message.contains("duplicate");
    let found = |from: usize| text.get(from..).map(|rest| rest.match_indices(key));
    let part_of_another = |at: usize| text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '-');
    let is_key = |at: &usize| {
        text[at + key.len()..].trim_start_matches(['"', '\'', ' ']).starts_with(':') && !part_of_another(*at)
    };
    let mut places = found(index.min(text.len())).into_iter().flatten().map(|(at, _)| at + index).filter(is_key);
    match if last { places.nth(1) } else { places.next() } {
        Some(start) => TextRange { start, end: start + key.len() },
        None => token_at(text, index),
    }
}

/// Removes a position such as ` at line 3 column 5`, because the diagnostic already marks it.
fn without_position(message: &str) -> String {
    match message.rfind(" at line ") {
        Some(at) if message[at..].contains(" column ") => message[..at].to_owned(),
        _ => message.to_owned(),
    }
}

/// Replaces terms of Rust and of the YAML crate in a message with terms of YAML.
fn plain(message: &str) -> String {
    let message = expectation_first(message)
        .replace("unknown field", "unknown key")
        .replace("missing field", "missing key")
        .replace("duplicate field", "duplicate key")
        .replace("unknown variant", "unknown value")
        .replace("a sequence", "a list")
        .replace("sequence", "a list")
        .replace("mapping", "map");
    without_struct_name(&message)
}

/// Rewrites `invalid type: map, expected a string` as `expected a string, found a map`. Other messages are unchanged.
fn expectation_first(message: &str) -> String {
    for problem in ["invalid type: ", "invalid value: "] {
        let Some((head, rest)) = message.split_once(problem) else { continue };
        let Some((found, expected)) = rest.split_once(", expected ") else { continue };
        return format!("{head}expected {}, found {}", type_name(expected), with_article(found));
    }
    message.to_owned()
}

/// Converts the YAML crate's description of a value to a noun phrase: for example, `map` to `a map`.
fn with_article(found: &str) -> String {
    match found {
        "map" => "a map".to_owned(),
        "sequence" => "a list".to_owned(),
        "unit value" => "nothing".to_owned(),
        _ if ["string ", "boolean ", "integer "].iter().any(|kind| found.starts_with(*kind)) => format!("the {found}"),
        _ => found.replace("floating point ", "the number "),
    }
}

/// Replaces `expected struct NAME` in a message with `expected a map`.
fn without_struct_name(message: &str) -> String {
    let Some((before, rest)) = message.split_once("expected struct ") else { return message.to_owned() };
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    format!("{before}expected a map{}", &rest[end..])
}

/// Returns the valid name that is most similar to the unknown name in the message, or `None` if no valid name is
/// similar enough.
fn nearest_key(message: &str) -> Option<String> {
    let (_, rest) = message.split_once("unknown field `").or_else(|| message.split_once("unknown variant `"))?;
    let (wrong, rest) = rest.split_once('`')?;
    nearest(wrong, rest.split('`').skip(1).step_by(2)).map(str::to_owned)
}

/// Returns the name with the smallest edit distance to `wrong`. Ignores names whose distance makes a typing error
/// unlikely: more than 1, and more than a third of the length of the name. Returns `None` if no name is left.
pub fn nearest<'a>(wrong: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let length = wrong.chars().count();
    names
        .filter_map(|name| {
            let name_length = name.chars().count();
            let most = name_length.max(3) / 3;
            // The distance is at least the difference of the lengths, so texts of very different lengths are not
            // compared.
            let is_near = name_length.abs_diff(length) <= most;
            is_near.then(|| (strsim::damerau_levenshtein(wrong, name), name)).filter(|(distance, _)| *distance <= most)
        })
        .min()
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::TimeSpan;

    #[derive(Debug, serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "the tests read only the errors")]
    struct Sample {
        name: String,
        #[serde(default)]
        time: TimeSpan,
        #[serde(default)]
        checker: Option<String>,
    }

    fn complaint(text: &str) -> (String, Option<String>, Option<String>) {
        let error = parse::<Sample>("a.yaml", text).unwrap_err();
        let marked = error.place.map(|place| error.text[place.start..place.end].to_owned());
        (error.message, marked, error.help)
    }

    #[test]
    fn a_wrong_value_is_marked() {
        let (message, marked, _) = complaint("name: x\ntime: 2parsecs\n");
        assert_eq!(message, "time: `2parsecs` is not a time; expected a time such as `2s`, `1500ms` or `1min`");
        assert_eq!(marked.as_deref(), Some("2parsecs"));
    }

    #[test]
    fn misspelt_key_is_marked_with_a_suggestion() {
        let (message, marked, help) = complaint("name: ж\nchekcer: tokens\n");
        assert!(message.starts_with("unknown key `chekcer`"), "{message}");
        assert_eq!(marked.as_deref(), Some("chekcer"));
        assert_eq!(help.as_deref(), Some("did you mean `checker`?"));
    }

    #[test]
    fn duplicate_key_is_refused() {
        let (message, marked, _) = complaint("name: x\nname: y\n");
        assert!(message.contains("duplicate key `name`"), "{message}");
        assert_eq!(marked.as_deref(), Some("name"));
    }

    #[test]
    fn broken_yaml_and_wrong_types_are_reported() {
        assert!(complaint("name: [\n").1.is_some());
        assert_eq!(complaint("name: [a]\n").0, "name: expected a string, found a list");
        assert!(complaint("").0.contains("missing key") || complaint("").0.contains("expected a map"));
        assert_eq!(complaint("- a\n").0, "expected a map, found a list");
    }
}
