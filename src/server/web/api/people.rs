//! Endpoints for accounts: sessions, invitations, passwords, tokens and people. The endpoints fail on a server without
//! `--class`.

use std::sync::Arc;

use axum::Extension;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};

use crate::clock::now_ms;
use crate::people::{
    Account, Invitation, NewAccount, NewInvitation, PasswordHash, PersonRole, check_password, names_of_list,
};

use super::super::actor::Actor;
use super::super::class::{ClassState, ClientAddress};
use super::super::error::{WebError, WebResult};
use super::super::extract::Path;
use super::super::guard::Visit;
use super::super::state::{WebState, blocking};
use super::super::token::same;
use super::json::{json_of, read_json};

/// Maximum size of a request body, in bytes.
const MAX_BODY: usize = 16 << 10;
/// Maximum size of a body with a list of names, in bytes.
const MAX_NAMES: usize = 1 << 20;

/// Body of `POST /api/v1/session`.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "Login")]
#[serde(deny_unknown_fields)]
pub(in crate::web) struct LoginJson {
    login: String,
    password: String,
}

/// Body of `POST /api/v1/join`. Without a password, the response describes the invitation.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "Join")]
#[serde(deny_unknown_fields)]
pub(in crate::web) struct JoinJson {
    code: String,
    #[serde(default)]
    login: String,
    #[serde(default)]
    name: String,
    password: Option<String>,
}

/// Body of `POST /api/v1/setup`.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "SetUp")]
#[serde(deny_unknown_fields)]
pub(in crate::web) struct SetUpJson {
    /// Token of the server, as printed by `nimatron serve`.
    token: String,
    login: String,
    name: String,
    password: String,
}

/// A person, as returned by the API.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[schemars(rename = "Person")]
pub(in crate::web) struct PersonJson {
    id: String,
    login: String,
    name: String,
    role: PersonRole,
    disabled: bool,
}

impl From<&Account> for PersonJson {
    fn from(account: &Account) -> PersonJson {
        let Account { id, login, name, role, disabled, .. } = account.clone();
        PersonJson { id, login, name, role, disabled }
    }
}

/// Body of `POST /api/v1/me/password`.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "NewPassword")]
#[serde(deny_unknown_fields)]
pub(in crate::web) struct NewPasswordJson {
    old: String,
    new: String,
}

/// Body of `POST /api/v1/me/tokens`.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "NewToken")]
#[serde(deny_unknown_fields)]
pub(in crate::web) struct NewTokenJson {
    name: String,
}

/// Body of `POST /api/v1/invitations`. Creates one invitation per name, or a single invitation without a name if
/// `names` is empty.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "NewInvitations")]
#[serde(deny_unknown_fields)]
pub(in crate::web) struct NewInvitationsJson {
    role: PersonRole,
    /// Names, one per line, or a CSV file with the names in its first column.
    #[serde(default)]
    names: String,
}

/// Body of `PATCH /api/v1/people/{id}`. Omitted values are not changed.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "PersonChange")]
#[serde(deny_unknown_fields)]
pub(in crate::web) struct PersonChangeJson {
    role: Option<PersonRole>,
    disabled: Option<bool>,
}

/// A new invitation with its link.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[schemars(rename = "InvitationLink")]
struct InvitationLinkJson {
    id: String,
    name: Option<String>,
    /// Path and fragment of the link. Only the response that creates the invitation contains them.
    path: String,
}

/// Starts a session of the account, ends the session `old`, and returns the response that sets the new cookie.
fn with_session(class: &ClassState, account: &Account, old: Option<&str>) -> WebResult {
    // An attacker may have set the old session in this browser (session fixation).
    if let Some(old) = old {
        class.people.end_session(old)?;
    }
    let secret = class.people.start_session(&account.id, now_ms())?;
    let mut response = json_of(StatusCode::OK, &PersonJson::from(account));
    response.headers_mut().insert(header::SET_COOKIE, class.cookie(Some(&secret))?);
    Ok(response)
}

/// Handles `POST /api/v1/session`: logs in.
pub(in crate::web) async fn log_in(
    State(state): State<Arc<WebState>>,
    Extension(client): Extension<ClientAddress>,
    headers: HeaderMap,
    body: Body,
) -> WebResult {
    let asked: LoginJson = read_json(body, MAX_BODY).await?;
    let class = state.class()?;
    class.begin_login(&asked.login, client)?;
    let old = class.session_of(&headers);
    let shared = state.clone();
    let work = move || {
        let class = shared.class()?;
        let found = class.people.login(&asked.login)?;
        // An unknown login takes as long as a known one, so the response time does not reveal which logins exist.
        let hash = found.as_ref().map_or_else(PasswordHash::of_nobody, |(_, hash)| hash.clone());
        let matches = hash.matches(&asked.password)?;
        let account = found.filter(|_| matches).map(|(account, _)| account);
        let account = account.ok_or_else(|| {
            WebError::new(StatusCode::FORBIDDEN, "the login or the password is wrong, or the account is disabled")
        })?;
        class.login_succeeded(&asked.login, client);
        with_session(class, &account, old.as_deref())
    };
    class.hashing(work).await
}

/// Handles `DELETE /api/v1/session`: logs out.
pub(in crate::web) async fn log_out(
    State(state): State<Arc<WebState>>,
    _actor: Actor,
    Extension(visit): Extension<Visit>,
) -> WebResult {
    blocking(move || {
        let class = state.class()?;
        if let Some(session) = &visit.session {
            class.people.end_session(session)?;
        }
        Ok(([(header::SET_COOKIE, class.cookie(None)?)], StatusCode::NO_CONTENT).into_response())
    })
    .await
}

/// Handles `POST /api/v1/join`: accepts an invitation.
pub(in crate::web) async fn join(
    State(state): State<Arc<WebState>>,
    Extension(client): Extension<ClientAddress>,
    headers: HeaderMap,
    body: Body,
) -> WebResult {
    let asked: JoinJson = read_json(body, MAX_BODY).await?;
    let class = state.class()?;
    let gone = || {
        WebError::missing("the invitation does not exist, has expired or was already used")
            .help("ask your teacher for a new link")
    };
    let invitation = {
        let (shared, code) = (state.clone(), asked.code.clone());
        blocking(move || Ok(shared.class()?.people.invitation(&code, now_ms())?)).await?
    };
    let Some(invitation) = invitation else {
        // Guesses of codes are throttled like guesses of passwords.
        class.begin_login(&format!("\0invitation {}", client.0), client)?;
        return Err(gone());
    };
    let Some(password) = asked.password.clone() else {
        let is_reset = invitation.person.is_some();
        return Ok(json_of(StatusCode::OK, &serde_json::json!({ "invitation": invitation, "reset": is_reset })));
    };
    if invitation.person.is_none() {
        NewAccount::new(&asked.login, invitation.name.as_deref().unwrap_or(&asked.name))?;
    }
    let hash = class.hashed(password).await?;
    let old = class.session_of(&headers);
    blocking(move || {
        let class = state.class()?;
        let account = class.people.join(&asked.code, (&asked.login, &asked.name), &hash, now_ms())?;
        with_session(class, &account, old.as_deref())
    })
    .await
}

/// Handles `POST /api/v1/setup`: creates the first account.
pub(in crate::web) async fn set_up(
    State(state): State<Arc<WebState>>,
    Extension(client): Extension<ClientAddress>,
    body: Body,
) -> WebResult {
    let asked: SetUpJson = read_json(body, MAX_BODY).await?;
    let class = state.class()?;
    if !same(asked.token.trim(), &state.token) {
        class.begin_login("\0setup", client)?;
        return Err(WebError::new(
            StatusCode::FORBIDDEN,
            "the token sent for the setup is not the token of the server",
        )
        .help("use the link that `nimatron serve` printed when it started"));
    }
    let new = NewAccount::new(&asked.login, &asked.name)?;
    let hash = class.hashed(asked.password).await?;
    blocking(move || {
        let class = state.class()?;
        let account = class.people.set_up(&new, &hash, now_ms())?;
        with_session(class, &account, None)
    })
    .await
}

/// Handles `GET /api/v1/me`.
pub(in crate::web) async fn me(State(state): State<Arc<WebState>>, actor: Actor) -> WebResult {
    blocking(move || {
        let account = own_account(&state, &actor)?;
        Ok(json_of(StatusCode::OK, &PersonJson::from(&account)))
    })
    .await
}

/// Returns the account with this id.
fn account_of(state: &WebState, id: &str) -> WebResult<Account> {
    let missing = || WebError::missing(format!("there is no person with the id `{id}`"));
    state.class()?.people.account(id)?.ok_or_else(missing)
}

/// Returns the caller's account. Fails for the owner, who has no account.
fn own_account(state: &WebState, actor: &Actor) -> WebResult<Account> {
    state.class()?.people.account(actor.person())?.ok_or_else(|| {
        WebError::missing("you are logged in with the token of the server, not with an account")
            .help("log in with an account")
    })
}

/// Handles `POST /api/v1/me/password`: changes the caller's password, and ends the caller's other sessions.
pub(in crate::web) async fn change_password(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Extension(visit): Extension<Visit>,
    Extension(client): Extension<ClientAddress>,
    body: Body,
) -> WebResult {
    let asked: NewPasswordJson = read_json(body, MAX_BODY).await?;
    let class = state.class()?;
    check_password(&asked.new)?;
    let shared = state.clone();
    let work = move || {
        let class = shared.class()?;
        let account = own_account(&shared, &actor)?;
        class.begin_login(&account.login, client)?;
        let known = class.people.login(&account.login)?;
        let disabled = || WebError::missing(format!("the account `{}` is disabled", account.login));
        let (_, hash) = known.ok_or_else(disabled)?;
        if !hash.matches(&asked.old)? {
            return Err(WebError::new(StatusCode::FORBIDDEN, "the old password is wrong"));
        }
        class.login_succeeded(&account.login, client);
        class.people.set_password(&account.id, &PasswordHash::of(&asked.new)?, visit.session.as_deref())?;
        Ok(StatusCode::NO_CONTENT.into_response())
    };
    class.hashing(work).await
}

/// Handles `GET /api/v1/me/tokens`.
pub(in crate::web) async fn tokens(State(state): State<Arc<WebState>>, actor: Actor) -> WebResult {
    blocking(move || Ok(json_of(StatusCode::OK, &state.class()?.people.tokens(actor.person())?))).await
}

/// Handles `POST /api/v1/me/tokens`: creates a token for programs that use the API.
pub(in crate::web) async fn add_token(State(state): State<Arc<WebState>>, actor: Actor, body: Body) -> WebResult {
    let asked: NewTokenJson = read_json(body, MAX_BODY).await?;
    blocking(move || {
        let account = own_account(&state, &actor)?;
        let (record, secret) = state.class()?.people.add_token(&account.id, &asked.name, now_ms())?;
        Ok(json_of(StatusCode::CREATED, &serde_json::json!({ "id": record.id, "name": record.name, "token": secret })))
    })
    .await
}

/// Handles `DELETE /api/v1/me/tokens/{id}`.
pub(in crate::web) async fn revoke_token(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
) -> WebResult {
    blocking(move || {
        let found = state.class()?.people.revoke_token(actor.person(), &id)?;
        removed(found, format!("you have no token with the id `{id}`"))
    })
    .await
}

/// Returns a response with status 204 if `found` is true, otherwise an error with status 404 and the message `missing`.
fn removed(found: bool, missing: String) -> WebResult<Response> {
    if found { Ok(StatusCode::NO_CONTENT.into_response()) } else { Err(WebError::missing(missing)) }
}

/// Handles `GET /api/v1/people`.
pub(in crate::web) async fn list(State(state): State<Arc<WebState>>, actor: Actor) -> WebResult {
    blocking(move || {
        let class = state.class()?;
        actor.require_staff()?;
        let people: Vec<_> = class.people.accounts()?.iter().map(PersonJson::from).collect();
        Ok(json_of(StatusCode::OK, &people))
    })
    .await
}

/// Handles `PATCH /api/v1/people/{id}`: changes the role of a person, or disables or enables the account.
pub(in crate::web) async fn change(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
    body: Body,
) -> WebResult {
    state.class()?;
    actor.require_teacher()?;
    let asked: PersonChangeJson = read_json(body, MAX_BODY).await?;
    if asked.role == Some(PersonRole::Owner) {
        return Err(no_owner());
    }
    blocking(move || {
        account_of(&state, &id)?;
        let account = state.class()?.people.change(&id, asked.role, asked.disabled)?;
        Ok(json_of(StatusCode::OK, &PersonJson::from(&account)))
    })
    .await
}

fn no_owner() -> WebError {
    WebError::unprocessable("an account cannot have the role `owner`")
        .help("expected `teacher`, `assistant` or `student`")
}

/// Handles `POST /api/v1/people/{id}/reset`: creates a link with which a person sets a new password.
pub(in crate::web) async fn reset(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
) -> WebResult {
    blocking(move || {
        let class = state.class()?;
        actor.require_teacher()?;
        let account = account_of(&state, &id)?;
        let new = NewInvitation { role: account.role, name: Some(account.name), person: Some(id), single_use: true };
        let made = class.people.invite(&[new], now_ms())?;
        Ok(json_of(StatusCode::CREATED, &links(&made)))
    })
    .await
}

/// Handles `GET /api/v1/invitations`: lists the invitations that can still be accepted, without their codes.
pub(in crate::web) async fn invitations(State(state): State<Arc<WebState>>, actor: Actor) -> WebResult {
    blocking(move || {
        let class = state.class()?;
        actor.require_teacher()?;
        Ok(json_of(StatusCode::OK, &class.people.invitations(now_ms())?))
    })
    .await
}

/// Handles `POST /api/v1/invitations`.
pub(in crate::web) async fn invite(State(state): State<Arc<WebState>>, actor: Actor, body: Body) -> WebResult {
    state.class()?;
    actor.require_teacher()?;
    let asked: NewInvitationsJson = read_json(body, MAX_NAMES).await?;
    if asked.role == PersonRole::Owner {
        return Err(no_owner());
    }
    blocking(move || {
        let invitation = |name: Option<String>| {
            let single_use = name.is_some() || asked.role != PersonRole::Student;
            NewInvitation { role: asked.role, name, person: None, single_use }
        };
        let new: Vec<NewInvitation> = if asked.names.trim().is_empty() {
            vec![invitation(None)]
        } else {
            names_of_list(&asked.names)?.into_iter().map(|name| invitation(Some(name))).collect()
        };
        let made = state.class()?.people.invite(&new, now_ms())?;
        Ok(json_of(StatusCode::CREATED, &links(&made)))
    })
    .await
}

/// Returns the links of new invitations. The code of an invitation is in the fragment of its link. Browsers do not send
/// fragments, so the code does not appear in server logs.
fn links(made: &[(Invitation, String)]) -> Vec<InvitationLinkJson> {
    let link = |(invitation, code): &(Invitation, String)| InvitationLinkJson {
        id: invitation.id.clone(),
        name: invitation.name.clone(),
        path: format!("/join#{code}"),
    };
    made.iter().map(link).collect()
}

/// Handles `DELETE /api/v1/invitations/{id}`.
pub(in crate::web) async fn revoke_invitation(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
) -> WebResult {
    blocking(move || {
        let class = state.class()?;
        actor.require_teacher()?;
        let found = class.people.revoke_invitation(&id)?;
        removed(found, format!("there is no invitation with the id `{id}`"))
    })
    .await
}
