//! The pages of classes: the list, the form that starts one, and the parts of a class. The scripts in `assets/classes` fill
//! them.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use maud::{Markup, html};

use super::super::actor::Actor;
use super::super::api::classes::find_class;
use super::super::error::{WebError, WebResult};
use super::super::extract::Path;
use super::super::guard::Visit;
use super::super::state::{WebState, blocking};
use super::layout::{PageFrame, Section, page as frame};

/// The parts of a class: their path, their name, and what they show.
const PARTS: [(&str, &str); 7] = [
    ("", "Marks"),
    ("files", "Files"),
    ("tests", "Tests"),
    ("answers", "Wrong answers"),
    ("likeness", "Likeness"),
    ("rules", "Rules"),
    ("log", "Log"),
];

/// `GET /classes`.
pub(in crate::web) async fn list(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Extension(visit): Extension<Visit>,
) -> WebResult {
    actor.require_staff()?;
    let content = html! {
        div.page-title {
            h1 { "Classes" }
            div.actions { a.button.primary href="/classes/new" { "Grade a class" } }
        }
        div.class-part data-part="list" {}
        (needs_script())
    };
    Ok(frame(&state, &visit, &PageFrame { title: "Classes", section: Section::Classes, layout: "page", content }))
}

/// `GET /classes/new`.
pub(in crate::web) async fn new(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Extension(visit): Extension<Visit>,
) -> WebResult {
    actor.require_teacher()?;
    blocking(move || {
        let listing = state.index.listing()?;
        let content = html! {
            div.page-title { h1 { "Grade a class" } }
            form.new-class.stack data-part="new" {
                section.panel.stack {
                    h2 { "Submissions" }
                    (drop_place())
                }
                section.panel.stack {
                    div.row {
                        h2 #problems-title { "Problems" }
                        span.muted data-count {}
                    }
                    div.row {
                        input type="search" data-search placeholder="Search problems" aria-label="Search problems";
                        button.button.small type="button" data-all { "All" }
                    }
                    ul.choices aria-labelledby="problems-title" {
                        @for entry in listing.entries() {
                            li { label {
                                input type="checkbox" name="problem" value=(entry.id);
                                span { (entry.name) " " span.faint { (entry.id) } }
                            } }
                        }
                    }
                }
                div.row.submit-row {
                    div.field {
                        label for="class-name" { "Name" }
                        input #class-name type="text" name="name" maxlength="200" placeholder="such as Nim, week 3" autocomplete="off";
                    }
                    button.button.primary.push type="submit" disabled { "See whose is each file" }
                }
                p.muted { "Nothing is judged yet: the next page shows the student and the problem of each file, and lets you correct them." }
            }
            (needs_script())
        };
        let frame_of = PageFrame { title: "Grade a class", section: Section::Classes, layout: "page", content };
        Ok(frame(&state, &visit, &frame_of))
    })
    .await
}

fn drop_place() -> Markup {
    html! {
        div.drop {
            svg viewBox="0 0 40 40" aria-hidden="true" {
                path d="M5 14v19h30V14M5 14l5-7h20l5 7M5 14h30" {}
                path d="M20 18v10m-4-4l4 4 4-4" {}
            }
            div data-chosen aria-live="polite" {
                strong { "Drop a folder or a zip here" }
                span { "as it came from the course: one folder for each student, or names that contain student and problem" }
            }
            div.row {
                button.button type="button" data-choose="zip" { "Choose a zip" }
                button.button type="button" data-choose="folder" { "Choose a folder" }
            }
            input type="file" data-zip accept=".zip" hidden;
            input type="file" data-folder webkitdirectory hidden;
        }
    }
}

/// `GET /classes/{id}`: the marks.
pub(in crate::web) async fn marks(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Extension(visit): Extension<Visit>,
    Path(id): Path<String>,
) -> WebResult {
    blocking(move || part_page(&state, &actor, &visit, &id, "")).await
}

/// `GET /classes/{id}/{part}`.
pub(in crate::web) async fn part(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Extension(visit): Extension<Visit>,
    Path((id, part)): Path<(String, String)>,
) -> WebResult {
    blocking(move || part_page(&state, &actor, &visit, &id, &part)).await
}

fn part_page(state: &WebState, actor: &Actor, visit: &Visit, id: &str, part: &str) -> WebResult {
    actor.require_staff()?;
    let name = find_class(state, id)?.overview().name;
    let known = PARTS.into_iter().find(|(path, _)| *path == part);
    let (_, heading) = known.ok_or_else(|| WebError::missing("there is no such page"))?;
    let content = html! {
        div.page-title {
            h1 { (name) }
            div.actions data-menu {}
        }
        nav.subnav aria-label="Parts of the class" {
            @for (path, name) in PARTS {
                a href=(address(id, path)) aria-current=[(path == part).then_some("page")] { (name) }
            }
        }
        div.class-part data-class=(id) data-part=(if part.is_empty() { "marks" } else { part }) {}
        (needs_script())
    };
    let title = format!("{heading} · {name}");
    Ok(frame(state, visit, &PageFrame { title: &title, section: Section::Classes, layout: "page wide", content }))
}

fn address(id: &str, part: &str) -> String {
    if part.is_empty() { format!("/classes/{id}") } else { format!("/classes/{id}/{part}") }
}

fn needs_script() -> Markup {
    html! { noscript { p.notice { "The pages of classes need JavaScript. The command `nimatron grade` does the same in a terminal." } } }
}
