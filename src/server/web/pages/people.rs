//! Account pages: logging in, joining a class, the initial setup, the user's own account, and the list of class
//! members.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use maud::{Markup, html};
use serde::Deserialize;

use crate::clock::now_ms;
use crate::people::{Account, Invitation, PersonRole};

use super::super::actor::Actor;
use super::super::error::WebResult;
use super::super::extract::Query;
use super::super::guard::Visit;
use super::super::state::{WebState, blocking};
use super::layout::{PageFrame, Section, page as frame, timestamp};

/// Roles that an account can have.
const ROLES: [PersonRole; 3] = [PersonRole::Student, PersonRole::Assistant, PersonRole::Teacher];

/// Query parameters of the login page.
#[derive(Debug, Deserialize)]
pub(in crate::web) struct NextQuery {
    /// Path of the page to open after the login.
    next: Option<String>,
}

/// Returns the path of the page to open after the login: `wanted` if it is a path on this server, otherwise `/`.
fn next_page(wanted: Option<&str>) -> &str {
    let is_local = |path: &&str| {
        path.starts_with('/') && !path.starts_with("//") && !path.contains('\\') && !path.chars().any(char::is_control)
    };
    wanted.filter(is_local).unwrap_or("/")
}

fn field(name: &str, label: &str, kind: &str, autocomplete: &str, hint: Option<&str>) -> Markup {
    let about = hint.map(|_| format!("{name}-hint"));
    html! {
        div.field {
            label for=(name) { (label) }
            input id=(name) name=(name) type=(kind) autocomplete=(autocomplete) required aria-describedby=[about.as_deref()];
            @if let (Some(hint), Some(id)) = (hint, &about) { span.hint id=(id) { (hint) } }
        }
    }
}

const PASSWORD_HINT: &str = "at least 8 characters";
const LOGIN_HINT: &str = "letters a to z, digits, and . _ - @ +";

fn needs_scripts() -> Markup {
    html! { noscript { p.notice { "This page requires JavaScript." } } }
}

/// Handles `GET /login`.
pub(in crate::web) async fn login(
    State(state): State<Arc<WebState>>,
    Extension(visit): Extension<Visit>,
    Query(query): Query<NextQuery>,
) -> WebResult {
    state.class()?;
    let content = html! {
        div.page-title { h1 { "Log in" } }
        (needs_scripts())
        form.panel.stack method="post" data-send="POST /session" data-then=(next_page(query.next.as_deref())) {
            (field("login", "Login", "text", "username", None))
            (field("password", "Password", "password", "current-password", None))
            p.error role="alert" data-error hidden {}
            div { button.button.primary type="submit" { "Log in" } }
        }
        p.muted { "If you have no account or have forgotten your password, ask your teacher for a link." }
    };
    let page = PageFrame {
        title: "Log in",
        section: Section::None,
        layout: "page narrow stack",
        scripts: &["forms.js"],
        content,
    };
    Ok(frame(&state, &visit, &page))
}

/// Handles `GET /join`: shows the form that accepts an invitation. The fragment of the URL contains its code.
pub(in crate::web) async fn join(State(state): State<Arc<WebState>>, Extension(visit): Extension<Visit>) -> WebResult {
    state.class()?;
    let content = html! {
        div.page-title { h1 data-join-title { "Join the class" } }
        (needs_scripts())
        p.error role="alert" data-invalid hidden {}
        form.panel.stack method="post" data-send="POST /join" data-then="/" data-invitation {
            input type="hidden" name="code" data-from-hash;
            (field("name", "Your name", "text", "name", Some("the name by which your teacher knows you")))
            (field("login", "Login", "text", "username", Some(LOGIN_HINT)))
            (field("password", "Password", "password", "new-password", Some(PASSWORD_HINT)))
            p.error role="alert" data-error hidden {}
            div { button.button.primary type="submit" { "Join" } }
        }
    };
    let page = PageFrame {
        title: "Join the class",
        section: Section::None,
        layout: "page narrow stack",
        scripts: &["forms.js"],
        content,
    };
    Ok(frame(&state, &visit, &page))
}

/// Handles `GET /setup`: shows the form for the first account. The fragment of the URL contains the token of the
/// server.
pub(in crate::web) async fn set_up(
    State(state): State<Arc<WebState>>,
    Extension(visit): Extension<Visit>,
) -> WebResult {
    state.class()?;
    let content = html! {
        div.page-title { h1 { "Set up the class" } }
        p { "The first account belongs to a teacher, who can then invite everyone else." }
        (needs_scripts())
        form.panel.stack method="post" data-send="POST /setup" data-then="/people" {
            (field("name", "Your name", "text", "name", None))
            (field("login", "Login", "text", "username", Some(LOGIN_HINT)))
            (field("password", "Password", "password", "new-password", Some(PASSWORD_HINT)))
            div.field {
                label for="token" { "Server token" }
                input #token name="token" type="password" autocomplete="off" required data-from-hash;
                span.hint { "the part after # in the link that " code { "nimatron serve" } " printed" }
            }
            p.error role="alert" data-error hidden {}
            div { button.button.primary type="submit" { "Create account" } }
        }
    };
    let page = PageFrame {
        title: "Set up the class",
        section: Section::None,
        layout: "page narrow stack",
        scripts: &["forms.js"],
        content,
    };
    Ok(frame(&state, &visit, &page))
}

/// Handles `GET /me`: shows the user's own account.
pub(in crate::web) async fn me(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Extension(visit): Extension<Visit>,
) -> WebResult {
    blocking(move || {
        let class = state.class()?;
        let account = class.people.account(actor.person())?;
        let tokens = class.people.tokens(actor.person())?;
        let content = html! {
            div.page-title {
                h1 { (actor.name()) }
                span.muted { (actor.role().name()) @if let Some(account) = &account { " · " (account.login) } }
                @if visit.session.is_some() {
                    form.actions method="post" data-send="DELETE /session" data-then="/login" { button.button type="submit" { "Log out" } }
                }
            }
            @if let Some(account) = &account {
                form.panel.stack method="post" data-send="POST /me/password" data-then="reload" {
                    h2 { "Change the password" }
                    // Password managers use this field. A field without a name is not sent.
                    input type="text" autocomplete="username" value=(account.login) readonly hidden;
                    (field("old", "Old password", "password", "current-password", None))
                    (field("new", "New password", "password", "new-password", Some(PASSWORD_HINT)))
                    p.muted { "This logs you out in all other browsers." }
                    p.error role="alert" data-error hidden {}
                    div { button.button type="submit" { "Change" } }
                }
                section.panel.stack {
                    h2 { "Tokens for programs" }
                    p.muted { "A program that sends a token in the header " code { "Authorization: Bearer TOKEN" } " has your permissions." }
                    @if !tokens.is_empty() {
                        div.table-scroll tabindex="0" role="region" aria-label="Tokens" { table.table {
                            thead { tr { th scope="col" { "For" } th scope="col" { "Created" } th scope="col" { "Revoke" } } }
                            tbody { @for token in &tokens { tr {
                                th scope="row" { (token.name) }
                                td.whole { (timestamp(token.created)) }
                                td { form method="post" data-send=(format!("DELETE /me/tokens/{}", token.id)) data-then="reload" {
                                    button.button.small type="submit" { "Revoke" span.visually-hidden { " " (token.name) } }
                                } }
                            } } }
                        } }
                    }
                    form.row method="post" data-send="POST /me/tokens" {
                        label for="token-name" { "New token for" }
                        input #token-name type="text" name="name" required maxlength="100" autocomplete="off";
                        button.button type="submit" { "Create" }
                        p.error role="alert" data-error hidden {}
                        div.result data-result aria-live="polite" hidden {}
                    }
                }
            } @else {
                p.notice { "You are logged in with the server token, not with an account." }
            }
        };
        let page = PageFrame { title: "Account", section: Section::None, layout: "page narrow stack", scripts: &["forms.js"], content };
        Ok(frame(&state, &visit, &page))
    })
    .await
}

/// Handles `GET /people`.
pub(in crate::web) async fn people(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Extension(visit): Extension<Visit>,
) -> WebResult {
    blocking(move || {
        let class = state.class()?;
        actor.require_staff()?;
        let accounts = class.people.accounts()?;
        let students = accounts.iter().filter(|account| account.role == PersonRole::Student).count();
        let manages = actor.role().manages();
        let invitations = if manages { class.people.invitations(now_ms())? } else { Vec::new() };
        let restricted = class.people.is_restricted()?;
        let content = html! {
            div.page-title {
                h1 { "People" }
                span.muted { (students) @if students == 1 { " student" } @else { " students" } }
            }
            @if accounts.is_empty() {
                div.empty { h2 { "No accounts yet" } p { "To create the first account, open the link that " code { "nimatron serve" } " printed." } }
            } @else {
                label.visually-hidden for="search" { "Search" }
                div.row.filter { input #search type="search" placeholder="Search people" data-filter="#people"; }
                div.table-scroll {
                    table.table #people {
                        thead { tr {
                            th scope="col" { "Name" } th scope="col" { "Login" } th scope="col" { "Role" } th scope="col" { "Work" }
                            @if manages { th scope="col" { "Change" } }
                        } }
                        tbody { @for account in &accounts { (person_row(account, manages)) } }
                    }
                }
            }
            @if manages {
                div.columns { (invite_form()) (settings_form(restricted)) }
                (invitation_list(&invitations))
            }
        };
        let page = PageFrame { title: "People", section: Section::People, layout: "page stack", scripts: &["forms.js"], content };
        Ok(frame(&state, &visit, &page))
    })
    .await
}

fn person_row(account: &Account, manages: bool) -> Markup {
    html! {
        tr {
            th scope="row" { (account.name) @if account.disabled { " " span.chip { "disabled" } } }
            td { (account.login) }
            td { (account.role.name()) }
            td { a href=(format!("/submissions?person={}", account.id)) { "Submissions" span.visually-hidden { " of " (account.name) } } }
            @if manages { td { details {
                summary { "Change" span.visually-hidden { " " (account.name) } }
                div.stack {
                    form.row method="post" data-send=(format!("PATCH /people/{}", account.id)) data-then="reload" {
                        select name="role" aria-label=(format!("Role of {}", account.name)) {
                            @for role in ROLES { option value=(role.name()) selected[role == account.role] { (role.name()) } }
                        }
                        button.button.small type="submit" { "Set" }
                    }
                    form.row method="post" data-send=(format!("PATCH /people/{}", account.id)) data-then="reload" {
                        input type="hidden" name="disabled" value=(!account.disabled) data-type="boolean";
                        button.button.small type="submit" { @if account.disabled { "Enable" } @else { "Disable" } }
                    }
                    form.row method="post" data-send=(format!("POST /people/{}/reset", account.id)) {
                        button.button.small type="submit" { "Create a link for a new password" }
                        div.result data-result aria-live="polite" hidden {}
                    }
                }
            } } }
        }
    }
}

fn invite_form() -> Markup {
    html! {
        form.panel.stack method="post" data-send="POST /invitations" {
            h2 { "Invite" }
            div.field {
                label for="role" { "As" }
                select #role name="role" { @for role in ROLES { option value=(role.name()) { (role.name()) } } }
            }
            div.field {
                label for="names" { "Names" }
                textarea #names name="names" rows="4" data-drop-text aria-describedby="names-hint" {}
                span.hint #names-hint {
                    "Enter one name per line, or choose a CSV file with the names in its first column. Each person gets a separate link. Without names, one link is created: any number of students can use a link for students, but a link for an assistant or a teacher can be used only once."
                }
                label.visually-hidden for="names-file" { "File with names" }
                input #names-file type="file" accept=".csv,.txt,text/csv,text/plain" data-into="names";
            }
            p.error role="alert" data-error hidden {}
            div { button.button.primary type="submit" { "Create links" } }
            div.result data-result aria-live="polite" hidden {}
        }
    }
}

fn settings_form(restricted: bool) -> Markup {
    html! {
        form.panel.stack method="post" data-send="PUT /settings" data-then="reload" {
            h2 { "Problems" }
            div.field {
                label { input type="checkbox" name="restricted" data-type="boolean" checked[restricted]; " Students see only the problems of their assignments" }
                span.hint { "Otherwise, students can see and solve all problems except the problems of assignments that have not started." }
            }
            p.error role="alert" data-error hidden {}
            div { button.button type="submit" { "Save" } }
        }
    }
}

/// Describes who can accept an invitation that has no name.
fn unnamed(single_use: bool) -> &'static str {
    if single_use { "one person with the link" } else { "anyone with the link" }
}

fn invitation_list(invitations: &[Invitation]) -> Markup {
    html! {
        @if !invitations.is_empty() {
            section.stack {
                h2 { "Open invitations" }
                div.table-scroll { table.table {
                    thead { tr { th scope="col" { "For" } th scope="col" { "As" } th scope="col" { "Until" } th scope="col" { "Revoke" } } }
                    tbody { @for invitation in invitations { tr {
                        th scope="row" { (invitation.name.as_deref().unwrap_or(unnamed(invitation.single_use))) @if invitation.person.is_some() { " (new password)" } }
                        td { (invitation.role.name()) }
                        td.whole { (timestamp(invitation.expires)) }
                        td { form method="post" data-send=(format!("DELETE /invitations/{}", invitation.id)) data-then="reload" {
                            button.button.small type="submit" { "Revoke" }
                        } }
                    } } }
                } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_page_is_one_of_this_server() {
        assert_eq!(next_page(Some("/problems/sum?lang=de")), "/problems/sum?lang=de");
        for elsewhere in
            ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)", "", "/\t/x"]
        {
            assert_eq!(next_page(Some(elsewhere)), "/", "{elsewhere}");
        }
        assert_eq!(next_page(None), "/");
    }
}
