//! `/api/v1/classes`: the classes, how far they are judged, and whose the files are.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use serde::Deserialize;

use crate::classes::{ClassOverview, OpenClass, RosterCorrectionJson};
use crate::model::Failure;
use crate::submissions::SubmissionId;

use super::super::actor::Actor;
use super::super::error::{WebError, WebResult};
use super::super::extract::{Path, Query};
use super::super::follow::{Followed, follow, last_event_id};
use super::super::state::{WebState, blocking};
use super::json::{json_of, read_json};

/// Maximum size of the corrections of a roster, in bytes.
const MAX_CORRECTIONS: usize = 4 << 20;

/// The class with this id.
pub(in crate::web) fn find_class(state: &WebState, id: &str) -> WebResult<Arc<OpenClass>> {
    state.classes.find(id).ok_or_else(|| WebError::missing("there is no such class"))
}

/// `GET /api/v1/classes`.
pub(in crate::web) async fn list(State(state): State<Arc<WebState>>, actor: Actor) -> WebResult {
    actor.require_staff()?;
    blocking(move || Ok(json_of(StatusCode::OK, &state.classes.list()))).await
}

/// `GET /api/v1/classes/{id}`.
pub(in crate::web) async fn show(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
) -> WebResult {
    actor.require_staff()?;
    blocking(move || Ok(json_of(StatusCode::OK, &find_class(&state, &id)?.overview()))).await
}

/// `DELETE /api/v1/classes/{id}`: removes the class with all its files.
pub(in crate::web) async fn delete(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
) -> WebResult {
    actor.require_teacher()?;
    blocking(move || {
        find_class(&state, &id)?;
        state.classes.delete(&id)?;
        Ok(StatusCode::NO_CONTENT.into_response())
    })
    .await
}

/// Query parameters of the events.
#[derive(Debug, Deserialize)]
pub(in crate::web) struct EventsQuery {
    after: Option<u64>,
}

/// `GET /api/v1/classes/{id}/events`: server-sent events after the one that `Last-Event-ID` names, or `after`.
pub(in crate::web) async fn events(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
    Query(query): Query<EventsQuery>,
    headers: HeaderMap,
) -> WebResult {
    actor.require_staff()?;
    find_class(&state, &id)?;
    let id: SubmissionId = id.parse().map_err(|_| WebError::missing("there is no such class"))?;
    follow(state, id, Followed::Class, last_event_id(&headers).or(query.after))
}

/// Changes whether a class is judged, and answers with the class.
async fn change(
    state: Arc<WebState>,
    actor: Actor,
    id: String,
    change: fn(&OpenClass, &str) -> Result<ClassOverview, Failure>,
) -> WebResult {
    actor.require_teacher()?;
    blocking(move || {
        let overview = change(&*find_class(&state, &id)?, actor.person())?;
        Ok(json_of(StatusCode::OK, &overview))
    })
    .await
}

/// `POST /api/v1/classes/{id}/start`: judges a draft.
pub(in crate::web) async fn start(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
) -> WebResult {
    change(state, actor, id, OpenClass::start).await
}

/// `POST /api/v1/classes/{id}/pause`.
pub(in crate::web) async fn pause(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
) -> WebResult {
    change(state, actor, id, OpenClass::pause).await
}

/// `POST /api/v1/classes/{id}/resume`.
pub(in crate::web) async fn resume(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
) -> WebResult {
    change(state, actor, id, OpenClass::resume).await
}

/// `GET /api/v1/classes/{id}/roster`.
pub(in crate::web) async fn roster(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
) -> WebResult {
    actor.require_staff()?;
    blocking(move || Ok(json_of(StatusCode::OK, &find_class(&state, &id)?.roster()))).await
}

/// `PUT /api/v1/classes/{id}/roster`: corrects whose the files are.
pub(in crate::web) async fn correct(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
    body: Body,
) -> WebResult {
    actor.require_teacher()?;
    let corrections: Vec<RosterCorrectionJson> = read_json(body, MAX_CORRECTIONS).await?;
    blocking(move || {
        let roster = find_class(&state, &id)?.correct(actor.person(), &corrections)?;
        Ok(json_of(StatusCode::OK, &roster))
    })
    .await
}
