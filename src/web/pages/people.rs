//! The pages of accounts: logging in, joining, the own account, and the people of the class.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use maud::{Markup, html};
use serde::Deserialize;

use crate::people::{Account, Invitation, PersonRole};
use crate::submissions::now_ms;

use super::super::actor::Actor;
use super::super::error::WebResult;
use super::super::extract::Query;
use super::super::guard::Visit;
use super::super::state::{WebState, blocking};
use super::layout::{PageFrame, Section, page as frame, timestamp};

/// The roles that accounts have.
const ROLES: [PersonRole; 3] = [PersonRole::Student, PersonRole::Assistant, PersonRole::Teacher];

/// Query parameters of the page on which a person logs in.
#[derive(Debug, Deserialize)]
pub(in crate::web) struct NextQuery {
    /// The page to open afterwards.
    next: Option<String>,
}

/// The page to open after logging in: only one of this server.
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
    html! { noscript { p.notice { "This page needs JavaScript." } } }
}

/// `GET /login`.
pub(in crate::web) async fn login(
    State(state): State<Arc<WebState>>,
    Extension(visit): Extension<Visit>,
    Query(query): Query<NextQuery>,
) -> WebResult {
    state.class()?;
    let content = html! {
        div.page-title { h1 { "Log in" } }
        (needs_scripts())
        form.panel.stack data-send="POST /session" data-then=(next_page(query.next.as_deref())) {
            (field("login", "Login", "text", "username", None))
            (field("password", "Password", "password", "current-password", None))
            p.error role="alert" data-error hidden {}
            div { button.button.primary type="submit" { "Log in" } }
        }
        p.muted { "A new student or a forgotten password: ask your teacher for a link." }
    };
    let page = PageFrame { title: "Log in", section: Section::None, layout: "page narrow stack", content };
    Ok(frame(&state, &visit, &page))
}

/// `GET /join`: the code of the invitation is in the fragment.
pub(in crate::web) async fn join(State(state): State<Arc<WebState>>, Extension(visit): Extension<Visit>) -> WebResult {
    state.class()?;
    let content = html! {
        div.page-title { h1 data-join-title { "Join the class" } }
        (needs_scripts())
        p.error role="alert" data-invalid hidden {}
        form.panel.stack data-send="POST /join" data-then="/" data-invitation {
            input type="hidden" name="code" data-from-hash;
            (field("name", "Your name", "text", "name", Some("as your teacher knows you")))
            (field("login", "Login", "text", "username", Some(LOGIN_HINT)))
            (field("password", "Password", "password", "new-password", Some(PASSWORD_HINT)))
            p.error role="alert" data-error hidden {}
            div { button.button.primary type="submit" { "Join" } }
        }
    };
    let page = PageFrame { title: "Join the class", section: Section::None, layout: "page narrow stack", content };
    Ok(frame(&state, &visit, &page))
}

/// `GET /setup`: the token of the server is in the fragment.
pub(in crate::web) async fn set_up(
    State(state): State<Arc<WebState>>,
    Extension(visit): Extension<Visit>,
) -> WebResult {
    state.class()?;
    let content = html! {
        div.page-title { h1 { "Set up the class" } }
        p { "The first account is a teacher's. It invites everybody else." }
        (needs_scripts())
        form.panel.stack data-send="POST /setup" data-then="/people" {
            (field("name", "Your name", "text", "name", None))
            (field("login", "Login", "text", "username", Some(LOGIN_HINT)))
            (field("password", "Password", "password", "new-password", Some(PASSWORD_HINT)))
            div.field {
                label for="token" { "Token of the server" }
                input #token name="token" type="password" autocomplete="off" required data-from-hash;
                span.hint { "it is in the link that " code { "nimatron serve" } " printed" }
            }
            p.error role="alert" data-error hidden {}
            div { button.button.primary type="submit" { "Make the account" } }
        }
    };
    let page = PageFrame { title: "Set up the class", section: Section::None, layout: "page narrow stack", content };
    Ok(frame(&state, &visit, &page))
}

/// `GET /me`: the own account.
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
                    form.actions data-send="DELETE /session" data-then="/login" { button.button type="submit" { "Log out" } }
                }
            }
            @if let Some(account) = &account {
                form.panel.stack data-send="POST /me/password" data-then="reload" {
                    h2 { "Change the password" }
                    // For password managers; it is not sent.
                    input type="text" autocomplete="username" value=(account.login) readonly hidden;
                    (field("old", "Old password", "password", "current-password", None))
                    (field("new", "New password", "password", "new-password", Some(PASSWORD_HINT)))
                    p.muted { "Other browsers are then logged out." }
                    p.error role="alert" data-error hidden {}
                    div { button.button type="submit" { "Change" } }
                }
                section.panel.stack {
                    h2 { "Tokens for programs" }
                    p.muted { "A program sends one as " code { "Authorization: Bearer TOKEN" } " and may then do what you may." }
                    @if !tokens.is_empty() {
                        div.table-scroll tabindex="0" role="region" aria-label="Tokens" { table.table {
                            thead { tr { th scope="col" { "For" } th scope="col" { "Made" } th scope="col" { "Revoke" } } }
                            tbody { @for token in &tokens { tr {
                                th scope="row" { (token.name) }
                                td.whole { (timestamp(token.created)) }
                                td { form data-send=(format!("DELETE /me/tokens/{}", token.id)) data-then="reload" {
                                    button.button.small type="submit" { "Revoke" span.visually-hidden { " " (token.name) } }
                                } }
                            } } }
                        } }
                    }
                    form.row data-send="POST /me/tokens" {
                        label for="token-name" { "New token for" }
                        input #token-name type="text" name="name" required maxlength="100" autocomplete="off";
                        button.button type="submit" { "Make" }
                        p.error role="alert" data-error hidden {}
                        div.result data-result aria-live="polite" hidden {}
                    }
                }
            } @else {
                p.notice { "You use the token of the server." }
            }
        };
        let page = PageFrame { title: "Account", section: Section::None, layout: "page narrow stack", content };
        Ok(frame(&state, &visit, &page))
    })
    .await
}

/// `GET /people`.
pub(in crate::web) async fn people(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Extension(visit): Extension<Visit>,
) -> WebResult {
    blocking(move || {
        let class = state.class()?;
        actor.require_staff()?;
        let accounts = class.people.accounts()?;
        let manages = actor.role().manages();
        let invitations = if manages { class.people.invitations(now_ms())? } else { Vec::new() };
        let restricted = class.people.is_restricted()?;
        let content = html! {
            div.page-title {
                h1 { "People" }
                span.muted { (accounts.iter().filter(|account| account.role == PersonRole::Student).count()) " students" }
            }
            @if accounts.is_empty() {
                div.empty { h2 { "Nobody yet" } p { "Open the link that " code { "nimatron serve" } " printed to make the first account." } }
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
        let page = PageFrame { title: "People", section: Section::People, layout: "page stack", content };
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
                    form.row data-send=(format!("PATCH /people/{}", account.id)) data-then="reload" {
                        select name="role" aria-label=(format!("Role of {}", account.name)) {
                            @for role in ROLES { option value=(role.name()) selected[role == account.role] { (role.name()) } }
                        }
                        button.button.small type="submit" { "Set" }
                    }
                    form.row data-send=(format!("PATCH /people/{}", account.id)) data-then="reload" {
                        input type="hidden" name="disabled" value=(!account.disabled) data-type="boolean";
                        button.button.small type="submit" { @if account.disabled { "Enable" } @else { "Disable" } }
                    }
                    form.row data-send=(format!("POST /people/{}/reset", account.id)) {
                        button.button.small type="submit" { "Link for a new password" }
                        div.result data-result aria-live="polite" hidden {}
                    }
                }
            } } }
        }
    }
}

fn invite_form() -> Markup {
    html! {
        form.panel.stack data-send="POST /invitations" {
            h2 { "Invite" }
            div.field {
                label for="role" { "As" }
                select #role name="role" { @for role in ROLES { option value=(role.name()) { (role.name()) } } }
            }
            div.field {
                label for="names" { "Names" }
                textarea #names name="names" rows="4" data-drop-text aria-describedby="names-hint" {}
                span.hint #names-hint {
                    "one a line, or a CSV file whose first column has them: each gets an own link. Empty: one link, which any number of students can use."
                }
                label.visually-hidden for="names-file" { "File of names" }
                input #names-file type="file" accept=".csv,.txt,text/csv,text/plain" data-into="names";
            }
            p.error role="alert" data-error hidden {}
            div { button.button.primary type="submit" { "Make links" } }
            div.result data-result aria-live="polite" hidden {}
        }
    }
}

fn settings_form(restricted: bool) -> Markup {
    html! {
        form.panel.stack data-send="PUT /settings" data-then="reload" {
            h2 { "Problems" }
            div.field {
                label { input type="checkbox" name="restricted" data-type="boolean" checked[restricted]; " Students see only the problems of their assignments" }
                span.hint { "Otherwise they see all problems and can practise." }
            }
            p.error role="alert" data-error hidden {}
            div { button.button type="submit" { "Save" } }
        }
    }
}

fn invitation_list(invitations: &[Invitation]) -> Markup {
    html! {
        @if !invitations.is_empty() {
            section.stack {
                h2 { "Open invitations" }
                div.table-scroll { table.table {
                    thead { tr { th scope="col" { "For" } th scope="col" { "As" } th scope="col" { "Until" } th scope="col" { "Revoke" } } }
                    tbody { @for invitation in invitations { tr {
                        th scope="row" { (invitation.name.as_deref().unwrap_or("whoever has the link")) @if invitation.person.is_some() { " (new password)" } }
                        td { (invitation.role.name()) }
                        td.whole { (timestamp(invitation.expires)) }
                        td { form data-send=(format!("DELETE /invitations/{}", invitation.id)) data-then="reload" {
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
