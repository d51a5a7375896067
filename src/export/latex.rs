//! Converts Markdown to the body of a LaTeX document.

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

use super::statement::options;

/// Converts Markdown to LaTeX. Formulas are copied unchanged.
pub(super) fn latex(markdown: &str) -> String {
    let mut writer = LatexWriter::default();
    for event in Parser::new_ext(markdown, options()) {
        writer.event(event);
    }
    let mut text = writer.text.trim().to_owned();
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

/// Escapes the characters that have a special meaning in LaTeX.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '<' => out.push_str("\\textless{}"),
            '>' => out.push_str("\\textgreater{}"),
            '|' => out.push_str("\\textbar{}"),
            '{' | '}' | '$' | '&' | '#' | '_' | '%' => out.extend(['\\', c]),
            _ => out.push(c),
        }
    }
    out
}

#[derive(Default)]
struct LatexWriter {
    text: String,
    /// The LaTeX environments of the enclosing lists.
    lists: Vec<&'static str>,
    code: bool,
    /// Number of cells written in the current table row.
    cells: usize,
}

impl LatexWriter {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) if self.code => self.text.push_str(&text),
            Event::Text(text) => self.text.push_str(&escaped(&text)),
            Event::Code(code) => self.text.push_str(&format!("\\texttt{{{}}}", escaped(&code))),
            Event::InlineMath(tex) => self.text.push_str(&format!("${tex}$")),
            Event::DisplayMath(tex) => self.text.push_str(&format!("\\[{tex}\\]")),
            Event::SoftBreak => self.text.push('\n'),
            Event::HardBreak => self.text.push_str("\\\\\n"),
            Event::Rule => self.text.push_str("\\hrule\n\n"),
            Event::FootnoteReference(_) | Event::TaskListMarker(_) | Event::Html(_) | Event::InlineHtml(_) => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Heading { .. } => self.text.push_str("\\section*{"),
            Tag::BlockQuote(_) => self.text.push_str("\\begin{quote}\n"),
            Tag::CodeBlock(_) => {
                self.code = true;
                self.text.push_str("\\begin{verbatim}\n");
            }
            Tag::List(first) => {
                let name = if first.is_some() { "enumerate" } else { "itemize" };
                self.lists.push(name);
                self.text.push_str(&format!("\\begin{{{name}}}\n"));
            }
            Tag::Item => self.text.push_str("\\item "),
            Tag::Emphasis => self.text.push_str("\\emph{"),
            Tag::Strong => self.text.push_str("\\textbf{"),
            Tag::Table(columns) => {
                let columns = "l".repeat(columns.len());
                self.text.push_str(&format!("\\begin{{tabular}}{{{columns}}}\n"));
            }
            Tag::TableHead | Tag::TableRow => self.cells = 0,
            Tag::TableCell => {
                self.text.push_str(if self.cells > 0 { " & " } else { "" });
                self.cells += 1;
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph => self.text.push_str("\n\n"),
            TagEnd::Heading(_) => self.text.push_str("}\n\n"),
            TagEnd::BlockQuote(_) => self.text.push_str("\\end{quote}\n\n"),
            TagEnd::CodeBlock => {
                self.code = false;
                self.text.push_str("\\end{verbatim}\n\n");
            }
            TagEnd::List(_) => {
                let name = self.lists.pop().unwrap_or("itemize");
                self.text.push_str(&format!("\\end{{{name}}}\n\n"));
            }
            TagEnd::Item => self.text.push('\n'),
            TagEnd::Emphasis | TagEnd::Strong => self.text.push('}'),
            TagEnd::TableHead | TagEnd::TableRow => self.text.push_str(" \\\\\n"),
            TagEnd::Table => self.text.push_str("\\end{tabular}\n\n"),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_becomes_latex() {
        let cases = [
            ("A *game* of 100% with `a_b`.", "A \\emph{game} of 100\\% with \\texttt{a\\_b}.\n"),
            ("$1 \\le n \\le 10^5$ & more", "$1 \\le n \\le 10^5$ \\& more\n"),
            ("* one\n* **two**", "\\begin{itemize}\n\\item one\n\\item \\textbf{two}\n\\end{itemize}\n"),
            ("```\na & b\n```", "\\begin{verbatim}\na & b\n\\end{verbatim}\n"),
            ("a | b\n--|--\n1 | 2", "\\begin{tabular}{ll}\na & b \\\\\n1 & 2 \\\\\n\\end{tabular}\n"),
            ("$$x$$\n\nend", "\\[x\\]\n\nend\n"),
        ];
        for (markdown, wanted) in cases {
            assert_eq!(latex(markdown), wanted);
        }
    }
}
