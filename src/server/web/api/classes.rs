//! Endpoints for classes, their progress, and the assignment of their files to students.

use std::sync::Arc;

use axum::Extension;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use serde::{Deserialize, Serialize};

use crate::classes::{OpenClass, RosterCorrectionJson};
use crate::model::Failure;
use crate::submissions::SubmissionId;

use super::super::actor::Actor;
use super::super::error::{WebError, WebResult};
use super::super::extract::{Path, Query};
use super::super::follow::{Followed, follow, last_event_id};
use super::super::guard::Visit;
use super::super::state::{WebState, blocking};
use super::json::{json_of, read_json};

/// Maximum size of a body with corrections of a roster, in bytes.
const MAX_CORRECTIONS: usize = 4 << 20;

/// Returns the class with this id.
pub(in crate::web) fn find_class(state: &WebState, id: &str) -> WebResult<Arc<OpenClass>> {
    state.classes.find(id).ok_or_else(|| missing(id))
}

fn missing(id: &str) -> WebError {
    WebError::missing(format!("there is no class with the id `{id}`"))
}

/// Handles `GET /api/v1/classes`.
pub(in crate::web) async fn list(State(state): State<Arc<WebState>>, actor: Actor) -> WebResult {
    actor.require_staff()?;
    blocking(move || Ok(json_of(StatusCode::OK, &state.classes.list()))).await
}

/// Handles `GET /api/v1/classes/{id}`.
pub(in crate::web) async fn show(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
) -> WebResult {
    answer_staff(state, &actor, id, move |class| Ok(class.overview())).await
}

/// Handles `DELETE /api/v1/classes/{id}`: removes the class with all its files.
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

/// Query parameters of the event stream.
#[derive(Debug, Deserialize)]
pub(in crate::web) struct EventsQuery {
    after: Option<u64>,
}

/// Handles `GET /api/v1/classes/{id}/events`: streams the events that follow the event with the number in
/// `Last-Event-ID` or in the query.
pub(in crate::web) async fn events(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Extension(visit): Extension<Visit>,
    Path(id): Path<String>,
    Query(query): Query<EventsQuery>,
    headers: HeaderMap,
) -> WebResult {
    actor.require_staff()?;
    find_class(&state, &id)?;
    let id: SubmissionId = id.parse().map_err(|_| missing(&id))?;
    follow(state, visit, (id, Followed::Class), last_event_id(&headers).or(query.after))
}

/// Responds with the value that `view` returns for a class. Only staff may send the request. `view` runs on a thread
/// for blocking work.
pub(in crate::web) async fn answer_staff<T: Serialize>(
    state: Arc<WebState>,
    actor: &Actor,
    id: String,
    view: impl FnOnce(&OpenClass) -> WebResult<T> + Send + 'static,
) -> WebResult {
    actor.require_staff()?;
    blocking(move || Ok(json_of(StatusCode::OK, &view(&*find_class(&state, &id)?)?))).await
}

/// Changes a class on behalf of a teacher, and responds with the value that `change` returns. `change` receives the id
/// of the teacher, and runs on a thread for blocking work.
pub(in crate::web) async fn answer_teacher<T: Serialize>(
    state: Arc<WebState>,
    actor: Actor,
    id: String,
    change: impl FnOnce(&OpenClass, &str) -> Result<T, Failure> + Send + 'static,
) -> WebResult {
    actor.require_teacher()?;
    blocking(move || Ok(json_of(StatusCode::OK, &change(&*find_class(&state, &id)?, actor.person())?))).await
}

/// Handles `POST /api/v1/classes/{id}/start`: starts judging a draft.
pub(in crate::web) async fn start(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
) -> WebResult {
    answer_teacher(state, actor, id, OpenClass::start).await
}

/// Handles `POST /api/v1/classes/{id}/pause`.
pub(in crate::web) async fn pause(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
) -> WebResult {
    answer_teacher(state, actor, id, OpenClass::pause).await
}

/// Handles `POST /api/v1/classes/{id}/resume`.
pub(in crate::web) async fn resume(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
) -> WebResult {
    answer_teacher(state, actor, id, OpenClass::resume).await
}

/// Handles `GET /api/v1/classes/{id}/roster`.
pub(in crate::web) async fn roster(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
) -> WebResult {
    answer_staff(state, &actor, id, move |class| Ok(class.roster())).await
}

/// Handles `PUT /api/v1/classes/{id}/roster`: corrects the assignment of files to students and problems.
pub(in crate::web) async fn correct(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
    body: Body,
) -> WebResult {
    actor.require_teacher()?;
    let corrections: Vec<RosterCorrectionJson> = read_json(body, MAX_CORRECTIONS).await?;
    answer_teacher(state, actor, id, move |class, who| class.correct(who, &corrections)).await
}
