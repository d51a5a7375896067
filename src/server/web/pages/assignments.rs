//! Pages of assignments.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use maud::{Markup, html};

use crate::clock::now_ms;
use crate::people::{
    Assignment, AssignmentPhase, AssignmentStandings, FeedbackLevel, LateRule, StandingCell, StandingRow,
};

use super::super::actor::Actor;
use super::super::api::assignments::{find, standings_of};
use super::super::error::{WebError, WebResult};
use super::super::extract::Path;
use super::super::guard::Visit;
use super::super::index::Listing;
use super::super::state::{WebState, blocking};
use super::layout::{PageFrame, Section, page as frame, timestamp, verdict_badge};

/// Handles `GET /assignments`.
pub(in crate::web) async fn list(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Extension(visit): Extension<Visit>,
) -> WebResult {
    blocking(move || {
        let all = state.class()?.assignments_for(&actor)?;
        let mut rows = Vec::new();
        for assignment in &all {
            // Staff see the standings of all students on the page of the assignment.
            let own = if actor.sees_all() { None } else { standings_of(&state, &actor, assignment)?.rows.pop() };
            rows.push((assignment, own));
        }
        let content = html! {
            div.page-title {
                h1 { "Assignments" }
                @if actor.role().manages() { div.actions { a.button.primary href="/assignments/new" { "New assignment" } } }
            }
            @if rows.is_empty() {
                div.empty { h2 { "No assignments" } p { "There are no assignments at the moment." } }
            } @else {
                div.table-scroll {
                    table.table {
                        thead { tr {
                            th scope="col" { "Assignment" } th scope="col" { "State" } th scope="col" { "End" }
                            th.number scope="col" { @if actor.sees_all() { "Problems" } @else { "Solved" } }
                        } }
                        tbody { @for (assignment, own) in &rows { tr {
                            th scope="row" { a href=(format!("/assignments/{}", assignment.id)) { (assignment.draft.name) } }
                            td.whole { (phase(assignment)) }
                            td.whole { (timestamp(assignment.draft.end)) }
                            td.number {
                                @if let Some(own) = own { (own.solved()) " of " }
                                (assignment.draft.problems.len())
                            }
                        } } }
                    }
                }
            }
        };
        Ok(frame(&state, &visit, &page("Assignments", "page", content)))
    })
    .await
}

fn page<'a>(title: &'a str, layout: &'a str, content: Markup) -> PageFrame<'a> {
    PageFrame { title, section: Section::Assignments, layout, scripts: &[], content }
}

/// Renders the phase of an assignment. `time_left.js` adds the remaining time if the assignment is open.
fn phase(assignment: &Assignment) -> Markup {
    match assignment.phase(now_ms()) {
        AssignmentPhase::Upcoming => html! { span.chip { "starts " (timestamp(assignment.draft.start)) } },
        AssignmentPhase::Open => html! { span.chip data-until=(assignment.draft.end) { "open" } },
        AssignmentPhase::Ended => html! { span.chip { "ended" } },
    }
}

/// Handles `GET /assignments/{id}`.
pub(in crate::web) async fn show(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Extension(visit): Extension<Visit>,
    Path(id): Path<String>,
) -> WebResult {
    blocking(move || {
        let assignment = find(&state, &actor, &id)?;
        let listing = state.listing(&actor)?;
        let standings = standings_of(&state, &actor, &assignment)?;
        let draft = &assignment.draft;
        let content = html! {
            div.page-title {
                h1 { (draft.name) }
                (phase(&assignment))
                @if actor.sees_all() { div.row.actions {
                    a.button href=(format!("/api/v1/assignments/{id}/standings.csv")) download { "Download CSV" }
                    @if actor.role().manages() { a.button href=(format!("/assignments/{id}/edit")) { "Edit" } }
                } }
            }
            p.muted {
                "From " (timestamp(draft.start)) " to " (timestamp(draft.end)) ". "
                @match draft.late { LateRule::Refuse => "Late submissions are rejected.", LateRule::Accept => "Late submissions are accepted and marked as late." }
                @match draft.feedback {
                    FeedbackLevel::Verdicts => " Only the verdict, the time and the memory of each hidden test are shown.",
                    FeedbackLevel::Full => " The details of failed hidden tests are shown.",
                }
            }
            @if actor.sees_all() { (class_table(&standings, &listing)) } @else { (own_table(&standings, &listing)) }
        };
        let layout = if actor.sees_all() { "page wide stack" } else { "page stack" };
        Ok(frame(&state, &visit, &page(&draft.name, layout, content)))
    })
    .await
}

fn name_of<'l>(listing: &'l Listing, problem: &'l str) -> &'l str {
    listing.entry(problem).map_or(problem, |entry| &entry.name)
}

/// Renders the standing of the student in the first row of `standings`, with one table row per problem.
fn own_table(standings: &AssignmentStandings, listing: &Listing) -> Markup {
    let cells = standings.rows.first().map(|row| row.cells.as_slice()).unwrap_or_default();
    html! {
        div.table-scroll {
            table.table {
                thead { tr {
                    th scope="col" { "Problem" } th scope="col" { "Verdict" } th.number scope="col" { "Points" } th.number scope="col" { "Attempts" }
                } }
                tbody { @for (problem, cell) in standings.problems.iter().zip(cells) { tr {
                    th scope="row" { a href=(format!("/problems/{problem}")) { (name_of(listing, problem.as_str())) } }
                    td { (best(cell)) }
                    td.number { @if let (Some(score), Some(most)) = (cell.score, cell.max_score) { (score) " of " (most) } }
                    td.number { (cell.attempts) }
                } } }
            }
        }
    }
}

/// Renders a link to the best submission in a cell of the standings, with its verdict.
fn best(cell: &StandingCell) -> Markup {
    html! {
        @if let Some(id) = &cell.best {
            a href=(format!("/submissions/{id}")) {
                @match cell.verdict { Some(verdict) => (verdict_badge(verdict)), None => "no verdict" }
            }
            @if cell.late { " " span.chip { "late" } }
        }
    }
}

/// Renders the standings of all students.
fn class_table(standings: &AssignmentStandings, listing: &Listing) -> Markup {
    html! {
        @if standings.rows.is_empty() {
            div.empty { h2 { "No students" } p { a href="/people" { "Invite them" } "." } }
        } @else {
            label.visually-hidden for="search" { "Search" }
            div.row.filter { input #search type="search" placeholder="Search students" data-filter="#standings"; }
            div.table-scroll {
                table.table.sticky #standings {
                    thead { tr {
                        th scope="col" { "Student" } th.number scope="col" { "Solved" }
                        @for problem in &standings.problems { th scope="col" { a href=(format!("/problems/{problem}")) { (name_of(listing, problem.as_str())) } } }
                    } }
                    tbody { @for row in &standings.rows { (student_row(row, standings)) } }
                }
            }
        }
    }
}

fn student_row(row: &StandingRow, standings: &AssignmentStandings) -> Markup {
    html! {
        tr {
            th scope="row" { a href=(format!("/submissions?person={}", row.person)) { (row.name) } }
            td.number { (row.solved()) }
            @for (problem, cell) in standings.problems.iter().zip(&row.cells) {
                td.whole {
                    (best(cell))
                    @if cell.attempts > 0 {
                        " " a.muted href=(format!("/submissions?person={}&problem={problem}", row.person)) {
                            (cell.attempts) span.visually-hidden { @if cell.attempts == 1 { " attempt" } @else { " attempts" } }
                        }
                    }
                }
            }
        }
    }
}

/// Handles `GET /assignments/new`.
pub(in crate::web) async fn new(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Extension(visit): Extension<Visit>,
) -> WebResult {
    blocking(move || editor(&state, &actor, &visit, None)).await
}

/// Handles `GET /assignments/{id}/edit`.
pub(in crate::web) async fn edit(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Extension(visit): Extension<Visit>,
    Path(id): Path<String>,
) -> WebResult {
    blocking(move || {
        state.class()?;
        actor.require_teacher()?;
        let assignment = find(&state, &actor, &id)?;
        editor(&state, &actor, &visit, Some(&assignment))
    })
    .await
}

fn editor(state: &WebState, actor: &Actor, visit: &Visit, assignment: Option<&Assignment>) -> WebResult {
    state.class()?;
    actor.require_teacher()?;
    let listing = state.listing(actor)?;
    let draft = assignment.map(|assignment| &assignment.draft);
    let (send, then) = match assignment {
        None => ("POST /assignments".to_owned(), "/assignments".to_owned()),
        Some(own) => (format!("PUT /assignments/{}", own.id), format!("/assignments/{}", own.id)),
    };
    let chosen = |id: &str| assignment.is_some_and(|assignment| assignment.has(id));
    let time = |name: &str, label: &str, value: Option<i64>| {
        html! {
            div.field {
                label for=(name) { (label) }
                input id=(name) name=(name) type="datetime-local" required data-type="time" data-ms=[value];
            }
        }
    };
    let title = if assignment.is_some() { "Edit the assignment" } else { "New assignment" };
    let content = html! {
        div.page-title {
            h1 { (title) }
            @if let Some(own) = assignment {
                form.actions method="post" data-send=(format!("DELETE /assignments/{}", own.id)) data-then="/assignments"
                    data-confirm="Remove this assignment? Its submissions are kept." {
                    button.button.danger type="submit" { "Remove" }
                }
            }
        }
        form.panel.stack method="post" data-send=(send) data-then=(then) {
            div.field {
                label for="name" { "Name" }
                input #name name="name" type="text" required maxlength="100" autocomplete="off" value=[draft.map(|draft| draft.name.as_str())];
            }
            div.columns {
                (time("start", "Start", draft.map(|draft| draft.start)))
                (time("end", "End", draft.map(|draft| draft.end)))
                div.field {
                    label for="late" { "After the end" }
                    select #late name="late" {
                        option value="refuse" { "reject late submissions" }
                        option value="accept" selected[draft.is_some_and(|draft| draft.late == LateRule::Accept)] { "accept late submissions" }
                    }
                }
                div.field {
                    label for="feedback" { "Feedback on hidden tests" }
                    select #feedback name="feedback" {
                        option value="verdicts" { "verdicts only" }
                        option value="full" selected[draft.is_some_and(|draft| draft.feedback == FeedbackLevel::Full)] { "verdicts and failed tests" }
                    }
                }
            }
            fieldset {
                legend { "Problems" }
                label.visually-hidden for="search" { "Search problems" }
                div.row.filter { input #search type="search" placeholder="Search problems" data-filter="#choices"; }
                div.table-scroll.choices { table.table #choices { tbody {
                    @for entry in listing.entries() { tr { td { label {
                        input type="checkbox" name="problems" value=(entry.id) data-type="list" checked[chosen(entry.id.as_str())]; " " (entry.name)
                    } } } }
                } } }
            }
            p.error role="alert" data-error hidden {}
            div { button.button.primary type="submit" { "Save" } }
        }
    };
    if listing.entries().next().is_none() {
        return Err(WebError::unprocessable("there are no problems to assign")
            .help("restart `nimatron serve` with the paths to the problems"));
    }
    Ok(frame(state, visit, &page(title, "page stack", content)))
}
