//! Page with the theory of a game: rules, theorem, Grundy values, outcomes of the positions with two heaps, and the
//! value of a position.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use maud::{Markup, PreEscaped, html};
use serde::Deserialize;

use crate::games::grundy::HeapGame;
use crate::games::theory::{Theorem, nim_sum};
use crate::games::{BoundRules, Game, PerfectPlayer, Position, PositionGraph, Solver, losing_pairs};
use crate::play::{describe_rules, parse_position, trim_position};
use crate::report::{OutcomeGrid, PositionDiagram};
use crate::service::game_of;

use super::super::actor::Actor;
use super::super::api::games::{LONGEST_POSITION, problem_with_game};
use super::super::error::WebResult;
use super::super::extract::{Path, Query};
use super::super::guard::Visit;
use super::super::state::WebState;
use super::layout::{PageFrame, Section, page as frame};
use super::octal::values_part;

/// Largest heap in the plot of the outcomes of positions with two heaps.
const GRID: usize = 60;

/// Largest heap in the table of Grundy values.
const TABLE: usize = 100;

/// Maximum number of positions that one search for this page visits.
const BUDGET: usize = 30_000;

/// Maximum total size of the moves that one search for this page enumerates, in 64-bit words.
const WORK: u64 = BUDGET as u64 * 16;

/// Maximum number of positions in the diagram of all positions.
const POSITIONS: usize = 40;

/// Maximum number of moves that are listed with their outcomes.
const MOVES: usize = 60;

/// Query parameters of the page.
#[derive(Debug, Deserialize)]
pub(in crate::web) struct PositionQuery {
    position: Option<String>,
}

/// Handles `GET /games/{id}/theory`.
pub(in crate::web) async fn page(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Extension(visit): Extension<Visit>,
    Path(id): Path<String>,
    Query(query): Query<PositionQuery>,
) -> WebResult {
    let work = move |state: &WebState, actor: &Actor| {
        let problem = problem_with_game(state, actor, &id)?;
        state.require_theory(actor, problem.id.as_str())?;
        let found = game_of(&problem, None)?;
        let note = found.note();
        let game = found.game;
        let title = format!("Theory of {}", problem.name);
        let content = html! {
            div.page-title {
                h1 { (problem.name) ": theory" }
                nav.row.actions aria-label="About this game" {
                    a href=(format!("/games/{id}")) { "Play" }
                    a href=(format!("/problems/{id}")) { "Problem" }
                }
            }
            div.stack {
                section.prose { h2 { "Rules" } p { (describe_rules(&game.rules, &game.start)) }
                    @if !note.is_empty() { p.muted { "The numbers in the rules are taken from the problem's first sample." } } }
                section.prose { h2 { "Theorem" } (theorem(&game)) }
                section.stack { h2 { "The value of a position" } (position_part(&game, query.position.as_deref())) }
                (positions(&problem.name, &game, query.position.as_deref()))
                (values(&problem.name, &game))
                (pairs(&problem.name, &game))
            }
        };
        Ok(frame(
            state,
            &visit,
            &PageFrame { title: &title, section: Section::Games, layout: "page", scripts: &[], content },
        ))
    };
    state.computing(actor, work).await
}

fn theorem(game: &Game) -> Markup {
    html! {
        @match Theorem::about(game) {
            Some(theorem) => { p { (theorem.statement) } p.muted { "Source: " (theorem.source) "." } }
            None => p { "Nimatron has no criterion for this game, and evaluates a position by searching all positions that can be reached from that position." },
        }
    }
}

/// Renders the plot and the table of Grundy values if every move changes a single heap or row.
fn values(name: &str, game: &Game) -> Markup {
    match HeapGame::of_sum(&game.rules) {
        Ok(heaps) => html! { section.stack { h2 { "Grundy values" } (values_part(name, &heaps, TABLE)) } },
        Err(_) => Markup::default(),
    }
}

/// Renders the diagram of all positions reachable from the typed position, or of a smaller example.
fn positions(name: &str, game: &Game, typed: Option<&str>) -> Markup {
    let typed = typed.map(str::trim).filter(|text| !text.is_empty() && text.len() <= LONGEST_POSITION);
    let typed = typed.and_then(|text| parse_position(game, text).ok());
    let own = typed.as_ref().and_then(|position| PositionGraph::of(&game.rules, position, POSITIONS));
    let is_other = typed.is_some() && own.is_none();
    let example = || PositionGraph::example(&game.rules, typed.as_ref().unwrap_or(&game.start), POSITIONS);
    let Some(graph) = own.or_else(example) else { return Markup::default() };
    let root = graph.nodes.first().map(|node| node.position.to_string()).unwrap_or_default();
    html! {
        section.stack {
            h2 { "All positions reachable from " (root) }
            figure.panel.positions-figure {
                div.positions-scroll tabindex="0" role="region" aria-label="Positions and moves" {
                    (PreEscaped(PositionDiagram { name, graph: &graph }.page_svg()))
                }
                figcaption.muted {
                    @if is_other { "The diagram shows a smaller example because more than " (POSITIONS) " positions are reachable from the entered position, one of these positions has too many moves, or the game is too long. " }
                    span.key.lost {} " P-position: the player to move loses. " span.key.won.pill {} " N-position: the player to move wins, "
                    "by a move along a thick line. Each move leads downward."
                }
            }
        }
    }
}

/// Renders the plot of the outcomes of positions with two heaps, if the game has heaps and two players.
fn pairs(name: &str, game: &Game) -> Markup {
    if !matches!(game.start, Position::Heaps(_)) || game.rules.players != 2 {
        return Markup::default();
    }
    let losing = losing_pairs(&game.rules, GRID, BUDGET);
    html! {
        section.stack {
            h2 { "Two heaps" }
            figure.panel.outcomes-figure {
                (PreEscaped(OutcomeGrid { name, losing: &losing }.page_svg()))
                figcaption.muted {
                    "Both heaps from 0 to " (losing.len().saturating_sub(1)) ". " span.key.lost {} " P-position: the player to move loses. "
                    span.key.won {} " N-position: the player to move wins."
                }
            }
        }
    }
}

/// Renders the form for a position, and the evaluation of the submitted position or of the start position.
fn position_part(game: &Game, typed: Option<&str>) -> Markup {
    let typed = typed.map(str::trim).filter(|text| !text.is_empty());
    let chosen = match typed {
        Some(text) if text.len() > LONGEST_POSITION => {
            Err(format!("the position has {} bytes, but at most {LONGEST_POSITION} are allowed", text.len()))
        }
        Some(text) => parse_position(game, text),
        None => Ok(trim_position(&game.rules, game.start.clone())),
    };
    let graph = matches!(game.start, Position::Graph { .. });
    html! {
        @if !graph {
            form.row method="get" {
                label for="position" { "Position" }
                input #position.mono type="text" name="position" value=(typed.unwrap_or("")) maxlength="400" autocomplete="off" spellcheck="false"
                    placeholder=(game_placeholder(&game.start)) aria-invalid=[chosen.is_err().then_some("true")];
                button.button.primary type="submit" { "Evaluate" }
            }
        }
        @match chosen {
            Ok(position) => (evaluated(&game.rules, &position)),
            Err(why) => p.notice.bad role="alert" { (why) "." },
        }
    }
}

fn game_placeholder(start: &Position) -> &'static str {
    match start {
        Position::Stacks { .. } => "0 0 0 + 4",
        Position::Cells(_) => "1 2 3",
        Position::Tokens(_) => "1 3",
        Position::Counter(_) => "17",
        _ => "3 5 6",
    }
}

/// Renders the outcome of a position, the values of its parts, and its moves.
fn evaluated(rules: &BoundRules, position: &Position) -> Markup {
    let mut player = PerfectPlayer::new(rules.clone(), BUDGET).with_work(WORK);
    let wins = player.wins(position).ok();
    html! {
        p {
            "Position " code { (position.to_string()) } ": "
            @match wins {
                Some(true) if rules.players > 2 => strong { "the player to move comes first" },
                Some(false) if rules.players > 2 => strong { "the player to move does not come first" },
                Some(true) => strong { "N-position, the player to move wins" },
                Some(false) => strong { "P-position, the player to move loses" },
                None => strong { "too large for a search on this page" },
            }
            "."
        }
        (parts(&mut player, position))
        (moves(&mut player, position))
    }
}

/// Renders the Grundy values of the parts and their nim-sum, or the Grundy value of a position that has no parts.
fn parts(player: &mut PerfectPlayer, position: &Position) -> Markup {
    let rules = player.rules().clone();
    if let (Some(parts), Ok(Some(values))) = (rules.parts(position), player.values(position)) {
        let sum = nim_sum(&values);
        let bits = (u32::BITS - values.iter().copied().max().unwrap_or(0).leading_zeros()).max(1) as usize;
        return html! {
            div.table-scroll.fit {
                table.table {
                    thead { tr { th scope="col" { "Part" } th.number scope="col" { "Grundy value" } th.number scope="col" { "in binary" } } }
                    tbody {
                        @for (part, value) in parts.iter().zip(&values).take(MOVES) {
                            tr { td { code { (part.to_string()) } } td.number { (value) } td.number.mono { (format!("{value:0bits$b}")) } }
                        }
                        tr { th scope="row" { "nim-sum" } td.number { strong { (sum) } } td.number.mono { (format!("{sum:0bits$b}")) } }
                    }
                }
            }
        };
    }
    if rules.players > 2 || HeapGame::of_sum(&rules).is_err() && rules.last_mover == crate::games::LastMover::Loses {
        return Markup::default();
    }
    match Solver::new(rules, BUDGET).with_work(WORK).grundy(position) {
        Ok(value) => html! { p { "The Grundy value of this position is " strong { (value) } "." } },
        Err(_) => Markup::default(),
    }
}

/// Renders the moves of a position with the outcome of each.
fn moves(player: &mut PerfectPlayer, position: &Position) -> Markup {
    let rules = player.rules().clone();
    let all = rules.moves(position, MOVES + 1);
    if all.is_empty() {
        return html! { p { "There are no moves from this position." } };
    }
    let more = all.len() > MOVES;
    // After a search has exceeded its budget, no further searches are started, since they would probably exceed it,
    // too.
    let (mut has_values, mut has_outcomes) = (true, true);
    let rows: Vec<_> = all
        .iter()
        .take(MOVES)
        .map(|(step, after)| {
            let values = if has_values { player.values(after) } else { Ok(None) };
            has_values &= values.is_ok();
            let wins = if has_outcomes { player.wins(after).ok() } else { None };
            has_outcomes &= wins.is_some();
            let value = values.ok().flatten().map(|values| nim_sum(&values));
            (step.to_string(), after.to_string(), value, wins)
        })
        .collect();
    let valued = rows.iter().any(|(_, _, value, _)| value.is_some());
    html! {
        details open[rows.len() <= 12] {
            summary { "Moves from this position" @if more { " (the first " (MOVES) ")" } }
            div.table-scroll.fit {
                table.table {
                    thead { tr { th scope="col" { "Move" } th scope="col" { "leads to" } @if valued { th.number scope="col" { "value" } } th scope="col" { "which is" } } }
                    tbody {
                        @for (step, after, value, wins) in &rows {
                            tr {
                                td { (step) } td { code { (after) } }
                                @if valued { td.number { @if let Some(value) = value { (value) } } }
                                td { @match (rules.players, wins) {
                                    (2, Some(false)) => strong.win { "P-position: the move wins" },
                                    (2, Some(true)) => span.muted { "N-position: the move loses" },
                                    _ => span.muted { "–" },
                                } }
                            }
                        }
                    }
                }
            }
        }
    }
}
