//! Page of a submission: its program, and its result, which is updated while the program is judged.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use maud::html;

use super::super::actor::Actor;
use super::super::api::runs::find;
use super::super::error::WebResult;
use super::super::extract::Path;
use super::super::guard::Visit;
use super::super::state::{WebState, blocking};
use super::layout::{PageFrame, Section, page as frame, timestamp};
use super::submissions::result;

/// Handles `GET /submissions/{id}`.
pub(in crate::web) async fn page(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Extension(visit): Extension<Visit>,
    Path(id): Path<String>,
) -> WebResult {
    blocking(move || {
        let run = find(&state, &actor, &id)?;
        let source = state.queue.source(&run.id)?.unwrap_or_default();
        let listing = state.listing(&actor)?;
        let entry = listing.entry(run.problem.as_str());
        let name = entry.map_or_else(|| run.problem.to_string(), |entry| entry.name.clone());
        let title = format!("{name}: {}", run.name);
        let error = state.shown_error(&actor, &run)?;
        let content = html! {
            div.page-title {
                h1 { a href=(format!("/problems/{}", run.problem)) { (name) } }
                span.muted { (run.name) " · " (run.language.as_deref().unwrap_or("")) " · " (run.kind.name()) " · " (timestamp(run.created)) }
            }
            noscript { p { (result(&run)) } @if let Some(error) = &error { p.notice.bad { (error) } } }
            div.stack {
                div.run data-run=(run.id) data-kind=(run.kind.name()) data-cpu-ms=[entry.map(|entry| entry.most.as_micros() / 1_000)]
                    data-memory-bytes=[entry.map(|entry| entry.memory.get())] {}
                section.panel {
                    h2 { "Program" }
                    div.copyable { div.name { (run.name) } pre { code { (String::from_utf8_lossy(&source)) } } }
                }
            }
        };
        Ok(frame(&state, &visit, &PageFrame { title: &title, section: Section::Submissions, layout: "page", scripts: &["run_view.js"], content }))
    })
    .await
}
