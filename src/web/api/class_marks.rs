//! `/api/v1/classes/{id}`: the gradebook, marks given by hand, the log, and rules.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use serde::Deserialize;
use serde_json::json;

use crate::classes::{NewOverride, NewRules};

use super::super::actor::Actor;
use super::super::error::WebResult;
use super::super::extract::Path;
use super::super::state::{WebState, blocking};
use super::classes::find_class;
use super::json::{json_of, read_json};

/// Maximum size of a body, in bytes: a policy or a table of extensions.
const MAX_BODY: usize = 1 << 20;

/// The body of `POST /api/v1/classes/{id}/rejudge`.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Rejudge")]
pub(in crate::web) struct RejudgeJson {
    /// Whose programs; all students if it is missing.
    student: Option<String>,
    /// Id of the problem; all problems if it is missing.
    problem: Option<String>,
    /// Why, for the log.
    #[serde(default)]
    reason: String,
}

/// The body of `POST /api/v1/classes/{id}/overrides/undo`.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "UndoOverride")]
pub(in crate::web) struct UndoJson {
    /// The student.
    student: String,
    /// Id of the problem, or the name of a criterion of the rubric.
    problem: String,
}

/// `POST /api/v1/classes/{id}/rejudge`.
pub(in crate::web) async fn rejudge(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
    body: Body,
) -> WebResult {
    actor.require_teacher()?;
    let RejudgeJson { student, problem, reason } = read_json(body, MAX_BODY).await?;
    blocking(move || {
        let class = find_class(&state, &id)?;
        let queued = class.rejudge(actor.person(), student.as_deref(), problem.as_deref(), &reason)?;
        Ok(json_of(StatusCode::ACCEPTED, &json!({ "queued": queued })))
    })
    .await
}

/// `GET /api/v1/classes/{id}/gradebook`: the gradebook with the states of the programs.
pub(in crate::web) async fn gradebook(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
) -> WebResult {
    actor.require_staff()?;
    blocking(move || Ok(json_of(StatusCode::OK, &find_class(&state, &id)?.gradebook()?))).await
}

/// `GET /api/v1/classes/{id}/gradebook.csv`: as `nimatron grade` writes it.
pub(in crate::web) async fn gradebook_csv(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
) -> WebResult {
    actor.require_staff()?;
    blocking(move || {
        let text = find_class(&state, &id)?.gradebook_csv()?;
        Ok(([(header::CONTENT_TYPE, "text/csv; charset=utf-8")], text).into_response())
    })
    .await
}

/// `GET /api/v1/classes/{id}/gradebook.json`: as `nimatron grade` writes it.
pub(in crate::web) async fn gradebook_json(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
) -> WebResult {
    actor.require_staff()?;
    blocking(move || {
        let bytes = find_class(&state, &id)?.gradebook_json()?;
        Ok(([(header::CONTENT_TYPE, "application/json")], bytes).into_response())
    })
    .await
}

/// `POST /api/v1/classes/{id}/overrides`: gives a mark by hand.
pub(in crate::web) async fn set_override(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
    body: Body,
) -> WebResult {
    actor.require_teacher()?;
    let new: NewOverride = read_json(body, MAX_BODY).await?;
    blocking(move || {
        let mark = find_class(&state, &id)?.set_override(actor.person(), &new)?;
        Ok(json_of(StatusCode::OK, &json!({ "mark": mark })))
    })
    .await
}

/// `POST /api/v1/classes/{id}/overrides/undo`: takes back the latest override of a mark.
pub(in crate::web) async fn undo_override(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
    body: Body,
) -> WebResult {
    actor.require_teacher()?;
    let UndoJson { student, problem } = read_json(body, MAX_BODY).await?;
    blocking(move || {
        let mark = find_class(&state, &id)?.undo_override(actor.person(), &student, &problem)?;
        Ok(json_of(StatusCode::OK, &json!({ "mark": mark })))
    })
    .await
}

/// `GET /api/v1/classes/{id}/log`: who did what.
pub(in crate::web) async fn log(State(state): State<Arc<WebState>>, actor: Actor, Path(id): Path<String>) -> WebResult {
    actor.require_staff()?;
    blocking(move || Ok(json_of(StatusCode::OK, &find_class(&state, &id)?.log()?))).await
}

/// `GET /api/v1/classes/{id}/rules`.
pub(in crate::web) async fn rules(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
) -> WebResult {
    actor.require_staff()?;
    blocking(move || Ok(json_of(StatusCode::OK, &find_class(&state, &id)?.rules()))).await
}

/// `PUT /api/v1/classes/{id}/rules`: applies other rules.
pub(in crate::web) async fn set_rules(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
    body: Body,
) -> WebResult {
    actor.require_teacher()?;
    let new: NewRules = read_json(body, MAX_BODY).await?;
    blocking(move || {
        let rules = find_class(&state, &id)?.set_rules(actor.person(), &new)?;
        Ok(json_of(StatusCode::OK, &rules))
    })
    .await
}

/// `POST /api/v1/classes/{id}/rules/preview`: what other rules would change.
pub(in crate::web) async fn preview(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
    body: Body,
) -> WebResult {
    actor.require_teacher()?;
    let new: NewRules = read_json(body, MAX_BODY).await?;
    blocking(move || Ok(json_of(StatusCode::OK, &find_class(&state, &id)?.preview(&new)?))).await
}
