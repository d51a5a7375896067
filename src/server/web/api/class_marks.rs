//! Endpoints of a class for the gradebook, overrides of marks, repeated judging, the log of changes and the rules.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use serde::Deserialize;
use serde_json::json;

use crate::classes::{NewOverride, NewRules, OpenClass};

use super::super::actor::Actor;
use super::super::error::WebResult;
use super::super::extract::Path;
use super::super::state::{WebState, blocking};
use super::classes::{answer_staff, answer_teacher, find_class};
use super::json::{json_of, read_json};

/// Maximum size of a request body, in bytes. The largest bodies contain a policy or a table of extensions.
const MAX_BODY: usize = 1 << 20;

/// Body of `POST /api/v1/classes/{id}/rejudge`.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Rejudge")]
pub(in crate::web) struct RejudgeJson {
    /// Name of the student; null for all students.
    student: Option<String>,
    /// Id of the problem; null for all problems.
    problem: Option<String>,
    /// Reason that is recorded in the log.
    #[serde(default)]
    reason: String,
}

/// Body of `POST /api/v1/classes/{id}/overrides/undo`.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "UndoOverride")]
pub(in crate::web) struct UndoJson {
    /// Name of the student.
    student: String,
    /// Id of the problem, or name of a criterion of the rubric.
    problem: String,
}

/// Handles `POST /api/v1/classes/{id}/rejudge`.
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

/// Handles `GET /api/v1/classes/{id}/gradebook`: returns the gradebook with the state of each mark.
pub(in crate::web) async fn gradebook(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
) -> WebResult {
    answer_staff(state, &actor, id, move |class| Ok(class.gradebook()?)).await
}

/// Handles `GET /api/v1/classes/{id}/gradebook.csv`: returns the gradebook as CSV, in the format that `nimatron grade`
/// writes.
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

/// Handles `GET /api/v1/classes/{id}/gradebook.json`: returns the gradebook as JSON, in the format that `nimatron
/// grade` writes.
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

/// Handles `POST /api/v1/classes/{id}/overrides`: overrides a mark.
pub(in crate::web) async fn set_override(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
    body: Body,
) -> WebResult {
    actor.require_teacher()?;
    let new: NewOverride = read_json(body, MAX_BODY).await?;
    let change = move |class: &OpenClass, who: &str| Ok(json!({ "mark": class.set_override(who, &new)? }));
    answer_teacher(state, actor, id, change).await
}

/// Handles `POST /api/v1/classes/{id}/overrides/undo`: undoes the latest override of a mark.
pub(in crate::web) async fn undo_override(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
    body: Body,
) -> WebResult {
    actor.require_teacher()?;
    let UndoJson { student, problem } = read_json(body, MAX_BODY).await?;
    let change =
        move |class: &OpenClass, who: &str| Ok(json!({ "mark": class.undo_override(who, &student, &problem)? }));
    answer_teacher(state, actor, id, change).await
}

/// Handles `GET /api/v1/classes/{id}/log`: returns the log of changes.
pub(in crate::web) async fn log(State(state): State<Arc<WebState>>, actor: Actor, Path(id): Path<String>) -> WebResult {
    answer_staff(state, &actor, id, move |class| Ok(class.log()?)).await
}

/// Handles `GET /api/v1/classes/{id}/rules`.
pub(in crate::web) async fn rules(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
) -> WebResult {
    answer_staff(state, &actor, id, move |class| Ok(class.rules())).await
}

/// Handles `PUT /api/v1/classes/{id}/rules`: replaces the rules.
pub(in crate::web) async fn set_rules(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
    body: Body,
) -> WebResult {
    actor.require_teacher()?;
    let new: NewRules = read_json(body, MAX_BODY).await?;
    answer_teacher(state, actor, id, move |class, who| class.set_rules(who, &new)).await
}

/// Handles `POST /api/v1/classes/{id}/rules/preview`: returns the marks and totals that would change under the rules in
/// the request body.
pub(in crate::web) async fn preview(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
    body: Body,
) -> WebResult {
    actor.require_teacher()?;
    let new: NewRules = read_json(body, MAX_BODY).await?;
    answer_teacher(state, actor, id, move |class, _| class.preview(&new)).await
}
