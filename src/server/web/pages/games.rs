//! Page with the list of games.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use maud::html;

use crate::games::Position;
use crate::play::describe_rules;

use super::super::actor::Actor;
use super::super::api::games::{problem_with_game, sample_game};
use super::super::error::WebResult;
use super::super::guard::Visit;
use super::super::state::{WebState, blocking};
use super::layout::{PageFrame, Section, page as frame};

/// Handles `GET /games`.
pub(in crate::web) async fn page(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Extension(visit): Extension<Visit>,
) -> WebResult {
    blocking(move || {
        let listing = state.listing(&actor)?;
        let mut rows = Vec::new();
        for entry in listing.entries().filter(|entry| entry.playable) {
            let problem = problem_with_game(&state, &actor, entry.id.as_str())?;
            // Without samples, the parameters of the rules have no values.
            if let Ok(game) = sample_game(&problem) {
                rows.push((entry, kind_name(&game.start), describe_rules(&game.rules, &game.start)));
            }
        }
        let content = html! {
            div.page-title {
                h1 { "Games" }
                span.muted { (rows.len()) @if rows.len() == 1 { " game" } @else { " games" } " against the perfect player or a beginner" }
                div.actions { a.button href="/games/octal" { "Octal games" } }
            }
            @if rows.is_empty() {
                div.empty { h2 { "No games" } p { "None of the problems that you can see has a playable game." } }
            } @else {
                label.visually-hidden for="search" { "Search" }
                div.row.filter { input #search type="search" placeholder="Search games" data-filter="#games"; }
                div.table-scroll {
                    table.table #games {
                        thead { tr { th scope="col" { "Game" } th scope="col" { "Played on" } th.wide-only scope="col" { "Rules" } th scope="col" { "Theory" } } }
                        tbody {
                            @for (entry, kind, rules) in &rows {
                                tr {
                                    th scope="row" { a href=(format!("/games/{}", entry.id)) { (entry.name) } }
                                    td { (kind) }
                                    td.muted.wide-only { (rules) }
                                    td { a href=(format!("/games/{}/theory", entry.id)) { "Theory" span.visually-hidden { " of " (entry.name) } } }
                                }
                            }
                        }
                    }
                }
            }
        };
        let page = PageFrame { title: "Games", section: Section::Games, layout: "page", scripts: &[], content };
        Ok(frame(&state, &visit, &page))
    })
    .await
}

fn kind_name(position: &Position) -> &'static str {
    match position {
        Position::Heaps(_) => "heaps",
        Position::Row(_) => "staircase",
        Position::Cells(_) => "board",
        Position::Graph { .. } => "graph",
        Position::Tokens(_) => "graph with tokens",
        Position::Counter(_) => "counter",
        Position::Stacks { .. } => "stacks",
    }
}
