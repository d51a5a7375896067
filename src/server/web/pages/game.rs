//! Page of a match. `game.js` draws the board and sends the moves.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use maud::{Markup, html};

use crate::games::Position;
use crate::play::describe_rules;

use super::super::actor::Actor;
use super::super::api::games::{problem_with_game, sample_game};
use super::super::error::WebResult;
use super::super::extract::Path;
use super::super::guard::Visit;
use super::super::state::{WebState, blocking};
use super::layout::{PageFrame, Section, page as frame};

/// Handles `GET /games/{id}`.
pub(in crate::web) async fn page(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Extension(visit): Extension<Visit>,
    Path(id): Path<String>,
) -> WebResult {
    blocking(move || {
        let problem = problem_with_game(&state, &actor, &id)?;
        let game = sample_game(&problem)?;
        let closed_by = state.closed_by(&actor, problem.id.as_str())?;
        let content = html! {
            div.page-title {
                h1 { (problem.name) }
                nav.row.actions aria-label="About this game" {
                    @if closed_by.is_none() { a href=(format!("/games/{id}/theory")) { "Theory" } }
                    a href=(format!("/problems/{id}")) { "Problem" }
                }
            }
            @if let Some(name) = &closed_by {
                p.notice { "Hints and theory are unavailable while the assignment “" (name) "” is open." }
            }
            p.lead data-rules { (describe_rules(&game.rules, &game.start)) }
            div.game data-game=(id) data-candies[counts_objects(&game.rules)] {
                noscript { p.notice { "This page requires JavaScript. In a terminal, use " code { "nimatron play " (id) } " instead." } }
                section.game-main.stack aria-label="Board" {
                    div.game-turn { p data-turn { "Loading the match." } div.game-taken data-taken {} }
                    div.board data-board {}
                    p.visually-hidden data-description aria-live="polite" {}
                    div.row {
                        button.button.primary type="button" data-play disabled { "Choose a move" }
                        button.button type="button" data-clear disabled { "Clear" }
                        button.button.push type="button" data-hint hidden[closed_by.is_some()] { "Hint" }
                        button.button type="button" data-undo { "Undo" }
                    }
                    div.game-end data-end hidden {}
                    div.game-hint.panel data-hint-text hidden {}
                    details.game-moves data-moves-part {
                        summary { "Legal moves" span.muted data-moves-count {} }
                        div.row data-moves {}
                    }
                    form.row data-typed {
                        label for="typed-move" { "Or type a move" }
                        input #typed-move type="text" autocomplete="off" spellcheck="false" aria-describedby="move-syntax";
                        button.button type="submit" { "Play" }
                        span.muted #move-syntax data-syntax {}
                    }
                }
                aside.stack aria-label="Match" {
                    (new_match(&game.start))
                    section.panel {
                        h2 { "Moves" }
                        ol.game-history data-history tabindex="0" aria-label="Moves so far" {}
                        p.muted data-no-history { "No moves yet." }
                    }
                }
            }
        };
        let page = PageFrame { title: &problem.name, section: Section::Games, layout: "page", scripts: &["game.js"], content };
        Ok(frame(&state, &visit, &page))
    })
    .await
}

fn counts_objects(rules: &crate::games::BoundRules) -> bool {
    rules.payoff == crate::games::Payoff::WinThenTaken
}

/// Renders the form with the settings of a new match.
fn new_match(start: &Position) -> Markup {
    let example = match start {
        Position::Heaps(_) => Some("3 5 6"),
        Position::Row(_) => Some("2 1 4"),
        Position::Stacks { .. } => Some("0 0 0 + 4"),
        Position::Cells(_) => Some("##.##"),
        Position::Tokens(_) => Some("1 3"),
        Position::Counter(_) => Some("0"),
        Position::Graph { .. } => None,
    };
    html! {
        form.panel.stack data-new {
            h2 { "New match" }
            div.field {
                label for="level" { "Against" }
                select #level { option value="perfect" { "the perfect player" } option value="beginner" { "a beginner" } }
            }
            div.field {
                label for="first" { "First move" }
                select #first { option value="you" { "you" } option value="nimatron" { "Nimatron" } }
            }
            @if let Some(example) = example {
                div.field {
                    label for="position" { "Start position" }
                    input #position type="text" autocomplete="off" spellcheck="false" aria-describedby="position-hint";
                    span.hint #position-hint { "such as " code { (example) } "; leave empty for a random position" }
                }
            }
            div { button.button type="submit" { "New match" } }
        }
    }
}
