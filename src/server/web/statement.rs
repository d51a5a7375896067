//! Converts statements from Markdown to HTML, with formulas as MathML.
//!
//! Statements are untrusted. HTML in them is removed, and only links to web pages, mail addresses and anchors are kept.

use std::collections::HashMap;
use std::sync::LazyLock;

use maud::html;
use pulldown_cmark::{CowStr, Event, Options, Parser, Tag};
use regex::Regex;

/// Maximum length of a formula that is converted, in bytes. The converter is recursive.
const LONGEST_FORMULA: usize = 2_000;
/// Substrings of commands that define macros. A formula that contains such a command is not converted, since the
/// expansion of a macro can have any length.
const DEFINITIONS: [&str; 8] =
    ["\\def", "\\gdef", "\\edef", "\\xdef", "\\let", "\\futurelet", "command", "environment"];

/// Matches a MathML tag. The capture groups are the opening bracket with the name, the attributes, and the closing
/// bracket.
#[expect(clippy::unwrap_used, reason = "the regular expression is valid")]
static TAG: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#"^(</?(?:m[a-z]+|semantics|annotation))((?: [a-z]+="[^"<>&]*")*)( ?/?>)"#).unwrap());
/// Matches an allowed attribute of a MathML tag, with the space before it.
#[expect(clippy::unwrap_used, reason = "the regular expression is valid")]
static ATTRIBUTE: LazyLock<Regex> = LazyLock::new(|| {
    let names = "accent|accentunder|align|columnalign|columnlines|columnspacing|depth|display|displaystyle|encoding|fence|\
                 form|frame|height|largeop|linethickness|lspace|mathvariant|maxsize|minsize|movablelimits|notation|rowalign|\
                 rowlines|rowspacing|rspace|scriptlevel|separator|stretchy|symmetric|voffset|width|xmlns";
    Regex::new(&format!(r#" (?:{names})="[^"<>&]*""#)).unwrap()
});
/// Matches a character reference, such as `&amp;` or `&#8722;`.
#[expect(clippy::unwrap_used, reason = "the regular expression is valid")]
static REFERENCE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new("^&(?:amp|lt|gt|quot|#[0-9]{1,7}|#x[0-9a-fA-F]{1,6});").unwrap());

/// Converts a statement from Markdown to HTML without scripts.
pub(super) fn statement_html(markdown: &str) -> String {
    html_of(markdown, "statement")
}

/// Converts the note of a sample, as [`statement_html`] does. `place` is the number of the sample on its page.
pub(super) fn note_html(markdown: &str, place: usize) -> String {
    html_of(markdown, &format!("sample-{place}"))
}

/// Converts Markdown to HTML. The ids of footnotes begin with `scope`, so that they are unique on the page.
fn html_of(markdown: &str, scope: &str) -> String {
    let mut labels: HashMap<String, CowStr<'_>> = HashMap::new();
    let mut footnote = |label: &str| {
        let number = labels.len() + 1;
        labels.entry(label.to_owned()).or_insert_with(|| CowStr::from(format!("{scope}-footnote-{number}"))).clone()
    };
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
        Event::FootnoteReference(label) => Some(Event::FootnoteReference(footnote(&label))),
        Event::Start(Tag::FootnoteDefinition(label)) => Some(Event::Start(Tag::FootnoteDefinition(footnote(&label)))),
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

/// Returns whether an address is a `data:` URL of a PNG, JPEG or GIF image. The content security policy blocks images
/// from other servers.
fn is_safe_image(address: &str) -> bool {
    ["data:image/png;", "data:image/jpeg;", "data:image/gif;"].iter().any(|start| address.starts_with(start))
}

/// Converts a formula to MathML. Returns a `code` element with its TeX source if the formula cannot be converted.
fn mathml(tex: &str, is_block: bool) -> String {
    let as_code = || html! { code { (tex) } }.into_string();
    if tex.len() > LONGEST_FORMULA || DEFINITIONS.iter().any(|word| tex.contains(word)) {
        return as_code();
    }
    let storage = pulldown_latex::Storage::new();
    let events: Result<Vec<_>, _> = pulldown_latex::Parser::new(tex, &storage).collect();
    let Ok(events) = events else { return as_code() };
    let display =
        if is_block { pulldown_latex::config::DisplayMode::Block } else { pulldown_latex::config::DisplayMode::Inline };
    let config =
        pulldown_latex::RenderConfig { display_mode: display, annotation: None, xml: true, ..Default::default() };
    let mut out = String::new();
    let events = events.into_iter().map(Ok::<_, pulldown_latex::ParserError>);
    match pulldown_latex::push_mathml(&mut out, events, config) {
        Ok(()) => sanitized(&out),
        Err(_) => as_code(),
    }
}

/// Keeps MathML tags and character references, and escapes every other `<` and `&`, because the converter does not
/// escape the names of functions and some operators. Attributes that are not allowed are removed, such as `style`,
/// which the content security policy blocks.
fn sanitized(mathml: &str) -> String {
    let mut out = String::new();
    let mut rest = mathml;
    while let Some(at) = rest.find(['<', '&']) {
        out += &rest[..at];
        rest = &rest[at..];
        if let Some(tag) = TAG.captures(rest) {
            out += &tag[1];
            for attribute in ATTRIBUTE.find_iter(&tag[2]) {
                out += attribute.as_str();
            }
            out += &tag[3];
            rest = &rest[tag[0].len()..];
        } else if let Some(reference) = REFERENCE.find(rest) {
            out += reference.as_str();
            rest = &rest[reference.len()..];
        } else {
            out += if rest.starts_with('<') { "&lt;" } else { "&amp;" };
            rest = &rest[1..];
        }
    }
    out + rest
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
        let mathml = "<mi style=\"color: red\" mathvariant=\"bold\" onclick=\"x()\">x</mi><mspace width=\"1em\" />";
        assert_eq!(sanitized(mathml), "<mi mathvariant=\"bold\">x</mi><mspace width=\"1em\" />");
        assert_eq!(sanitized("<mo><</mo><mo>&</mo><mo>&amp;</mo>"), "<mo>&lt;</mo><mo>&amp;</mo><mo>&amp;</mo>");
        assert_eq!(sanitized("<mi><img src=x></mi><mi href=\"y\">"), "<mi>&lt;img src=x></mi><mi>");
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
    fn a_formula_cannot_add_elements() {
        for tex in [
            "\\operatorname{<img src=x onerror=alert(1)>}",
            "\\operatorname{<b>}",
            "\\mathop{<meta http-equiv=refresh>}",
        ] {
            let html = statement_html(&format!("${tex}$"));
            assert!(!html.contains("<img") && !html.contains("<b>") && !html.contains("<meta"), "{html}");
        }
        assert!(statement_html("$a<b$").contains("&lt;"));
    }

    #[test]
    fn a_formula_cannot_exhaust_the_stack() {
        for tex in [
            "\\def\\a{}".repeat(30_000),
            "{".repeat(900) + &"}".repeat(900),
            "\\sqrt{".repeat(280) + &"}".repeat(280),
            "x^{".repeat(480) + &"}".repeat(480),
        ] {
            assert!(!statement_html(&format!("${tex}$")).is_empty());
        }
    }

    #[test]
    fn footnotes_have_ids_of_their_own() {
        let text = "a[^main] b[^2] c[^main]\n\n[^main]: one\n[^2]: two\n";
        let html = statement_html(text);
        assert!(!html.contains("id=\"main\"") && !html.contains("#main"), "{html}");
        for wanted in ["id=\"statement-footnote-1\"", "href=\"#statement-footnote-1\"", "id=\"statement-footnote-2\""] {
            assert!(html.contains(wanted), "{wanted} in {html}");
        }
        assert!(note_html(text, 2).contains("id=\"sample-2-footnote-1\""));
    }

    #[test]
    fn a_title_of_a_link_cannot_leave_its_attribute() {
        let html = statement_html("[a](https://example.com \"x\\\" onmouseover=alert(1) y=\")");
        assert!(!html.contains("\" onmouseover"), "{html}");
    }
}
