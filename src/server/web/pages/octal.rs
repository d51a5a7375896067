//! Explorer of octal games: Grundy values, plot and certified period of a code.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use maud::{Markup, PreEscaped, html};
use serde::Deserialize;

use crate::games::grundy::{HeapGame, OctalCode};
use crate::report::Values;

use super::super::actor::Actor;
use super::super::error::WebResult;
use super::super::extract::Query;
use super::super::guard::Visit;
use super::super::state::WebState;
use super::layout::{PageFrame, Section, page as frame};

/// Largest heap for which the page shows the Grundy value.
const MOST: usize = 2_000;

/// Maximum length of a code, in characters.
const DIGITS: usize = 40;

/// Example codes with their descriptions.
const EXAMPLES: [(&str, &str); 6] = [
    ("0.77", "Kayles"),
    ("0.137", "Dawson's Chess"),
    ("0.07", "Dawson's Kayles"),
    ("0.33", "take 1 or 2"),
    ("4.7", "take 1, or split"),
    ("0.156", "period 349"),
];

/// Query parameters of the explorer.
#[derive(Debug, Deserialize)]
pub(in crate::web) struct OctalQuery {
    code: Option<String>,
    to: Option<usize>,
}

/// Handles `GET /games/octal`.
pub(in crate::web) async fn page(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Extension(visit): Extension<Visit>,
    Query(query): Query<OctalQuery>,
) -> WebResult {
    let work = move |state: &WebState, _: &Actor| {
        let code = query.code.as_deref().map_or("0.137", str::trim);
        let to = query.to.unwrap_or(100).clamp(1, MOST);
        let found = explore(code, to);
        let content = html! {
            div.page-title { h1 { "Octal games" } }
            div.stack {
                p.prose {
                    "A code such as 0.137 describes a game on heaps. The t-th digit after the point specifies what a move that takes t objects from a heap may leave: "
                    "the digit is the sum of 1 (nothing), 2 (one heap) and 4 (two heaps) for the allowed outcomes. The digit before the point is 4 if a heap may be split without taking objects, and otherwise 0."
                }
                form.row method="get" action="/games/octal" {
                    label for="code" { "Code" }
                    input.mono #code type="text" name="code" value=(code) size="14" autocomplete="off" spellcheck="false"
                        aria-invalid=[found.is_err().then_some("true")];
                    label for="to" { "Largest heap" }
                    input #to type="number" name="to" value=(to) min="1" max=(MOST);
                    button.button.primary type="submit" { "Show" }
                }
                nav.row aria-label="Examples" {
                    @for (example, name) in EXAMPLES {
                        a.chip href=(format!("?code={example}")) aria-current=[(example == code).then_some("true")] { (example) " " (name) }
                    }
                }
                @match found {
                    Ok(found) => (found),
                    Err(message) => p.notice.bad role="alert" { (message) },
                }
            }
        };
        let page = PageFrame { title: "Octal games", section: Section::Games, layout: "page", scripts: &[], content };
        Ok(frame(state, &visit, &page))
    };
    state.computing(actor, work).await
}

fn explore(code: &str, to: usize) -> Result<Markup, String> {
    let length = code.chars().count();
    if length > DIGITS {
        return Err(format!("The code has {length} characters, but this page supports at most {DIGITS}."));
    }
    let code: OctalCode = code.parse().map_err(|error| format!("The entered text is not an octal code: {error}."))?;
    let game = HeapGame::octal(&code);
    Ok(values_part(&format!("octal {code}"), &game, to))
}

/// Renders the plot and the table of the Grundy values of heaps, with the period.
pub(super) fn values_part(rules: &str, game: &HeapGame, to: usize) -> Markup {
    let table = match game.table(to) {
        Ok(table) => table,
        Err(error) => return html! { p.notice.warn { (error.to_string()) "." } },
    };
    let values = Values { rules, table: &table, certificate: game.certificate() };
    let width = table.period.map(|period| period.period).filter(|period| (4..=40).contains(period)).unwrap_or(20);
    html! {
        ul.remarks { @for remark in values.remarks() { li { (remark) } } }
        figure.panel { (PreEscaped(values.page_svg())) }
        details open[to <= 120] {
            summary { "Table of Grundy values" }
            div.table-scroll tabindex="0" role="region" aria-label="Grundy values" {
                table.values {
                    thead { tr { th scope="col" { "heap" } @for column in 0..width.min(to + 1) { th scope="col" { "+" (column) } } } }
                    tbody {
                        @for (row, line) in table.values.chunks(width).enumerate() {
                            tr { th scope="row" { (row * width) } @for value in line { td.zero[*value == 0] { (value) } } }
                        }
                    }
                }
            }
        }
    }
}
