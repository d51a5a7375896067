//! Reads and writes descriptions in a notation for the command line: `n: 1..=10; a[n]: 1..=100; where distinct(a)`.
//!
//! `;` and line ends separate the lines of an input, and `,` separates the values on a line. A block is `repeat m { u:
//! 1..=n, v: 1..=n }`, with `;` between its lines. Values and clauses are written as in `problem.yaml`; `a: list(n,
//! 1..=9)` is the same as `a[n]: 1..=9`. A line that begins with `#` is a comment.

use std::ops::Range;

use indexmap::IndexMap;

use super::description::Description;
use super::raw::{At, DescriptionError, RawItem, RawValue};
use crate::model::{Diagnostic, TextRange};

/// Help text of error messages.
const EXAMPLE: &str = "write, for example, `n: 1..=10; a[n]: 1..=100`; see `nimatron guide stress`";

impl Description {
    /// Parses a description in the notation for the command line. `origin` names the text in messages.
    ///
    /// # Errors
    /// Returns the first error in the text, with its position.
    pub fn parse_one_line(origin: &str, text: &str) -> Result<Description, Diagnostic> {
        let parsed = parse(text).map_err(|error| error.diagnostic(origin, text))?;
        Description::parse(&parsed.items, &parsed.clauses)
            .map_err(|error| parsed.places.locate(error, text.len()).diagnostic(origin, text))
    }
}

/// Formats a description in the notation that [`Description::parse_one_line`] reads.
pub(super) fn write_one_line(items: &[RawItem], clauses: &[String]) -> String {
    let line = |line: &IndexMap<String, RawValue>| {
        line.iter().map(|(key, value)| format!("{key}: {value}")).collect::<Vec<_>>().join(", ")
    };
    let item = |item: &RawItem| match item {
        RawItem::Line(values) => line(values),
        RawItem::Repeat { repeat, lines } => {
            format!("repeat {repeat} {{ {} }}", lines.iter().map(line).collect::<Vec<_>>().join("; "))
        }
    };
    let mut parts: Vec<String> = items.iter().map(item).collect();
    if !clauses.is_empty() {
        parts.push(format!("where {}", clauses.join(", ")));
    }
    parts.join("; ")
}

/// A parsed description, with the positions of its parts.
#[derive(Default)]
struct OneLine {
    items: Vec<RawItem>,
    clauses: Vec<String>,
    places: Places,
}

/// The positions of the parts of a description in its text.
#[derive(Default)]
struct Places {
    items: Vec<Range<usize>>,
    repeats: Vec<Option<Range<usize>>>,
    keys: Vec<KeyPlace>,
    clauses: Vec<Range<usize>>,
}

struct KeyPlace {
    item: usize,
    key: String,
    name: Range<usize>,
    /// Position of the count, if the value was written as `list(count, …)`.
    count: Option<Range<usize>>,
    value: Range<usize>,
}

/// An error with its position in the text.
struct Misplaced {
    range: Range<usize>,
    message: String,
    help: Option<String>,
}

impl Misplaced {
    fn new(range: Range<usize>, message: impl Into<String>) -> Misplaced {
        Misplaced { range, message: message.into(), help: Some(EXAMPLE.to_owned()) }
    }

    fn diagnostic(self, origin: &str, text: &str) -> Diagnostic {
        let place = TextRange { start: self.range.start, end: self.range.end };
        let diagnostic = Diagnostic::new(self.message).at(origin, text, place);
        match self.help {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        }
    }
}

impl Places {
    /// Converts an error in the description to an error with a byte range of the text. `end` is the length of the text.
    fn locate(&self, error: DescriptionError, end: usize) -> Misplaced {
        let key_place = |item: usize, key: &str| self.keys.iter().find(|place| place.item == item && place.key == key);
        let inside = |whole: Range<usize>| match &error.range {
            Some(range) => {
                let start = (whole.start + range.start).min(whole.end);
                start..(whole.start + range.end).clamp(start, whole.end)
            }
            None => whole,
        };
        let range = match &error.at {
            At::Item(item) => self.items.get(*item).cloned(),
            At::Repeat { item } => self.repeats.get(*item).cloned().flatten().map(inside),
            At::Clause(index) => self.clauses.get(*index).cloned().map(inside),
            At::Value { item, key } => key_place(*item, key).map(|place| inside(place.value.clone())),
            At::Key { item, key } => key_place(*item, key).map(|place| match (&place.count, &error.range) {
                (Some(count), Some(range)) if range.start > place.name.len() => count.clone(),
                (Some(_), _) => place.name.clone(),
                (None, _) => inside(place.name.clone()),
            }),
            At::Override(_) => None,
        };
        Misplaced { range: range.unwrap_or(0..end), message: error.message, help: error.help }
    }
}

fn parse(text: &str) -> Result<OneLine, Misplaced> {
    let mut parsed = OneLine::default();
    for part in split(text, 0..text.len(), b";\n")? {
        let Some(part) = trimmed(text, part) else { continue };
        if text[part.clone()].starts_with('#') {
            continue;
        }
        if let Some(rest) = after_keyword(text, &part, "where") {
            for clause in split(text, rest, b",")? {
                let Some(clause) = trimmed(text, clause) else { continue };
                parsed.clauses.push(text[clause.clone()].to_owned());
                parsed.places.clauses.push(clause);
            }
        } else if let Some(rest) = after_keyword(text, &part, "repeat") {
            block(text, part, rest, &mut parsed)?;
        } else {
            let item = parsed.items.len();
            let line = line(text, part.clone(), item, &mut parsed.places)?;
            parsed.places.items.push(part);
            parsed.places.repeats.push(None);
            parsed.items.push(RawItem::Line(line));
        }
    }
    if parsed.items.is_empty() {
        return Err(Misplaced::new(0..text.len(), "the description has no lines"));
    }
    Ok(parsed)
}

/// Parses `repeat COUNT { LINES }` or `repeat COUNT: LINE`.
fn block(text: &str, whole: Range<usize>, rest: Range<usize>, parsed: &mut OneLine) -> Result<(), Misplaced> {
    let inner = &text[rest.clone()];
    let (count, body) = match (inner.find('{'), inner.ends_with('}')) {
        (Some(open), true) => (rest.start..rest.start + open, rest.start + open + 1..rest.end - 1),
        (Some(open), false) => {
            let open = rest.start + open;
            return Err(Misplaced::new(open..open + 1, "expected `}` at the end of this block"));
        }
        (None, _) => match inner.find(':') {
            Some(colon) => (rest.start..rest.start + colon, rest.start + colon + 1..rest.end),
            None => {
                let message = "expected the lines of the block, such as `repeat m { u: 1..=n, v: 1..=n }`";
                return Err(Misplaced::new(whole, message));
            }
        },
    };
    let count = text[count.clone()]
        .trim_end()
        .strip_suffix(':')
        .map_or(count.clone(), |kept| count.start..count.start + kept.len());
    let Some(count) = trimmed(text, count) else {
        return Err(Misplaced::new(whole, "expected the number of repetitions after `repeat`"));
    };
    let item = parsed.items.len();
    let mut lines = Vec::new();
    for part in split(text, body, b";\n")? {
        let Some(part) = trimmed(text, part) else { continue };
        lines.push(line(text, part, item, &mut parsed.places)?);
    }
    parsed.items.push(RawItem::Repeat { repeat: text[count.clone()].to_owned(), lines });
    parsed.places.items.push(whole);
    parsed.places.repeats.push(Some(count));
    Ok(())
}

/// Parses the values of one line.
fn line(
    text: &str,
    whole: Range<usize>,
    item: usize,
    places: &mut Places,
) -> Result<IndexMap<String, RawValue>, Misplaced> {
    let mut values = IndexMap::new();
    for pair in split(text, whole, b",")? {
        let Some(pair) = trimmed(text, pair.clone()) else {
            return Err(Misplaced::new(pair, "expected a value such as `n: 1..=10`"));
        };
        let Some(colon) = text[pair.clone()].find(':').map(|at| pair.start + at) else {
            return Err(Misplaced::new(pair, "expected a name, `:` and a range, such as `n: 1..=10`"));
        };
        let (Some(name), Some(value)) = (trimmed(text, pair.start..colon), trimmed(text, colon + 1..pair.end)) else {
            return Err(Misplaced::new(pair, "expected a name, `:` and a range, such as `n: 1..=10`"));
        };
        let place = key(text, item, name, value)?;
        let written = &text[place.value.clone()];
        let raw = match written.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            Some(words) => RawValue::Words(words.split(',').map(|word| word.trim().to_owned()).collect()),
            None => RawValue::Text(written.to_owned()),
        };
        if values.insert(place.key.clone(), raw).is_some() {
            return Err(Misplaced::new(place.name, format!("`{}` is declared twice", place.key)));
        }
        places.keys.push(place);
    }
    Ok(values)
}

/// Returns the key of a value with its positions. The key is the text as written, or `a[n]` for `a: list(n, …)`.
fn key(text: &str, item: usize, name: Range<usize>, value: Range<usize>) -> Result<KeyPlace, Misplaced> {
    let written = &text[value.clone()];
    let Some(inner) = written.strip_prefix("list").map(str::trim_start).filter(|rest| rest.starts_with('(')) else {
        return Ok(KeyPlace { item, key: text[name.clone()].to_owned(), name, count: None, value });
    };
    let message = "expected `list(COUNT, RANGE)`, such as `list(n, 1..=100)`";
    if !inner.ends_with(')') {
        return Err(Misplaced::new(value, message));
    }
    let start = value.end - inner.len() + 1;
    let parts = split(text, start..value.end - 1, b",")?;
    let Some((first, rest)) = parts.split_first().filter(|(_, rest)| !rest.is_empty()) else {
        return Err(Misplaced::new(value, message));
    };
    let last = rest.last().map_or(first.end, |last| last.end);
    let (Some(count), Some(range)) = (trimmed(text, first.clone()), trimmed(text, first.end + 1..last)) else {
        return Err(Misplaced::new(value, message));
    };
    let key = format!("{}[{}]", &text[name.clone()], &text[count.clone()]);
    Ok(KeyPlace { item, key, name, count: Some(count), value: range })
}

/// Splits a part of the text at separators that are not inside brackets.
fn split(text: &str, part: Range<usize>, separators: &[u8]) -> Result<Vec<Range<usize>>, Misplaced> {
    let mut parts = Vec::new();
    let mut open: Vec<(u8, usize)> = Vec::new();
    let mut start = part.start;
    for (at, byte) in text.as_bytes()[part.clone()].iter().enumerate().map(|(at, byte)| (part.start + at, *byte)) {
        match byte {
            b'(' | b'[' | b'{' => open.push((byte, at)),
            b')' | b']' | b'}' => {
                let matching = match byte {
                    b')' => b'(',
                    b']' => b'[',
                    _ => b'{',
                };
                if open.pop().is_none_or(|(bracket, _)| bracket != matching) {
                    return Err(Misplaced::new(at..at + 1, "unmatched closing bracket"));
                }
            }
            _ if open.is_empty() && separators.contains(&byte) => {
                parts.push(start..at);
                start = at + 1;
            }
            _ => {}
        }
    }
    if let Some((_, at)) = open.first() {
        return Err(Misplaced::new(*at..*at + 1, "unclosed bracket"));
    }
    parts.push(start..part.end);
    Ok(parts)
}

/// Returns `part` without leading and trailing white space, or `None` if it is blank.
fn trimmed(text: &str, part: Range<usize>) -> Option<Range<usize>> {
    let inner = &text[part.clone()];
    let start = part.start + inner.len() - inner.trim_start().len();
    let length = inner.trim().len();
    (length > 0).then_some(start..start + length)
}

/// Returns the range of the text after a keyword and an optional colon at the start of `part`, or `None` if `part` does
/// not start with the keyword or if that text is blank.
fn after_keyword(text: &str, part: &Range<usize>, keyword: &str) -> Option<Range<usize>> {
    let rest = text[part.clone()].strip_prefix(keyword)?;
    if !rest.starts_with([' ', '\t', ':']) {
        return None;
    }
    let rest = rest.strip_prefix(':').unwrap_or(rest);
    trimmed(text, part.end - rest.len()..part.end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;
    use crate::model::Digest;

    fn read(text: &str) -> Description {
        Description::parse_one_line("spec", text).unwrap_or_else(|error| panic!("{error:?} in {text}"))
    }

    #[test]
    fn one_line_describes_what_yaml_describes() {
        let same = |text: &str, sample: &str| {
            assert_eq!(read(text), super::super::sample::describe(sample), "{text}");
        };
        same("n: 1..=10; a[n]: 1..=100", "n: 1..=10\na[n]: 1..=100");
        same("n: 1..=10, k: 1..=n\na[n]: 1..=min(n, 9)\n", "n: 1..=10; k: 1..=n\na[n]: 1..=min(n, 9)");
        same("t: 1..=3; repeat t { n: 1..=4; a[n]: 0..=9 }", "t: 1..=3\nrepeat t: n: 1..=4 | a[n]: 0..=9");
        same(
            "n: 2..=9; repeat n-1: u: 1..=n, v: 1..=n; where tree(u, v)",
            "n: 2..=9\nrepeat n-1: u: 1..=n; v: 1..=n\nwhere tree(u, v)",
        );
        same("# a comment\nw: [Yes, No]; s: word a-z 1..=5", "w: [Yes, No]\ns: word a-z 1..=5");
        same(
            "n: 1..=9; a[n]: 0..=9; where distinct(a), sum(a) > 3",
            "n: 1..=9\na[n]: 0..=9\nwhere distinct(a)\nwhere sum(a) > 3",
        );
        let lists = read("n: 1..=10; a: list(n, 1..=100)");
        assert_eq!(lists.read(b"2\n5 6\n", None).unwrap().ints("a"), Some(&[5, 6][..]));
    }

    #[test]
    fn what_is_written_is_read_back() {
        for text in super::super::sample::FORMATS {
            let (items, clauses) = super::super::sample::raw(text);
            let line = write_one_line(&items, &clauses);
            let mut rng = Rng::from_digest(&Digest::of(text.as_bytes()));
            let described = super::super::sample::describe(text);
            if let Ok(instance) = described.generate(&mut rng) {
                let bytes = instance.to_bytes(&described);
                assert_eq!(read(&line).validate(&bytes[..], None), Ok(()), "{line}");
            }
        }
    }

    #[test]
    fn errors_have_a_position() {
        for (text, marked, message) in [
            ("n: 1..=10; a[m]: 1..=5", "m", "unknown name"),
            ("n: 1..=10; a: list(m, 1..=5)", "m", "unknown name"),
            ("n: 1..=10; a: list(n)", "list(n)", "list(COUNT, RANGE)"),
            ("n: 10..=1", "10..=1", "empty"),
            ("n 1..=10", "n 1..=10", "expected a name"),
            ("n: 1..=10; repeat n { x: 0..=9", "{", "unclosed"),
            ("n: 1..=10; repeat n", "repeat n", "lines of the block"),
            ("n: 1..=3; n: 1..=3", "n", "declared twice"),
            ("n: 1..=3; a[n]: 1..=3; where distinct(b)", "b", ""),
            (" ; ", " ; ", "no lines"),
        ] {
            let error = Description::parse_one_line("spec", text).unwrap_err();
            let place = error.place.unwrap();
            assert_eq!(&text[place.start..place.end], marked, "{text}: {error:?}");
            assert!(error.message.contains(message), "{text}: {error:?}");
        }
    }
}
