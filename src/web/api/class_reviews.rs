//! `/api/v1/classes/{id}`: similar programs, wrong answers, verdicts on cases, single programs, and downloads.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use serde::Deserialize;
use serde_json::json;

use crate::unzip::decoded;

use super::super::actor::Actor;
use super::super::error::{WebError, WebResult};
use super::super::extract::{Path, Query};
use super::super::state::{WebState, blocking};
use super::classes::find_class;
use super::json::{json_of, read_body};

/// Maximum size of a table exported by another system, in bytes.
const MAX_TABLE: usize = 16 << 20;

/// `GET /api/v1/classes/{id}/similarity`.
pub(in crate::web) async fn similarity(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
) -> WebResult {
    actor.require_staff()?;
    blocking(move || Ok(json_of(StatusCode::OK, &find_class(&state, &id)?.similarity()?))).await
}

/// `GET /api/v1/classes/{id}/pairs/{pair}`: two similar programs with their common parts.
pub(in crate::web) async fn pair(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path((id, pair)): Path<(String, String)>,
) -> WebResult {
    actor.require_staff()?;
    blocking(move || {
        let missing = || WebError::missing("there is no such pair of similar programs");
        Ok(json_of(StatusCode::OK, &find_class(&state, &id)?.pair(&pair)?.ok_or_else(missing)?))
    })
    .await
}

/// `GET /api/v1/classes/{id}/groups`: wrong answers by the smallest input that they fail.
pub(in crate::web) async fn groups(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
) -> WebResult {
    actor.require_staff()?;
    blocking(move || Ok(json_of(StatusCode::OK, &find_class(&state, &id)?.groups()?))).await
}

/// `GET /api/v1/classes/{id}/tests/{problem}`: the verdicts of all students on all cases.
pub(in crate::web) async fn tests(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path((id, problem)): Path<(String, String)>,
) -> WebResult {
    actor.require_staff()?;
    blocking(move || Ok(json_of(StatusCode::OK, &find_class(&state, &id)?.tests(&problem)?))).await
}

/// Query parameters of a submission.
#[derive(Debug, Deserialize)]
pub(in crate::web) struct AttemptQuery {
    path: Option<String>,
}

/// `GET /api/v1/classes/{id}/submissions/{student}/{problem}`: a program with its result.
pub(in crate::web) async fn submission(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path((id, student, problem)): Path<(String, String, String)>,
    Query(query): Query<AttemptQuery>,
) -> WebResult {
    actor.require_staff()?;
    blocking(move || {
        let view = find_class(&state, &id)?.submission(&student, &problem, query.path.as_deref())?;
        Ok(json_of(StatusCode::OK, &view))
    })
    .await
}

/// `GET /api/v1/classes/{id}/downloads`.
pub(in crate::web) async fn downloads(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
) -> WebResult {
    actor.require_staff()?;
    blocking(move || Ok(json_of(StatusCode::OK, &find_class(&state, &id)?.downloads()))).await
}

/// `GET /api/v1/classes/{id}/downloads/{name}`: a file as `nimatron grade` writes it.
pub(in crate::web) async fn download(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path((id, name)): Path<(String, String)>,
) -> WebResult {
    actor.require_staff()?;
    blocking(move || {
        let found = find_class(&state, &id)?.download(&name)?;
        let file = found.ok_or_else(|| WebError::missing("there is no such download"))?;
        let attachment = format!("attachment; filename=\"{}\"", file.name);
        let headers = [(header::CONTENT_TYPE, file.content_type), (header::CONTENT_DISPOSITION, attachment)];
        Ok((headers, file.bytes).into_response())
    })
    .await
}

/// Query parameters of a table to be filled.
#[derive(Debug, Deserialize)]
pub(in crate::web) struct FillQuery {
    /// Title of the assignment in Canvas.
    title: Option<String>,
}

/// `POST /api/v1/classes/{id}/downloads/{name}`: fills a table that was exported from Moodle or Canvas.
pub(in crate::web) async fn fill(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path((id, name)): Path<(String, String)>,
    Query(query): Query<FillQuery>,
    body: Body,
) -> WebResult {
    actor.require_staff()?;
    let table = read_body(body, MAX_TABLE).await?;
    blocking(move || {
        let class = find_class(&state, &id)?;
        let table = decoded(table.to_vec());
        let filled = match name.as_str() {
            "moodle.csv" => class.fill_moodle(&table)?,
            "canvas.csv" => class.fill_canvas(&table, query.title.as_deref())?,
            _ => return Err(WebError::missing("only moodle.csv and canvas.csv can be filled")),
        };
        let (text, unknown, warning) = (filled.text, filled.unknown, filled.warning);
        Ok(json_of(StatusCode::OK, &json!({ "name": name, "text": text, "unknown": unknown, "warning": warning })))
    })
    .await
}
