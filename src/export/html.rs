//! Markdown as HTML.

use pulldown_cmark::{Event, HeadingLevel, Parser, Tag, TagEnd};

use super::statement::options;

/// How formulas are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Formulas {
    /// Between dollars, for a page that renders them.
    Tex,
    /// As plain text, for a page that stands alone.
    Plain,
}

/// The text as HTML.
pub(super) fn html(markdown: &str, formulas: Formulas) -> String {
    let mut out = String::new();
    let mut head = false;
    for event in Parser::new_ext(markdown, options()) {
        match event {
            Event::Start(tag) => {
                head = matches!(tag, Tag::TableHead) || head && !matches!(tag, Tag::TableRow);
                out.push_str(&opening(&tag, head));
            }
            Event::End(tag) => out.push_str(&closing(tag, head)),
            Event::Text(text) => out.push_str(&escaped(&text)),
            Event::Code(code) => out.push_str(&format!("<code>{}</code>", escaped(&code))),
            Event::InlineMath(tex) | Event::DisplayMath(tex) if formulas == Formulas::Plain => {
                out.push_str(&format!("<i>{}</i>", escaped(&crate::report::markdown::formula(&tex))));
            }
            Event::InlineMath(tex) => out.push_str(&format!("${}$", escaped(&tex))),
            Event::DisplayMath(tex) => out.push_str(&format!("$${}$$", escaped(&tex))),
            Event::SoftBreak => out.push('\n'),
            Event::HardBreak => out.push_str("<br>\n"),
            Event::Rule => out.push_str("<hr>\n"),
            Event::FootnoteReference(_) | Event::TaskListMarker(_) | Event::Html(_) | Event::InlineHtml(_) => {}
        }
    }
    out
}

/// Text with the letters that HTML and XML would read otherwise.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn opening(tag: &Tag<'_>, head: bool) -> String {
    match tag {
        Tag::Paragraph => "<p>".to_owned(),
        Tag::Heading { level, .. } => format!("<{}>", heading(*level)),
        Tag::BlockQuote(_) => "<blockquote>\n".to_owned(),
        Tag::CodeBlock(_) => "<pre>".to_owned(),
        Tag::List(None) => "<ul>\n".to_owned(),
        Tag::List(Some(first)) => format!("<ol start=\"{first}\">\n"),
        Tag::Item => "<li>".to_owned(),
        Tag::Emphasis => "<em>".to_owned(),
        Tag::Strong => "<strong>".to_owned(),
        Tag::Strikethrough => "<del>".to_owned(),
        Tag::Table(_) => "<table>\n".to_owned(),
        Tag::TableHead | Tag::TableRow => "<tr>".to_owned(),
        Tag::TableCell => if head { "<th>" } else { "<td>" }.to_owned(),
        _ => String::new(),
    }
}

fn closing(tag: TagEnd, head: bool) -> String {
    match tag {
        TagEnd::Paragraph => "</p>\n".to_owned(),
        TagEnd::Heading(level) => format!("</{}>\n", heading(level)),
        TagEnd::BlockQuote(_) => "</blockquote>\n".to_owned(),
        TagEnd::CodeBlock => "</pre>\n".to_owned(),
        TagEnd::List(ordered) => if ordered { "</ol>\n" } else { "</ul>\n" }.to_owned(),
        TagEnd::Item => "</li>\n".to_owned(),
        TagEnd::Emphasis => "</em>".to_owned(),
        TagEnd::Strong => "</strong>".to_owned(),
        TagEnd::Strikethrough => "</del>".to_owned(),
        TagEnd::Table => "</table>\n".to_owned(),
        TagEnd::TableHead | TagEnd::TableRow => "</tr>\n".to_owned(),
        TagEnd::TableCell => if head { "</th>" } else { "</td>" }.to_owned(),
        _ => String::new(),
    }
}

fn heading(level: HeadingLevel) -> &'static str {
    match level {
        HeadingLevel::H1 => "h1",
        HeadingLevel::H2 => "h2",
        HeadingLevel::H3 => "h3",
        _ => "h4",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_becomes_html() {
        let tex = |markdown: &str| html(markdown, Formulas::Tex);
        assert_eq!(tex("A *game* & `a<b`, $n<2$"), "<p>A <em>game</em> &amp; <code>a&lt;b</code>, $n&lt;2$</p>\n");
        assert_eq!(tex("* one\n* two"), "<ul>\n<li>one</li>\n<li>two</li>\n</ul>\n");
        let table = "<table>\n<tr><th>a</th><th>b</th></tr>\n<tr><td>1</td><td>2</td></tr>\n</table>\n";
        assert_eq!(tex("a | b\n--|--\n1 | 2"), table);
        assert_eq!(tex("```\na < b\n```"), "<pre>a &lt; b\n</pre>\n");
        assert_eq!(html("$1 \\le n$", Formulas::Plain), "<p><i>1 ≤ n</i></p>\n");
    }
}
