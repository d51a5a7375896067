//! Converts Markdown to HTML.

use pulldown_cmark::{CowStr, Event, Parser};

use super::statement::options;

/// The notation of formulas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FormulaStyle {
    /// TeX between dollar signs, for a page with a formula renderer.
    Tex,
    /// Plain text, for a stand-alone page.
    Plain,
}

/// Converts Markdown to HTML. HTML in the Markdown is removed.
pub(super) fn html(markdown: &str, formulas: FormulaStyle) -> String {
    let as_it_is = |text: String| Some(Event::InlineHtml(CowStr::from(text)));
    let events = Parser::new_ext(markdown, options()).filter_map(|event| match event {
        Event::InlineMath(tex) | Event::DisplayMath(tex) if formulas == FormulaStyle::Plain => {
            as_it_is(format!("<i>{}</i>", escaped(&crate::report::markdown::formula(&tex))))
        }
        Event::InlineMath(tex) => as_it_is(format!("${}$", escaped(&tex))),
        Event::DisplayMath(tex) => as_it_is(format!("$${}$$", escaped(&tex))),
        Event::Html(_) | Event::InlineHtml(_) => None,
        event => Some(event),
    });
    let mut out = String::new();
    pulldown_cmark::html::push_html(&mut out, events);
    out
}

/// Escapes the characters that have a special meaning in HTML and XML.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_becomes_html() {
        let tex = |markdown: &str| html(markdown, FormulaStyle::Tex);
        assert_eq!(tex("A *game* & `a<b`, $n<2$"), "<p>A <em>game</em> &amp; <code>a&lt;b</code>, $n&lt;2$</p>\n");
        assert_eq!(tex("* one\n* two"), "<ul>\n<li>one</li>\n<li>two</li>\n</ul>\n");
        let table = "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody>\n<tr><td>1</td><td>2</td></tr>\n</tbody></table>\n";
        assert_eq!(tex("a | b\n--|--\n1 | 2"), table);
        assert_eq!(tex("```\na < b\n```"), "<pre><code>a &lt; b\n</code></pre>\n");
        assert_eq!(tex("<b>no</b> tags"), "<p>no tags</p>\n");
        assert_eq!(html("$1 \\le n$", FormulaStyle::Plain), "<p><i>1 ≤ n</i></p>\n");
    }
}
