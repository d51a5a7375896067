//! Pages of classes: the list, the form for a new class, and the parts of a class. The scripts in `assets/classes`
//! render their content.

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

/// Path, name and script of each part of a class.
const PARTS: [(&str, &str, &str); 7] = [
    ("", "Marks", "classes/marks.js"),
    ("files", "Files", "classes/files.js"),
    ("tests", "Tests", "classes/tests.js"),
    ("answers", "Wrong answers", "classes/answers.js"),
    ("likeness", "Similarity", "classes/likeness.js"),
    ("rules", "Rules", "classes/rules.js"),
    ("log", "Log", "classes/log.js"),
];

/// Handles `GET /classes`.
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
    let scripts = &["classes/start.js", "classes/class_list.js"];
    let page = PageFrame { title: "Classes", section: Section::Classes, layout: "page", scripts, content };
    Ok(frame(&state, &visit, &page))
}

/// Handles `GET /classes/new`.
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
                    button.button.primary.push type="submit" disabled { "Upload and check the files" }
                }
                p.muted { "Judging does not start yet. On the next page, you can check and correct the student and the problem assigned to each file." }
            }
            (needs_script())
        };
        let frame_of = PageFrame { title: "Grade a class", section: Section::Classes, layout: "page", scripts: &["classes/upload.js"], content };
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
                strong { "Drop a folder or a zip file here" }
                span { "It must contain one folder per student, or files whose names contain the student and the problem." }
            }
            div.row {
                button.button type="button" data-choose="zip" { "Choose a zip file" }
                button.button type="button" data-choose="folder" { "Choose a folder" }
            }
            input type="file" data-zip accept=".zip" hidden;
            input type="file" data-folder webkitdirectory hidden;
        }
    }
}

/// Handles `GET /classes/{id}`: shows the marks.
pub(in crate::web) async fn marks(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Extension(visit): Extension<Visit>,
    Path(id): Path<String>,
) -> WebResult {
    blocking(move || part_page(&state, &actor, &visit, &id, "")).await
}

/// Handles `GET /classes/{id}/{part}`.
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
    let known = PARTS.into_iter().find(|(path, ..)| *path == part);
    let missing = || WebError::missing(format!("there is no class page named `{part}`"));
    let (_, heading, script) = known.ok_or_else(missing)?;
    let content = html! {
        div.page-title {
            h1 { (name) }
            div.actions data-menu {}
        }
        nav.subnav aria-label="Pages of the class" {
            @for (path, name, _) in PARTS {
                a href=(address(id, path)) aria-current=[(path == part).then_some("page")] { (name) }
            }
        }
        div.class-part data-class=(id) data-part=(if part.is_empty() { "marks" } else { part }) {}
        (needs_script())
    };
    let title = format!("{heading} · {name}");
    let scripts = &["classes/start.js", script];
    let section = Section::Classes;
    let page = PageFrame { title: &title, section, layout: "page wide", scripts, content };
    Ok(frame(state, visit, &page))
}

fn address(id: &str, part: &str) -> String {
    if part.is_empty() { format!("/classes/{id}") } else { format!("/classes/{id}/{part}") }
}

fn needs_script() -> Markup {
    html! { noscript { p.notice { "Class pages require JavaScript. In a terminal, use " code { "nimatron grade" } " instead." } } }
}
