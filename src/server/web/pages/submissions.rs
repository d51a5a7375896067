//! Page with the list of submissions.

use std::collections::HashMap;
use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use maud::{Markup, html};

use crate::submissions::StoredSubmission;

use super::super::actor::Actor;
use super::super::api::runs::{ListQuery, runs_of};
use super::super::error::WebResult;
use super::super::extract::Query;
use super::super::guard::Visit;
use super::super::state::{WebState, blocking};
use super::layout::{PageFrame, Section, encoded, page as frame, state_badge, timestamp, verdict_badge};

/// Number of submissions on a page.
const PAGE: u32 = 100;

/// Handles `GET /submissions`.
pub(in crate::web) async fn page(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Extension(visit): Extension<Visit>,
    Query(query): Query<ListQuery>,
) -> WebResult {
    blocking(move || {
        let runs = runs_of(&state, &actor, &ListQuery { limit: Some(PAGE), ..query.clone() })?;
        let listing = state.listing(&actor)?;
        let names: HashMap<&str, &str> = listing.entries().map(|entry| (entry.id.as_str(), entry.name.as_str())).collect();
        let people = people_of(&state, &actor, &query)?;
        let next = runs.last().filter(|_| runs.len() == PAGE as usize).map(|last| {
            let given = [("problem", &query.problem), ("person", &query.person)];
            let given = given.iter().filter_map(|(name, value)| Some(format!("&{name}={}", encoded(value.as_ref()?))));
            format!("/submissions?before={}{}", last.id, given.collect::<String>())
        });
        let content = html! {
            div.page-title {
                h1 { "Submissions" }
                @if let Some(name) = people.as_ref().and_then(|people| people.get(query.person.as_deref()?)) { span.muted { "of " (name) } }
                @if people.is_some() { div.actions { a.button href="/submissions" { "My submissions" } } }
                @else if actor.sees_all() && state.class.is_some() { div.actions { a.button href="/submissions?person=all" { "All submissions" } } }
            }
            @if runs.is_empty() {
                div.empty { h2 { "Nothing submitted yet" } p { "Choose a " a href="/" { "problem" } ", write a program and submit it." } }
            } @else {
                div.table-scroll {
                    table.table {
                        thead { tr {
                            th scope="col" { "Submitted" } @if people.is_some() { th scope="col" { "Person" } } th scope="col" { "Verdict" } th scope="col" { "Problem" } th scope="col" { "Program" }
                            th scope="col" { "Language" } th scope="col" { "Tests" }
                        } }
                        tbody { @for run in &runs { (row(run, names.get(run.problem.as_str()).copied(), people.as_ref())) } }
                    }
                }
                @if let Some(next) = next { p { a.button href=(next) { "Earlier submissions" } } }
            }
        };
        let frame_of = PageFrame { title: "Submissions", section: Section::Submissions, layout: "page", scripts: &[], content };
        Ok(frame(&state, &visit, &frame_of))
    })
    .await
}

/// Returns the names of all people by id. Returns `None` if the query does not name a person, if the actor cannot see
/// the work of others, or if the server has no accounts.
fn people_of(state: &WebState, actor: &Actor, query: &ListQuery) -> WebResult<Option<HashMap<String, String>>> {
    match &state.class {
        Some(class) if actor.sees_all() && query.person.is_some() => {
            let accounts = class.people.accounts()?.into_iter();
            Ok(Some(accounts.map(|account| (account.id, account.name)).collect()))
        }
        _ => Ok(None),
    }
}

fn row(run: &StoredSubmission, problem: Option<&str>, people: Option<&HashMap<String, String>>) -> Markup {
    html! {
        tr {
            th scope="row" { a href=(format!("/submissions/{}", run.id)) { (timestamp(run.created)) } }
            @if let Some(people) = people {
                td { a href=(format!("/submissions?person={}", run.person)) { (people.get(&run.person).map_or("the owner", String::as_str)) } }
            }
            td { (result(run)) }
            td { a href=(format!("/problems/{}", run.problem)) { (problem.unwrap_or(run.problem.as_str())) } }
            td { (run.name) }
            td { (run.language.as_deref().unwrap_or("")) }
            td { (run.kind.name()) }
        }
    }
}

/// Renders the verdict of a submission, or its state if it has none.
pub(super) fn result(run: &StoredSubmission) -> Markup {
    match run.verdict {
        Some(verdict) => verdict_badge(verdict),
        None if run.error.is_some() => state_badge("JE"),
        None => state_badge(run.state.name()),
    }
}
