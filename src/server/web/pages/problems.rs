//! Page with the list of problems.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use maud::{Markup, html};
use serde::Deserialize;

use crate::service::ProblemEntry;
use crate::submissions::ProblemStanding;

use super::super::actor::Actor;
use super::super::api::problems::standings;
use super::super::error::WebResult;
use super::super::extract::Query;
use super::super::guard::Visit;
use super::super::state::{WebState, blocking};
use super::layout::{PageFrame, Section, encoded, limit, page as frame, verdict_badge};

/// Query parameters of the list.
#[derive(Debug, Deserialize)]
pub(in crate::web) struct SearchQuery {
    /// Words that the title, id, source or keywords must contain.
    q: Option<String>,
    /// Keyword that the problems must have.
    tag: Option<String>,
}

/// Handles `GET /`.
pub(in crate::web) async fn page(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Extension(visit): Extension<Visit>,
    Query(query): Query<SearchQuery>,
) -> WebResult {
    blocking(move || {
        let listing = state.listing(&actor)?;
        let standings = standings(&state, &actor)?;
        let search = query.q.unwrap_or_default();
        let rows: Vec<_> = listing
            .entries()
            .filter(|entry| has_words(entry, &search) && query.tag.as_ref().is_none_or(|tag| entry.keywords.contains(tag)))
            .map(|entry| row(entry, standings.get(&entry.id)))
            .collect();
        let solved = standings.values().filter(|standing| standing.solved).count();
        let count = listing.entries().count();
        let content = html! {
            div.page-title {
                h1 { "Problems" }
                span.muted { (solved) " of " (count) " solved" }
            }
            form.row role="search" method="get" action="/" {
                label.visually-hidden for="search" { "Search" }
                input #search type="search" name="q" value=(search) placeholder="Search titles and keywords" data-filter="#problems";
                @if let Some(tag) = &query.tag {
                    input type="hidden" name="tag" value=(tag);
                    a.chip href="/" { (tag) " ×" span.visually-hidden { " (remove)" } }
                }
                button.button type="submit" { "Search" }
            }
            @if rows.is_empty() {
                div.empty { h2 { "No matching problems" } p { a href="/" { "Show all problems" } } }
            } @else {
                div.table-scroll {
                    table.table #problems {
                        thead { tr {
                            th scope="col" { "Problem" } th scope="col" { "Verdict" } th.wide-only scope="col" { "Keywords" }
                            th.number scope="col" { "Time" } th.number scope="col" { "Memory" }
                        } }
                        tbody { @for row in &rows { (row) } }
                    }
                }
            }
            @for error in listing.errors.iter().filter(|_| actor.sees_all()) {
                p.notice.warn {
                    @if let Some(file) = &error.origin { "A problem cannot be listed because of an error in " code { (file) } ": " }
                    @else { "A problem cannot be listed: " }
                    (error.message)
                }
            }
        };
        Ok(frame(&state, &visit, &PageFrame { title: "Problems", section: Section::Problems, layout: "page stack", scripts: &[], content }))
    })
    .await
}

fn has_words(entry: &ProblemEntry, search: &str) -> bool {
    let texts = [entry.id.as_str(), &entry.name, entry.source.as_deref().unwrap_or("")];
    let texts: Vec<String> =
        texts.into_iter().chain(entry.keywords.iter().map(String::as_str)).map(str::to_lowercase).collect();
    search.to_lowercase().split_whitespace().all(|word| texts.iter().any(|text| text.contains(word)))
}

fn row(entry: &ProblemEntry, standing: Option<&ProblemStanding>) -> Markup {
    let verdict = standing.and_then(|standing| standing.last_verdict);
    html! {
        tr {
            th scope="row" {
                a href=(format!("/problems/{}", entry.id)) { (entry.name) }
                @if standing.is_some_and(|standing| standing.solved) { " " span title="solved" { "✓" span.visually-hidden { " solved" } } }
            }
            td { @if let Some(verdict) = verdict { (verdict_badge(verdict)) } }
            td.wide-only { @for word in &entry.keywords { a.chip href=(format!("/?tag={}", encoded(word))) { (word) } " " } }
            td.number { @match entry.time { Some(time) => (limit(time)), None => span.faint { "derived" } } }
            td.number { (limit(entry.memory)) }
        }
    }
}
