//! Automatic versions of the changes that students make to copied programs. They are used only in tests.

use std::collections::{BTreeMap, BTreeSet};

use crate::lang::{LexemeClass, Syntax, lex};

/// A function that returns a changed copy of the program with this file name and text.
type Rewriting = fn(&str, &str) -> String;

/// The kinds of changes by name.
pub(super) const CHANGES: [(&str, Rewriting); 7] = [
    ("renamed", renamed),
    ("loops", with_other_loops),
    ("operands", with_other_operands),
    ("io", with_other_io),
    ("padded", padded),
    ("reordered", reordered),
    ("everything", everything),
];

type Lexeme<'t> = (LexemeClass, &'t str);

fn extension(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or("")
}

fn has_braces(name: &str) -> bool {
    matches!(extension(name), "c" | "cpp" | "java" | "js")
}

fn lexemes<'t>(name: &str, text: &'t str) -> Vec<Lexeme<'t>> {
    lex(text, Syntax::of_extension(extension(name))).collect()
}

/// Returns the indices of the lexemes that are neither white space nor comments.
fn solid(lexemes: &[Lexeme<'_>]) -> Vec<usize> {
    let is_solid = |class| !matches!(class, LexemeClass::Space | LexemeClass::Comment);
    (0..lexemes.len()).filter(|at| is_solid(lexemes[*at].0)).collect()
}

/// Applies all changes one after the other.
fn everything(name: &str, text: &str) -> String {
    [reordered, with_other_loops, with_other_io, with_other_operands, padded, renamed]
        .iter()
        .fold(text.to_owned(), |text, change| change(name, &text))
}

/// Renames the identifiers that the program declares, removes comments, and adds line breaks except in Python.
pub(super) fn renamed(name: &str, text: &str) -> String {
    let all = lexemes(name, text);
    let solid = solid(&all);
    let mut declared = BTreeSet::new();
    for (place, &at) in solid.iter().enumerate() {
        let text = |place: Option<usize>| place.and_then(|place| solid.get(place)).map_or("", |at| all[*at].1);
        let class = |place: Option<usize>| place.and_then(|place| solid.get(place)).map(|at| all[*at].0);
        let before = place.checked_sub(1);
        let is_new = matches!(class(before), Some(LexemeClass::Type))
            || matches!(text(before), "let" | "mut" | "const" | "var" | "def" | "fn" | "func" | "for" | "function")
            || matches!(text(Some(place + 1)), "=" | ":=" | "+=" | "-=" | "^=" | "in" | "++");
        if all[at].0 == LexemeClass::Name
            && is_new
            && !matches!(text(before), "." | "::")
            && text(Some(place + 1)) != "::"
            && all[at].1 != "main"
        {
            declared.insert(all[at].1);
        }
    }
    let other: BTreeMap<&str, String> = declared
        .iter()
        .enumerate()
        .map(|(number, name)| (*name, format!("{}{number}", ["x", "value", "tmp_"][number % 3])))
        .collect();
    let mut copy = String::new();
    for (class, lexeme) in &all {
        match class {
            LexemeClass::Comment => {}
            LexemeClass::Name => copy += other.get(lexeme).map_or(lexeme, String::as_str),
            LexemeClass::Space if name.ends_with("py") => copy += lexeme,
            LexemeClass::Space => copy += &lexeme.replace('\n', "\n\n"),
            _ => copy += lexeme,
        }
    }
    copy
}

/// Returns the end of the statement that begins at index `at` of the solid lexemes, or `None` if the statement is not
/// closed or begins with `do` or `switch`.
fn statement_end(texts: &[&str], at: usize) -> Option<usize> {
    let closed = |at: usize, open: &str, close: &str| {
        let mut depth = 0_usize;
        texts[at..].iter().position(|text| {
            depth += usize::from(*text == open);
            depth -= usize::from(*text == close);
            depth == 0
        })
    };
    match *texts.get(at)? {
        "{" => Some(at + closed(at, "{", "}")? + 1),
        "if" | "for" | "while" if texts.get(at + 1) == Some(&"(") => {
            let end = statement_end(texts, at + 1 + closed(at + 1, "(", ")")? + 1)?;
            if texts.get(end) == Some(&"else") { statement_end(texts, end + 1) } else { Some(end) }
        }
        "do" | "switch" => None,
        _ => Some(at + texts[at..].iter().position(|text| *text == ";")? + 1),
    }
}

/// Replaces the `for` loops that [`python_loops`] or [`one_while`] supports with `while` loops.
fn with_other_loops(name: &str, text: &str) -> String {
    if extension(name) == "py" {
        return python_loops(text);
    }
    let mut copy = text.to_owned();
    for _ in 0..if has_braces(name) { 20 } else { 0 } {
        match one_while(name, &copy) {
            Some(next) => copy = next,
            None => break,
        }
    }
    copy
}

/// Replaces the last `for` loop that has three parts and does not contain `continue` with a `while` loop. Returns
/// `None` if no loop can be replaced.
fn one_while(name: &str, text: &str) -> Option<String> {
    let all = lexemes(name, text);
    let solid = solid(&all);
    let texts: Vec<&str> = solid.iter().map(|at| all[*at].1).collect();
    let between = |from: usize, to: usize| -> String {
        if from < to { all[solid[from]..=solid[to - 1]].iter().map(|(_, text)| *text).collect() } else { String::new() }
    };
    for start in (0..texts.len()).rev().filter(|at| texts[*at] == "for" && texts.get(at + 1) == Some(&"(")) {
        let mut depth = 0_usize;
        let close = start
            + 1
            + texts[start + 1..].iter().position(|text| {
                depth += usize::from(*text == "(");
                depth -= usize::from(*text == ")");
                depth == 0
            })?;
        let parts: Vec<usize> = (start..close).filter(|at| texts[*at] == ";").collect();
        let Some(end) = statement_end(&texts, close + 1) else { continue };
        if parts.len() != 2 || texts[close..end].contains(&"continue") {
            continue;
        }
        let (init, test, step) =
            (between(start + 2, parts[0]), between(parts[0] + 1, parts[1]), between(parts[1] + 1, close));
        let body = between(close + 1, end);
        let body = body.strip_prefix('{').and_then(|body| body.strip_suffix('}')).unwrap_or(&body);
        let steps = step.replace(", ", "; ");
        let test = if test.is_empty() { "true" } else { &test };
        return Some(format!(
            "{}{{ {init};\nwhile ({test}) {{ {body} {steps}; }} }}{}",
            all[..solid[start]].iter().map(|(_, text)| *text).collect::<String>(),
            solid.get(end).map_or(String::new(), |end| all[*end..].iter().map(|(_, text)| *text).collect())
        ));
    }
    None
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Replaces `for … in range(…)` in Python with `while` loops. Loops that contain `continue`, and ranges with a step or
/// with brackets, are not changed.
fn python_loops(text: &str) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for at in (0..lines.len()).rev() {
        let line = lines[at].clone();
        let Some((name, range)) = line.trim().strip_prefix("for ").and_then(|rest| rest.split_once(" in range("))
        else {
            continue;
        };
        let Some(range) = range.strip_suffix("):") else { continue };
        let end = (at + 1..lines.len())
            .find(|next| !lines[*next].trim().is_empty() && indentation(&lines[*next]) <= indentation(&line))
            .unwrap_or(lines.len());
        let has_continue = lines[at + 1..end].iter().any(|line| line.contains("continue"));
        if range.matches(',').count() > 1 || range.contains(['(', '[']) || has_continue {
            continue;
        }
        let (first, last) = range.split_once(", ").unwrap_or(("0", range));
        let blanks = " ".repeat(indentation(&line));
        let last_line = (at + 1..end).rev().find(|line| !lines[*line].trim().is_empty()).unwrap_or(at);
        let inner = " ".repeat(indentation(&lines[at + 1]));
        lines.insert(last_line + 1, format!("{inner}{name} += 1"));
        lines[at] = format!("{blanks}{name} = {first}\n{blanks}while {name} < {last}:");
    }
    lines.join("\n") + "\n"
}

/// Exchanges the operands of sums, products and comparisons, and replaces `x++` with `x += 1` and `x += y` with `x = x
/// + y`.
fn with_other_operands(name: &str, text: &str) -> String {
    let all = lexemes(name, text);
    let solid = solid(&all);
    let mut texts: Vec<String> = all.iter().map(|(_, text)| (*text).to_owned()).collect();
    let is_value = |class: LexemeClass| matches!(class, LexemeClass::Name | LexemeClass::Number);
    let mut free = 0;
    for place in 1..solid.len().saturating_sub(2) {
        let (left, sign, right) = (solid[place - 1], solid[place], solid[place + 1]);
        let before = place.checked_sub(2).map_or("", |at| all[solid[at]].1);
        let after = all[solid[place + 2]].1;
        let outer = ["(", ")", "[", "]", ";", ",", "=", "&&", "||", "and", "or", "if", "while", "return", ":", "?"];
        let is_alone =
            outer.contains(&before) && [")", "]", ";", ",", "&&", "||", "and", "or", ":", "?"].contains(&after);
        let mirrored = match all[sign].1 {
            "+" | "*" | "==" | "!=" => all[sign].1,
            "<" => ">",
            ">" => "<",
            "<=" => ">=",
            ">=" => "<=",
            "++" if is_value(all[left].0) && before != "." && before != "]" && after != "(" && has_braces(name) => {
                texts[sign] = " += 1".to_owned();
                continue;
            }
            "+=" if is_value(all[left].0)
                && is_value(all[right].0)
                && [";", "{", "}"].contains(&before)
                && after == ";" =>
            {
                texts[sign] = format!("= {} +", all[left].1);
                continue;
            }
            _ => continue,
        };
        if place > free && is_alone && is_value(all[left].0) && is_value(all[right].0) {
            texts.swap(left, right);
            texts[sign] = mirrored.to_owned();
            free = place + 2;
        }
    }
    texts.concat()
}

/// Rewrites input and output: replaces `cin` and `cout` with C functions in C++, and `input` and `print` with
/// `sys.stdin` and `sys.stdout` in Python.
fn with_other_io(name: &str, text: &str) -> String {
    match extension(name) {
        "py" => text
            .replace("input()", "sys.stdin.readline()")
            .lines()
            .map(|line| match line.trim().strip_prefix("print(").and_then(|rest| rest.strip_suffix(')')) {
                Some(value) if !value.contains(['*', ',', '"']) => {
                    format!("{}sys.stdout.write(str({value}) + \"\\n\")\n", " ".repeat(indentation(line)))
                }
                _ => format!("{line}\n"),
            })
            .collect(),
        "cpp" => text.lines().map(|line| cpp_line(line) + "\n").collect(),
        _ => text.to_owned(),
    }
}

fn cpp_line(line: &str) -> String {
    let blanks = " ".repeat(indentation(line));
    let statement = line.trim().trim_end_matches(';').replace("std::", "");
    let (head, body) = match statement.split_once(") ") {
        Some((head, body)) if head.starts_with("for") || head.starts_with("if") => {
            (format!("{head}) "), body.to_owned())
        }
        _ => (String::new(), statement.clone()),
    };
    if let Some(rest) = body.strip_prefix("cin >> ") {
        let names: Vec<String> = rest.split(" >> ").map(|name| format!("&{name}")).collect();
        return format!("{blanks}{head}scanf(\"{}\", {});", "%d ".repeat(names.len()), names.join(", "));
    }
    if let Some(rest) = body.strip_prefix("cout << ").filter(|rest| !rest.contains('?')) {
        let is_value = |part: &&str| !part.starts_with(['"', '\'']) && *part != "endl";
        let values: Vec<&str> = rest.split(" << ").filter(is_value).collect();
        let comma = if values.is_empty() { "" } else { ", " };
        return format!("{blanks}{head}printf(\"{}\\n\"{comma}{});", "%d ".repeat(values.len()), values.join(", "));
    }
    line.to_owned()
}

/// Inserts an unused variable after every fourth statement whose successor has the same indentation. Go sources are not
/// changed, because unused variables are errors in Go.
pub(super) fn padded(name: &str, text: &str) -> String {
    let (unused, end) = match extension(name) {
        "py" => ("spare = 0", ""),
        "rs" | "js" => ("let spare = 0;", ";"),
        "go" => return text.to_owned(),
        _ => ("int spare = 0;", ";"),
    };
    let (mut copy, mut before, mut statements) = (String::new(), "", 0);
    for line in text.lines() {
        let is_statement = before.ends_with(end) && !before.ends_with([':', ',', '(', '[', '{', '\\']);
        let is_inner = indentation(line) > 0 || end.is_empty();
        let is_plain = !line.trim().starts_with([')', ']', '}', '.', '#']) && !line.trim().starts_with("el");
        if is_inner && indentation(line) == indentation(before) && is_statement && is_plain && !line.trim().is_empty() {
            statements += 1;
            if statements % 4 == 0 {
                copy += &format!("{}{unused}\n", &line[..indentation(line)]);
            }
        }
        copy += line;
        copy += "\n";
        before = line;
    }
    copy
}

/// Reverses the order of the function and class definitions at the top level. Java sources are not changed.
fn reordered(name: &str, text: &str) -> String {
    let chunks: Vec<&str> =
        text.split("\n\n").map(|chunk| chunk.trim_matches('\n')).filter(|chunk| !chunk.is_empty()).collect();
    let is_definition = |chunk: &&&str| match extension(name) {
        "py" => chunk.starts_with("def ") || chunk.starts_with("class "),
        "c" | "cpp" => chunk.ends_with('}') && !chunk.starts_with(['#', ' ']) || chunk.starts_with("int main"),
        "rs" => chunk.starts_with("fn "),
        "go" => chunk.starts_with("func "),
        "js" => chunk.starts_with("function "),
        _ => chunk.starts_with("    ") && chunk.contains(" static ") && chunk.contains('{'),
    };
    let mut moved: Vec<&str> = chunks.iter().filter(is_definition).copied().collect();
    if moved.len() < 2 || extension(name) == "java" {
        return text.to_owned();
    }
    // The definitions are placed in reverse order; the positions of the other chunks do not change.
    let mut copy: Vec<&str> = Vec::new();
    for chunk in &chunks {
        copy.push(if is_definition(&chunk) { moved.pop().unwrap_or("") } else { chunk });
    }
    copy.join("\n\n") + "\n"
}
