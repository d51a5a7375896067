//! Layout and components that the pages share.

use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use maud::{DOCTYPE, Markup, html};

use crate::model::Verdict;

use super::super::actor::Actor;
use super::super::assets::{asset_path, with_imports};
use super::super::error::ErrorText;
use super::super::guard::Visit;
use super::super::state::WebState;

/// Section of the navigation to which a page belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Section {
    Problems,
    Games,
    Classes,
    Submissions,
    Assignments,
    People,
    Cluster,
    None,
}

/// Icon of the site as a data URL. [`mark`] draws the same icon.
const ICON: &str = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cg fill='%233b6fd4'%3E\
                    %3Ccircle cx='5' cy='12.5' r='2.5'/%3E%3Ccircle cx='11' cy='12.5' r='2.5'/%3E%3Ccircle cx='11' cy='7.5' r='2.5'/%3E\
                    %3Ccircle cx='11' cy='2.5' r='2.5'/%3E%3C/g%3E%3C/svg%3E";

/// Renders the icon in the header, in the colors of the page.
fn mark() -> Markup {
    html! {
        svg viewBox="0 0 16 16" aria-hidden="true" {
            @for (x, y) in [("5", "12.5"), ("11", "12.5"), ("11", "7.5"), ("11", "2.5")] { circle cx=(x) cy=(y) r="2.5" {} }
        }
    }
}

/// Title, section, layout and content of a page.
pub(super) struct PageFrame<'a> {
    pub(super) title: &'a str,
    pub(super) section: Section,
    /// CSS classes of the main element, which determine its layout.
    pub(super) layout: &'a str,
    /// The scripts that `app.js` starts for this content.
    pub(super) scripts: &'a [&'static str],
    pub(super) content: Markup,
}

/// Renders a page.
pub(super) fn page(state: &WebState, visit: &Visit, frame: &PageFrame<'_>) -> Response {
    let link = |section: Section, path: &str, name: &str| {
        html! { a href=(path) aria-current=[(section == frame.section).then_some("page")] { (name) } }
    };
    let known = visit.actor.as_ref();
    let sees_classes = visit.actor.as_ref().is_some_and(|actor| actor.require_staff().is_ok());
    let level = state.service.isolation().level;
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="token" content=(visit.token);
                title { (frame.title) " · Nimatron" }
                link rel="icon" href=(ICON);
                link rel="stylesheet" href=(asset_path("style.css"));
                script type="module" nonce=(visit.nonce) src=(asset_path("app.js")) {}
                @for script in with_imports(&[&["app.js"], frame.scripts].concat()).iter().skip(1) {
                    link rel="modulepreload" nonce=(visit.nonce) href=(asset_path(script));
                }
            }
            body {
                a.skip-link href="#main" { "Skip to the content" }
                header.site-header {
                    a.brand href="/" { (mark()) span.name { "Nimatron" } }
                    nav aria-label="Main" {
                        (link(Section::Problems, "/", "Problems"))
                        (link(Section::Games, "/games", "Games"))
                        (link(Section::Submissions, "/submissions", "Submissions"))
                        @if sees_classes { (link(Section::Classes, "/classes", "Classes")) }
                        @if sees_classes && state.queue.is_remote() { (link(Section::Cluster, "/cluster", "Workers")) }
                        @if state.class.is_some() {
                            (link(Section::Assignments, "/assignments", "Assignments"))
                            @if known.is_some_and(Actor::sees_all) { (link(Section::People, "/people", "People")) }
                        }
                    }
                    @if let (Some(actor), true) = (known, state.class.is_some()) {
                        div.aside { a href="/me" { (actor.name()) } }
                    }
                }
                main #main class=(frame.layout) { (frame.content) }
                footer.site-footer {
                    "Programs run in a sandbox with isolation level " (level.to_string()) " · Nimatron " (env!("CARGO_PKG_VERSION"))
                }
            }
        }
    };
    Html(markup.into_string()).into_response()
}

/// Renders the page of an error.
pub(in crate::web) fn error_page(state: &WebState, visit: &Visit, status: StatusCode, error: &ErrorText) -> Response {
    let content = html! {
        div.empty {
            h1 { (capitalized(&error.message)) }
            @if let Some(help) = &error.help { p { (capitalized(help)) "." } }
            p { a.button href="/" { "All problems" } }
        }
    };
    let title = format!("{} {}", status.as_u16(), status.canonical_reason().unwrap_or("Error"));
    page(
        state,
        visit,
        &PageFrame { title: &title, section: Section::None, layout: "page narrow", scripts: &[], content },
    )
}

/// Renders a verdict as a badge.
pub(super) fn verdict_badge(verdict: Verdict) -> Markup {
    html! { span.verdict data-verdict=(verdict.short()) title=(verdict.long()) { (verdict.short()) } }
}

/// Renders the state of a submission without a verdict as a badge.
pub(super) fn state_badge(state: &str) -> Markup {
    html! { span.verdict data-verdict=(state) { (state) } }
}

/// Renders a time in milliseconds since the Unix epoch. `app.js` converts it to the browser's time zone.
pub(super) fn timestamp(millis: i64) -> Markup {
    let text = crate::grade::time::show(millis.div_euclid(1_000));
    html! { time datetime=(text) { (text) } }
}

/// Formats a limit with a no-break space before its unit, such as `512 MiB` for `512MiB`.
pub(super) fn limit(value: impl std::fmt::Display) -> String {
    let text = value.to_string();
    let unit = text.find(char::is_alphabetic).unwrap_or(text.len());
    format!("{}\u{a0}{}", &text[..unit], &text[unit..])
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// Percent-encodes a value for a query string.
pub(in crate::web) fn encoded(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => out.push(char::from(byte)),
            _ => out += &format!("%{byte:02X}"),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ByteSize, TimeSpan};

    #[test]
    fn limits_have_a_space_before_the_unit() {
        assert_eq!(limit(TimeSpan::seconds(2)), "2\u{a0}s");
        assert_eq!(limit(ByteSize::new(512 << 20)), "512\u{a0}MiB");
    }
}
