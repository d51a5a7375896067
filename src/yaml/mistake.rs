//! Finds common mistakes in YAML files. The parser reports most of them at a later position or in terms of its grammar;
//! this module finds the position of the mistake and shows a correct spelling.

use crate::model::TextRange;

use super::lines::{KeyLine, Line, name_length};

/// A mistake in a YAML text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mistake {
    /// The part of the text to mark.
    pub(super) range: TextRange,
    /// The error message.
    pub(super) message: String,
    /// The help, which shows a correct spelling.
    pub(super) help: String,
}

impl Mistake {
    fn new(range: TextRange, message: impl Into<String>, help: impl Into<String>) -> Mistake {
        Mistake { range, message: message.into(), help: help.into() }
    }
}

/// An error of the YAML crate, with the text in which it occurred.
#[derive(Debug, Clone, Copy)]
pub(super) struct ParseError<'t> {
    /// The text of the file.
    pub(super) text: &'t str,
    /// The error message of the YAML crate.
    pub(super) message: &'t str,
    /// Offset of the error, in bytes; 0 if the crate reports no position.
    pub(super) at: usize,
}

/// The rules, in the order in which they are tried: more specific rules come first.
const RULES: [fn(&ParseError<'_>) -> Option<Mistake>; 13] = [
    tab,
    several_documents,
    special_first_character,
    brackets_in_braces,
    no_blank_after_colon,
    no_blank_in_braces,
    no_blank_after_dash,
    equals_sign,
    colon_in_value,
    quotes,
    open_bracket,
    no_colon,
    indentation,
];

/// Returns the common mistake that caused an error, if a rule finds one.
pub(super) fn find(error: &ParseError<'_>) -> Option<Mistake> {
    RULES.iter().find_map(|rule| rule(error))
}

/// Finds a value whose first word YAML drops without an error because it begins with `&` (an anchor) or `!` (a tag). An
/// anchor that an alias uses, and a tag that begins with `!!`, are not reported.
pub(super) fn dropped_text(text: &str) -> Option<Mistake> {
    let mut block: Option<usize> = None;
    let mut start = 0;
    for content in text.split_inclusive('\n') {
        let line = Line { start, text: content.trim_end_matches(['\n', '\r']) };
        start += content.len();
        // The lines of a block scalar (`|` or `>`) are indented deeper than its key.
        if block.is_some_and(|column| line.content().is_empty() || line.indentation() > column) {
            continue;
        }
        let Some(pair) = line.pair() else { continue };
        block = pair.value.starts_with(['|', '>']).then(|| line.indentation());
        let word = pair.value.split_whitespace().next().unwrap_or("");
        let is_tag = word.starts_with('!') && !word.starts_with("!!");
        let is_unused_anchor = |name: &str| !name.is_empty() && !text.contains(&format!("*{name}"));
        if is_tag || word.strip_prefix('&').is_some_and(is_unused_anchor) {
            return Some(special(pair.value_start, value_at(text, pair.value_start)));
        }
    }
    None
}

fn tab(error: &ParseError<'_>) -> Option<Mistake> {
    // Only these errors are caused by a tab. A line with another error may contain a valid tab, because tabs are
    // allowed as indentation inside brackets or braces.
    let problems = ["start any token", "tab character", "in this context", "not find expected"];
    problems.iter().find(|problem| error.message.contains(**problem))?;
    let line = Line::at(error.text, error.at);
    let indentation = &line.text[..line.indentation()];
    let tab = line.start + indentation.find('\t')?;
    let end = line.start + indentation.len();
    let help = "YAML allows only spaces for indentation: replace each tab with two spaces";
    Some(Mistake::new(TextRange { start: tab, end }, "the line is indented with a tab", help))
}

fn several_documents(error: &ParseError<'_>) -> Option<Mistake> {
    if !error.message.contains("more than one document") {
        return None;
    }
    let lines = || {
        error.text.split_inclusive('\n').scan(0, |start, text| {
            let line = Line { start: *start, text: text.trim_end() };
            *start += text.len();
            Some(line)
        })
    };
    let is_blank = |line: &Line<'_>| line.content().is_empty() || line.content().starts_with('#');
    let first = lines().find(|line| !is_blank(line))?;
    if first.indentation() > 0 {
        let help = "remove the spaces at the start of the line; the outermost keys must not be indented";
        return Some(Mistake::new(first.range(), "the first line is indented", help));
    }
    let end =
        lines().skip_while(|line| line.start <= first.start).find(|line| ["---", "..."].contains(&line.content()))?;
    Some(Mistake::new(
        end.range(),
        "the file contains several YAML documents",
        "keep only one document, and remove this line",
    ))
}

/// Finds a value that begins with `*`, `&`, `%`, `@`, `` ` ``, `|`, `>`, `?` or `!`.
fn special_first_character(error: &ParseError<'_>) -> Option<Mistake> {
    let at_context = [
        "scanning an alias",
        "scanning an anchor",
        "scanning a block scalar",
        "scanning a tag",
        "scanning a directive",
    ];
    let here = ["cannot start any token", "unknown anchor", "mapping keys are not allowed"];
    let at = if at_context.iter().any(|context| error.message.contains(context)) {
        context(error)?
    } else if here.iter().any(|problem| error.message.contains(problem)) {
        error.at
    } else {
        return None;
    };
    let value = value_at(error.text, at);
    value.starts_with(['*', '&', '%', '@', '`', '|', '>', '?', '!']).then(|| special(at, value))
}

fn special(at: usize, value: &str) -> Mistake {
    let first = value.chars().next().unwrap_or(' ');
    let message = format!("a string that begins with `{first}` must be quoted");
    Mistake::new(TextRange { start: at, end: at + value.len() }, message, format!("write {}", code(&quoted(value))))
}

/// Finds an unquoted key with brackets inside braces, such as `{ c[w]: 0..=9 }`. In braces, `[` ends an unquoted key.
fn brackets_in_braces(error: &ParseError<'_>) -> Option<Mistake> {
    let line = Line::at(error.text, error.at);
    if !line.text.contains('{') && !error.message.contains("parsing a flow mapping") {
        return None;
    }
    let continued =
        error.message.contains("parsing a flow mapping") && context(error).is_some_and(|at| at < line.start);
    let inside = line.text.char_indices().filter(|(_, c)| !c.is_whitespace());
    let starts = inside.filter(|(at, _)| {
        let before = line.text[..*at].trim_end();
        if before.is_empty() { continued } else { before.ends_with(['{', ',']) }
    });
    for (at, _) in starts {
        let rest = &line.text[at..];
        let Some(length) = name_length(rest).filter(|length| rest[..*length].ends_with(']')) else { continue };
        let Some(value) = rest[length..].strip_prefix(':') else { continue };
        let (name, value) = (&rest[..length], flow_value(value));
        let start = line.start + at;
        let help = format!("write `{{ \"{name}\": {value} }}`, or `{name}: {value}` on a line without braces");
        return Some(Mistake::new(
            TextRange { start, end: start + length },
            format!("inside braces, `{name}` must be quoted"),
            help,
        ));
    }
    None
}

/// Finds `n:1..=9`. Without a space after the colon, this text is a plain scalar, which may span lines.
fn no_blank_after_colon(error: &ParseError<'_>) -> Option<Mistake> {
    let line = Line::at(error.text, error.at);
    let above = line.above(error.text).next().filter(|_| error.message.contains("mapping values are not allowed"));
    let outer = context(error).map(|at| Line::at(error.text, at));
    [Some(line), outer, above].into_iter().flatten().find_map(|line| {
        let pair = line.pair()?;
        let glued = pair.value_start == pair.start + pair.key.len() + 1;
        (glued && !pair.value.is_empty() && !pair.value.starts_with('/')).then(|| glued_mistake(pair))
    })
}

/// Finds `{ time:1s }`, which YAML parses as a map with the key `time:1s`.
fn no_blank_in_braces(error: &ParseError<'_>) -> Option<Mistake> {
    let key = error.message.split_once("unknown field `")?.1.split_once('`')?.0;
    let (name, value) = key.split_once(':').filter(|(name, value)| !name.is_empty() && !value.is_empty())?;
    let start = error.at + error.text.get(error.at..)?.find(key)?;
    Some(glued_mistake(KeyLine { start, key: name, value, value_start: start + name.len() + 1 }))
}

fn glued_mistake(pair: KeyLine<'_>) -> Mistake {
    let range = TextRange { start: pair.start, end: pair.value_range().end };
    Mistake::new(range, "missing space after the colon", format!("write `{}: {}`", pair.key, pair.value))
}

/// Finds `-m: 3` in a list.
fn no_blank_after_dash(error: &ParseError<'_>) -> Option<Mistake> {
    let problems = ["'-' indicator", "expected a sequence", "unknown field `-", "mapping values are not allowed"];
    let line = Line::at(error.text, error.at);
    let rest = line.content().strip_prefix('-').filter(|rest| name_length(rest).is_some())?;
    problems.iter().find(|problem| error.message.contains(**problem))?;
    Some(Mistake::new(line.range(), "missing space after the dash", format!("write `- {rest}`")))
}

/// Finds `name = Nim`.
fn equals_sign(error: &ParseError<'_>) -> Option<Mistake> {
    let line = Line::at(error.text, error.at);
    let (key, value) = line.content().split_once('=').filter(|_| error.message.contains("type: string"))?;
    let key = key.trim_end();
    name_length(key).filter(|length| *length == key.len())?;
    let help = format!("write `{key}: {}`", value.trim_start());
    Some(Mistake::new(line.range(), "expected `:` after the key, found `=`", help))
}

/// Finds `name: Nim: the game`, or two keys on one line.
fn colon_in_value(error: &ParseError<'_>) -> Option<Mistake> {
    if !error.message.contains("mapping values are not allowed") {
        return None;
    }
    let line = Line::at(error.text, error.at);
    let pair = line.pair().filter(|pair| error.at > pair.value_start)?;
    let right = format!("{}: {}", pair.key, quoted(pair.value));
    let mut help = format!("if the colon belongs to the string, write {}", code(&right));
    let before = &error.text[pair.value_start..error.at];
    let after = &error.text[error.at..pair.value_range().end];
    if let Some((_, key)) = before.rsplit_once(' ').filter(|(_, key)| name_length(key) == Some(key.len())) {
        help += &format!("; if `{key}` is a key, write `{key}{after}` on a line of its own");
    }
    let message = format!("unexpected `:` in the value of `{}`", pair.key);
    Some(Mistake::new(pair.value_range(), message, help))
}

/// Finds quotes that are not closed or are closed too early, and unknown escape sequences in double quotes.
fn quotes(error: &ParseError<'_>) -> Option<Mistake> {
    let text = error.text;
    if error.message.contains("unknown escape") {
        let range = TextRange { start: error.at, end: text.ceil_char_boundary(error.at + 2) };
        let help = "in double quotes, write a line break as `\\n` and a backslash as `\\\\`";
        return Some(Mistake::new(range, "unknown escape sequence", help));
    }
    if error.message.contains("scanning a quoted scalar") {
        let line = Line::at(text, context(error)?);
        let start = context(error)?;
        let quote = text[start..].chars().next()?;
        let range = TextRange { start, end: line.range().end };
        return Some(Mistake::new(range, "unclosed quote", format!("write `{quote}` at the end of the string")));
    }
    let line = Line::at(text, error.at);
    let KeyLine { value, value_start: start, .. } = line.pair()?;
    let quote = value.chars().next().filter(|first| ['"', '\''].contains(first))?;
    if !error.message.contains("did not find expected key") || error.at <= start || value.matches(quote).count() < 3 {
        return None;
    }
    let help = match quote {
        '\'' => "in single quotes, write a single quote twice: `'it''s'`",
        _ => "in double quotes, write a double quote as `\\\"`",
    };
    Some(Mistake::new(TextRange { start, end: start + value.len() }, "unexpected text after the closing quote", help))
}

/// Finds a bracket that is not closed, or a missing comma between items.
fn open_bracket(error: &ParseError<'_>) -> Option<Mistake> {
    let start = error.message.contains("parsing a flow").then(|| context(error))??;
    let bracket = error.text.get(start..)?.chars().next()?;
    let close = match bracket {
        '{' => '}',
        '[' => ']',
        _ => return None,
    };
    let end = Line::at(error.text, start).range().end.max(start + 1);
    let help = format!(
        "write `{close}` after the last item, and `,` between items; a string that contains `{bracket}` must be quoted"
    );
    Some(Mistake::new(
        TextRange { start, end },
        format!("expected `,` or `{close}` after an item that follows this `{bracket}`"),
        help,
    ))
}

fn no_colon(error: &ParseError<'_>) -> Option<Mistake> {
    if !error.message.contains("could not find expected ':'") {
        return None;
    }
    let line = Line::at(error.text, context(error)?);
    let help = "write `key: value`; to continue the value on the line above, indent this line deeper than the key of \
                that value";
    Some(Mistake::new(line.range(), "missing `: ` on this line", help))
}

/// Finds a line with a wrong indentation.
fn indentation(error: &ParseError<'_>) -> Option<Mistake> {
    let problems =
        ["mapping values are not allowed", "did not find expected key", "did not find expected '-' indicator"];
    if !problems.iter().any(|problem| error.message.contains(problem)) {
        return None;
    }
    let line = Line::at(error.text, error.at);
    let mut columns: Vec<usize> = Vec::new();
    for above in line.above(error.text) {
        let least = columns.iter().min().copied();
        columns.extend(above.columns().into_iter().filter(|column| least.is_none_or(|least| *column < least)));
    }
    columns.sort_unstable();
    columns.dedup();
    let own = line.indentation();
    let range = line.range();
    if !line.content().starts_with('-') && error.message.contains("'-' indicator") && columns.contains(&own) {
        let deeper = columns.iter().find(|column| **column > own)?;
        let blanks = if *deeper == 1 { "space" } else { "spaces" };
        let help = format!(
            "indent the line by {deeper} {blanks} to continue the item above, or write `- {}` for a new item",
            line.content()
        );
        return Some(Mistake::new(range, "the line is neither an item of the list nor part of an item", help));
    }
    columns.retain(|column| *column != own);
    columns.sort_by_key(|column| (column.abs_diff(own), *column));
    let (last, others) = columns.split_last()?;
    let others: Vec<String> = others.iter().map(usize::to_string).collect();
    let wanted = if others.is_empty() { last.to_string() } else { format!("{} or {last}", others.join(", ")) };
    let blanks = if wanted == "1" { "space" } else { "spaces" };
    let message = format!("an indentation of {own} space{} is not valid here", if own == 1 { "" } else { "s" });
    Some(Mistake::new(
        range,
        message,
        format!("indent the line by {wanted} {blanks}, to match the first line of the list or map that contains it"),
    ))
}

/// Returns the byte offset of the construct in which the error occurred, from a message such as `…, while scanning a
/// simple key at line 4 column 3`; `None` if the message does not name the construct.
fn context(error: &ParseError<'_>) -> Option<usize> {
    let (_, place) = error.message.split_once(", while ")?.1.rsplit_once(" at line ")?;
    let (line, column) = place.split_once(" column ")?;
    let (line, column) = (line.parse::<usize>().ok()?, column.parse::<usize>().ok()?);
    let before = error.text.split_inclusive('\n').take(line.checked_sub(1)?).map(str::len).sum::<usize>();
    let rest = error.text.get(before..)?;
    Some(before + rest.char_indices().nth(column.checked_sub(1)?).map_or(rest.len(), |(at, _)| at))
}

/// Returns the value that begins at byte `at`: the rest of the line without a comment or, inside brackets or braces,
/// the text up to the next `,` or the closing bracket.
fn value_at(text: &str, at: usize) -> &str {
    let line = Line::at(text, at);
    let rest = text.get(at..line.start + line.text.len()).unwrap_or("");
    let before = &line.text[..at.saturating_sub(line.start).min(line.text.len())];
    let opens = |c: char| before.matches(c).count();
    let in_flow = opens('{') > opens('}') || opens('[') > opens(']');
    if in_flow { flow_value(rest) } else { rest.split(" #").next().unwrap_or("").trim() }
}

/// Returns the value at the start of `rest`, which is inside brackets or braces: the text up to the next `,` or the
/// closing bracket.
fn flow_value(rest: &str) -> &str {
    let mut depth = 0_usize;
    let end = rest.find(|c| match c {
        '[' | '{' | '(' => {
            depth += 1;
            false
        }
        ']' | '}' | ')' if depth > 0 => {
            depth -= 1;
            false
        }
        ',' | ']' | '}' => depth == 0,
        _ => false,
    });
    rest[..end.unwrap_or(rest.len())].trim()
}

/// Returns the text as a quoted YAML scalar.
pub(super) fn quoted(value: &str) -> String {
    if value.contains(['"', '\\']) { format!("'{}'", value.replace('\'', "''")) } else { format!("\"{value}\"") }
}

/// Returns the text in backticks, unless it contains backticks.
fn code(text: &str) -> String {
    if text.contains('`') { text.to_owned() } else { format!("`{text}`") }
}
