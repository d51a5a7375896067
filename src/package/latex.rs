//! Converts simple LaTeX of problem statements to Markdown. Unknown commands are copied unchanged.

/// Placeholder in the Markdown for the next sample of the statement.
pub const NEXT_SAMPLE: &str = "{{nextsample}}";
/// Placeholder in the Markdown for all samples that have not been shown.
pub const REMAINING_SAMPLES: &str = "{{remainingsamples}}";

/// Environments, each with the Markdown that replaces its `\begin` command. A code fence also replaces the `\end`
/// command.
const ENVIRONMENTS: [(&str, &str); 8] = [
    ("Input", "## Input"),
    ("Output", "## Output"),
    ("Interaction", "## Interaction"),
    ("itemize", ""),
    ("enumerate", ""),
    ("center", ""),
    ("verbatim", "```"),
    ("lstlisting", "```"),
];

/// Commands with one argument, each with the Markdown that surrounds the argument.
const MARKED: [(&str, &str); 10] = [
    ("textbf", "**"),
    ("textit", "*"),
    ("emph", "*"),
    ("texttt", "`"),
    ("verb", "`"),
    ("url", ""),
    ("textsc", ""),
    ("underline", ""),
    ("text", ""),
    ("mbox", ""),
];

/// Commands that are removed with their arguments, each with the number of its arguments.
const DROPPED: [(&str, usize); 6] = [
    ("problemname", 1),
    ("illustration", 3),
    ("includegraphics", 1),
    ("noindent", 0),
    ("centering", 0),
    ("medskip", 0),
];

/// Maximum nesting depth of commands. Commands that are nested more deeply are copied unchanged.
const DEEPEST: usize = 8;
/// Maximum length of an argument in characters. A command with a longer argument is copied unchanged.
const LONGEST_ARGUMENT: usize = 4_000;

/// Converts a statement to Markdown.
pub fn to_markdown(text: &str) -> String {
    let mut out = String::new();
    let mut literal = false;
    for line in text.lines() {
        if literal {
            literal = !line.contains("\\end{verbatim}") && !line.contains("\\end{lstlisting}");
            out.push_str(if literal { line } else { "```" });
        } else {
            literal = line.contains("\\begin{verbatim}") || line.contains("\\begin{lstlisting}");
            out.push_str(&converted(without_comment(line), DEEPEST));
        }
        out.push('\n');
    }
    out
}

/// Returns the part of a line before the comment, or the whole line if it contains no comment.
fn without_comment(line: &str) -> &str {
    let start = line.match_indices('%').find(|(at, _)| !line[..*at].ends_with('\\'));
    start.map_or(line, |(at, _)| &line[..at])
}

fn converted(line: &str, depth: usize) -> String {
    let mut out = String::new();
    let mut rest = line.trim();
    let mut math = false;
    while let Some(at) = rest.find(['\\', '$', '~', '`', '\'']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(tail) = rest.strip_prefix('$') {
            math = !math;
            out.push('$');
            rest = tail;
        } else if math {
            let first = rest.chars().next().unwrap_or(' ');
            let escaped = rest.starts_with("\\$");
            let take = if escaped { 2 } else { first.len_utf8() };
            out.push_str(&rest[..take]);
            rest = &rest[take..];
        } else if let Some(tail) = rest.strip_prefix('~') {
            out.push(' ');
            rest = tail;
        } else if let Some(tail) = rest.strip_prefix("``").or_else(|| rest.strip_prefix("''")) {
            out.push('"');
            rest = tail;
        } else if rest.starts_with(['`', '\'']) {
            out.push('\'');
            rest = &rest[1..];
        } else {
            rest = command(rest, &mut out, depth);
        }
    }
    out.push_str(rest);
    out
}

/// Converts the command at the start of `rest`, appends the result to `out`, and returns the remaining text.
fn command<'a>(rest: &'a str, out: &mut String, depth: usize) -> &'a str {
    if depth == 0 {
        out.push('\\');
        return &rest[1..];
    }
    let body = &rest[1..];
    let length = body.bytes().take_while(u8::is_ascii_alphabetic).count();
    let (name, tail) = body.split_at(length);
    if name.is_empty() {
        let mut chars = body.chars();
        match chars.next() {
            Some('\\') => out.push('\n'),
            Some(c) => out.push(c),
            None => {}
        }
        return chars.as_str();
    }
    if let Some((_, mark)) = MARKED.iter().find(|(known, _)| *known == name)
        && let Some((inner, tail)) = argument(tail)
    {
        out.push_str(&format!("{mark}{}{mark}", converted(inner, depth - 1)));
        return tail;
    }
    if let Some((_, count)) = DROPPED.iter().find(|(known, _)| *known == name) {
        let tail = tail.strip_prefix('[').and_then(|tail| tail.split_once(']')).map_or(tail, |(_, tail)| tail);
        return (0..*count).fold(tail, |tail, _| argument(tail).map_or(tail, |(_, tail)| tail));
    }
    match (name, argument(tail)) {
        ("section" | "subsection", _) => {
            let tail = tail.strip_prefix('*').unwrap_or(tail);
            let (title, tail) = argument(tail).unwrap_or((tail, ""));
            out.push_str(&format!("\n## {}\n", converted(title, depth - 1)));
            tail
        }
        ("begin" | "end", Some((environment, tail))) => {
            let known = ENVIRONMENTS.iter().find(|(known, _)| *known == environment);
            match known {
                Some((_, "```")) => out.push_str("```"),
                Some((_, heading)) if name == "begin" => out.push_str(&format!("\n{heading}\n")),
                Some(_) => {}
                None => out.push_str(&rest[..rest.len() - tail.len()]),
            }
            tail
        }
        ("item", _) => {
            out.push_str("- ");
            tail.trim_start()
        }
        ("nextsample" | "remainingsamples", _) => {
            out.push_str(if name == "nextsample" { NEXT_SAMPLE } else { REMAINING_SAMPLES });
            tail.strip_prefix("{}").unwrap_or(tail)
        }
        ("ldots" | "dots" | "textellipsis", _) => {
            out.push('…');
            tail
        }
        _ => {
            out.push('\\');
            out.push_str(name);
            tail
        }
    }
}

/// Splits off the argument in braces at the start of the text, and returns it and the rest. Returns `None` if there is
/// none, or if it has more than [`LONGEST_ARGUMENT`] characters.
fn argument(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix('{')?;
    let mut depth = 1;
    for (at, c) in inner.char_indices().take(LONGEST_ARGUMENT) {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some((&inner[..at], &inner[at + 1..]));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn plain_latex_becomes_markdown() {
        let text = "\\problemname{Sum}\nGiven \\emph{two} numbers $a \\le b$, ``add'' 5\\% % hidden\n\\section*{Input}\n\
                    \\begin{itemize}\n\\item one\n\\end{itemize}\n\\foo{x}\n\\begin{verbatim}\n\\emph{a}\n\\end{verbatim}\n";
        let plain: Vec<String> = to_markdown(text).lines().map(|line| line.trim_end().to_owned()).collect();
        let plain = plain.join("\n");
        let kept: Vec<&str> = plain.lines().filter(|line| !line.is_empty()).collect();
        let first = "Given *two* numbers $a \\le b$, \"add\" 5%";
        assert_eq!(kept, [first, "## Input", "- one", "\\foo{x}", "```", "\\emph{a}", "```"]);
    }

    proptest! {
        #[test]
        fn converting_any_text_terminates(text in "[\\\\{}$%a-z`'~\\[\\]*\n é]{0,60}") {
            let _ = to_markdown(&text);
        }
    }
}
