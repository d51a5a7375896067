//! Endpoints for assignments and for the settings of the class, on servers with accounts.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use serde::{Deserialize, Serialize};

use crate::clock::now_ms;
use crate::people::{Account, Assignment, AssignmentDraft, AssignmentPhase, AssignmentStandings, PersonRole};

use super::super::actor::Actor;
use super::super::error::{WebError, WebResult};
use super::super::extract::Path;
use super::super::state::{WebState, blocking};
use super::json::{json_of, read_json};

/// Maximum size of a request body, in bytes.
const MAX_BODY: usize = 64 << 10;

/// Settings of the class.
#[derive(Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "ClassSettings")]
#[serde(deny_unknown_fields)]
pub(in crate::web) struct ClassSettingsJson {
    /// Whether students see only the problems of assignments that have started.
    restricted: bool,
}

/// An assignment with its current phase.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[schemars(rename = "Assignment")]
pub(in crate::web) struct AssignmentJson {
    #[serde(flatten)]
    assignment: Assignment,
    /// Phase: `upcoming`, `open` or `ended`.
    #[schemars(with = "String")]
    phase: AssignmentPhase,
}

impl AssignmentJson {
    fn new(assignment: Assignment) -> AssignmentJson {
        let phase = assignment.phase(now_ms());
        AssignmentJson { assignment, phase }
    }
}

/// Returns the assignment with this id if it is visible to the actor.
pub(in crate::web) fn find(state: &WebState, actor: &Actor, id: &str) -> WebResult<Assignment> {
    let found = state.class()?.assignments_for(actor)?.into_iter().find(|assignment| assignment.id == id);
    found.ok_or_else(|| missing(id))
}

fn missing(id: &str) -> WebError {
    WebError::missing(format!("there is no assignment with the id `{id}`"))
}

/// Handles `GET /api/v1/assignments`.
pub(in crate::web) async fn list(State(state): State<Arc<WebState>>, actor: Actor) -> WebResult {
    blocking(move || {
        let all = state.class()?.assignments_for(&actor)?;
        Ok(json_of(StatusCode::OK, &all.into_iter().map(AssignmentJson::new).collect::<Vec<_>>()))
    })
    .await
}

/// Handles `GET /api/v1/assignments/{id}`.
pub(in crate::web) async fn show(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
) -> WebResult {
    blocking(move || Ok(json_of(StatusCode::OK, &AssignmentJson::new(find(&state, &actor, &id)?)))).await
}

/// Checks that the problems of an assignment exist.
fn check(state: &WebState, actor: &Actor, draft: &AssignmentDraft) -> WebResult<()> {
    let listing = state.listing(actor)?;
    match draft.problems.iter().find(|problem| listing.entry(problem.as_str()).is_none()) {
        None => Ok(()),
        Some(unknown) => {
            Err(WebError { status: StatusCode::UNPROCESSABLE_ENTITY, ..listing.unknown(unknown.as_str()) })
        }
    }
}

/// Handles `POST /api/v1/assignments`.
pub(in crate::web) async fn add(State(state): State<Arc<WebState>>, actor: Actor, body: Body) -> WebResult {
    state.class()?;
    actor.require_teacher()?;
    let draft: AssignmentDraft = read_json(body, MAX_BODY).await?;
    blocking(move || {
        check(&state, &actor, &draft)?;
        let made = state.class()?.people.add_assignment(draft)?;
        Ok(json_of(StatusCode::CREATED, &AssignmentJson::new(made)))
    })
    .await
}

/// Handles `PUT /api/v1/assignments/{id}`.
pub(in crate::web) async fn change(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
    body: Body,
) -> WebResult {
    state.class()?;
    actor.require_teacher()?;
    let draft: AssignmentDraft = read_json(body, MAX_BODY).await?;
    blocking(move || {
        find(&state, &actor, &id)?;
        check(&state, &actor, &draft)?;
        let changed = state.class()?.people.change_assignment(&id, draft)?;
        Ok(json_of(StatusCode::OK, &AssignmentJson::new(changed)))
    })
    .await
}

/// Handles `DELETE /api/v1/assignments/{id}`: removes the assignment, but not its submissions.
pub(in crate::web) async fn remove(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
) -> WebResult {
    blocking(move || {
        let class = state.class()?;
        actor.require_teacher()?;
        if !class.people.remove_assignment(&id)? {
            return Err(missing(&id));
        }
        Ok(StatusCode::NO_CONTENT.into_response())
    })
    .await
}

/// Returns the standings of an assignment. They contain all students with enabled accounts if the actor may see all
/// work, otherwise only the actor.
pub(in crate::web) fn standings_of(
    state: &WebState,
    actor: &Actor,
    assignment: &Assignment,
) -> WebResult<AssignmentStandings> {
    let people: Vec<Account> = if actor.sees_all() {
        let accounts = state.class()?.people.accounts()?.into_iter();
        accounts.filter(|account| account.role == PersonRole::Student && !account.disabled).collect()
    } else {
        state.class()?.people.account(actor.person())?.into_iter().collect()
    };
    let person = (!actor.sees_all()).then(|| actor.person());
    let runs = state.queue.attempts(&assignment.draft.problems, person, assignment.draft.start)?;
    Ok(AssignmentStandings::new(assignment, &people, &runs))
}

/// Handles `GET /api/v1/assignments/{id}/standings`.
pub(in crate::web) async fn standings(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
) -> WebResult {
    blocking(move || {
        let assignment = find(&state, &actor, &id)?;
        Ok(json_of(StatusCode::OK, &standings_of(&state, &actor, &assignment)?))
    })
    .await
}

/// Handles `GET /api/v1/assignments/{id}/standings.csv`.
pub(in crate::web) async fn standings_csv(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
) -> WebResult {
    blocking(move || {
        state.class()?;
        actor.require_staff()?;
        let assignment = find(&state, &actor, &id)?;
        let text = standings_of(&state, &actor, &assignment)?.csv();
        let headers = [
            (header::CONTENT_TYPE, "text/csv; charset=utf-8"),
            (header::CONTENT_DISPOSITION, "attachment; filename=\"standings.csv\""),
        ];
        Ok((headers, text).into_response())
    })
    .await
}

/// Handles `GET /api/v1/settings`.
pub(in crate::web) async fn settings(State(state): State<Arc<WebState>>, actor: Actor) -> WebResult {
    blocking(move || {
        let class = state.class()?;
        actor.require_staff()?;
        Ok(json_of(StatusCode::OK, &ClassSettingsJson { restricted: class.people.is_restricted()? }))
    })
    .await
}

/// Handles `PUT /api/v1/settings`.
pub(in crate::web) async fn change_settings(State(state): State<Arc<WebState>>, actor: Actor, body: Body) -> WebResult {
    state.class()?;
    actor.require_teacher()?;
    let asked: ClassSettingsJson = read_json(body, MAX_BODY).await?;
    blocking(move || {
        state.class()?.people.set_restricted(asked.restricted)?;
        Ok(json_of(StatusCode::OK, &asked))
    })
    .await
}
