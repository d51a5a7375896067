//! Statements as HTML: Markdown with formulas in MathML.
//!
//! A statement may be a stranger's. HTML in it is removed, and only links to web pages and to places in the statement
//! itself are kept.

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag};

/// Converts Markdown to HTML that contains no script.
pub(super) fn statement_html(markdown: &str) -> String {
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_MATH | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_FOOTNOTES;
    let events = Parser::new_ext(markdown, options).filter_map(|event| match event {
        Event::InlineMath(tex) => Some(Event::InlineHtml(CowStr::from(mathml(&tex, false)))),
        Event::DisplayMath(tex) => Some(Event::InlineHtml(CowStr::from(mathml(&tex, true)))),
        Event::Html(_) | Event::InlineHtml(_) => None,
        Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
            let dest_url = if is_safe_link(&dest_url) { dest_url } else { CowStr::from("#") };
            Some(Event::Start(Tag::Link { link_type, dest_url, title, id }))
        }
        Event::Start(Tag::Image { link_type, dest_url, title, id }) => {
            let dest_url = if is_safe_image(&dest_url) { dest_url } else { CowStr::from("data:,") };
            Some(Event::Start(Tag::Image { link_type, dest_url, title, id }))
        }
        event => Some(event),
    });
    let mut out = String::new();
    pulldown_cmark::html::push_html(&mut out, events);
    out
}

fn is_safe_link(address: &str) -> bool {
    let lower = address.trim().to_ascii_lowercase();
    ["https://", "http://", "mailto:", "#"].iter().any(|start| lower.starts_with(start))
}

/// Whether an image is data of a picture. Others would be loaded from a place that the statement names, which the content
/// security policy forbids.
fn is_safe_image(address: &str) -> bool {
    ["data:image/png;", "data:image/jpeg;", "data:image/gif;"].iter().any(|start| address.starts_with(start))
}

/// A formula as MathML; its TeX as code if it can't be converted.
fn mathml(tex: &str, is_block: bool) -> String {
    let storage = pulldown_latex::Storage::new();
    let events: Result<Vec<_>, _> = pulldown_latex::Parser::new(tex, &storage).collect();
    let as_code = || format!("<code>{}</code>", escaped(tex));
    let Ok(events) = events else { return as_code() };
    let display =
        if is_block { pulldown_latex::config::DisplayMode::Block } else { pulldown_latex::config::DisplayMode::Inline };
    let config =
        pulldown_latex::RenderConfig { display_mode: display, annotation: None, xml: true, ..Default::default() };
    let mut out = String::new();
    let events = events.into_iter().map(Ok::<_, pulldown_latex::ParserError>);
    match pulldown_latex::push_mathml(&mut out, events, config) {
        Ok(()) => without_styles(&out),
        Err(_) => as_code(),
    }
}

/// Removes the `style` attributes, which the content security policy blocks. Only tags contain a raw `<`, and the values of
/// their attributes are the converter's own.
fn without_styles(mathml: &str) -> String {
    let mut tags = mathml.split('<');
    let mut out = tags.next().unwrap_or("").to_owned();
    for tag in tags {
        let (tag, text) = tag.split_once('>').unwrap_or((tag, ""));
        let (start, rest) = tag.split_once(" style=\"").unwrap_or((tag, "\""));
        let rest = rest.split_once('"').map_or("", |(_, rest)| rest);
        out.extend(["<", start, rest, ">", text]);
    }
    out
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_become_mathml() {
        let html = statement_html(
            "Given $1 \\le n \\le 10^{18}$ and $a_1, \\ldots, a_n$.\n\n$$\\sum_{i=1}^n \\frac{a_i}{2}$$",
        );
        assert!(html.contains("<math") && html.contains("<mfrac>") && html.contains("display=\"block\""), "{html}");
        assert!(!html.contains('$') && !html.contains("\\le"), "{html}");
    }

    #[test]
    fn formulas_have_no_styles() {
        let html = statement_html("$\\color{red} x \\quad \\text{ style=\"a\" b}$");
        assert!(html.contains("<math") && !html.contains("style=\"color") && !html.contains("style=\"w"), "{html}");
        assert_eq!(without_styles("<mi style=\"color: red\" a=\"1\">x</mi>"), "<mi a=\"1\">x</mi>");
        assert_eq!(without_styles("<mtext> style=\"a</mtext><br/>"), "<mtext> style=\"a</mtext><br/>");
    }

    #[test]
    fn a_formula_that_cannot_be_converted_is_shown_as_code() {
        assert_eq!(statement_html("$\\nosuchcommand<b>$"), "<p><code>\\nosuchcommand&lt;b&gt;</code></p>\n");
    }

    #[test]
    fn a_statement_contains_no_script() {
        let attempts = [
            "<script>alert(1)</script>",
            "<img src=x onerror=alert(1)>",
            "[a](javascript:alert(1))",
            "[a]( JaVaScRiPt:alert(1))",
            "[a](data:text/html,<script>alert(1)</script>)",
            "![a](javascript:alert(1))",
            "![a](data:image/svg+xml,<svg onload=alert(1)>)",
            "![a](https://example.com/x.png)",
            "$\\text{<img src=x onerror=alert(1)>}$",
            "$\\href{javascript:alert(1)}{x}$",
            "`<script>`",
            "a <svg/onload=alert(1)> b",
            "<details open ontoggle=alert(1)>",
            "[a]: javascript:alert(1)\n\n[a]",
            "<javascript:alert(1)>",
        ];
        for attempt in attempts {
            let html = statement_html(attempt).to_ascii_lowercase();
            for bad in [
                "<script",
                "<img src=\"http",
                "<img src=x",
                "<svg",
                "<details",
                "href=\"javascript",
                "href=\"data",
                "src=\"javascript",
            ] {
                assert!(!html.contains(bad), "{attempt}: {html}");
            }
        }
    }

    #[test]
    fn a_title_of_a_link_cannot_leave_its_attribute() {
        let html = statement_html("[a](https://example.com \"x\\\" onmouseover=alert(1) y=\")");
        assert!(!html.contains("\" onmouseover"), "{html}");
    }
}
