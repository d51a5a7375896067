//! Endpoints of a class for similar programs, wrong answers, verdicts on cases, single submissions and downloads.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use serde::Deserialize;
use serde_json::json;

use crate::classes::OpenClass;
use crate::unzip::decoded;

use super::super::actor::Actor;
use super::super::error::{WebError, WebResult};
use super::super::extract::{Path, Query};
use super::super::state::{WebState, blocking};
use super::classes::{answer_staff, find_class};
use super::json::{json_of, read_body};

/// Maximum size of a table exported by another system, in bytes.
const MAX_TABLE: usize = 16 << 20;

/// Handles `GET /api/v1/classes/{id}/similarity`.
pub(in crate::web) async fn similarity(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
) -> WebResult {
    answer_staff(state, &actor, id, move |class| Ok(class.similarity()?)).await
}

/// Handles `GET /api/v1/classes/{id}/pairs/{pair}`: returns two similar programs with their common parts.
pub(in crate::web) async fn pair(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path((id, pair)): Path<(String, String)>,
) -> WebResult {
    answer_staff(state, &actor, id, move |class| {
        let missing = || WebError::missing(format!("there is no pair of similar programs with the id `{pair}`"));
        class.pair(&pair)?.ok_or_else(missing)
    })
    .await
}

/// Handles `GET /api/v1/classes/{id}/groups`: returns the failed programs, grouped by the smallest input on which they
/// fail.
pub(in crate::web) async fn groups(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
) -> WebResult {
    answer_staff(state, &actor, id, move |class| Ok(class.groups()?)).await
}

/// Handles `GET /api/v1/classes/{id}/tests/{problem}`: returns the verdict of each student's program on each case.
pub(in crate::web) async fn tests(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path((id, problem)): Path<(String, String)>,
) -> WebResult {
    answer_staff(state, &actor, id, move |class| Ok(class.tests(&problem)?)).await
}

/// Query parameters of the request for a submission.
#[derive(Debug, Deserialize)]
pub(in crate::web) struct AttemptQuery {
    path: Option<String>,
}

/// Handles `GET /api/v1/classes/{id}/submissions/{student}/{problem}`: returns a program with its result.
pub(in crate::web) async fn submission(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path((id, student, problem)): Path<(String, String, String)>,
    Query(query): Query<AttemptQuery>,
) -> WebResult {
    let view = move |class: &OpenClass| Ok(class.submission(&student, &problem, query.path.as_deref())?);
    answer_staff(state, &actor, id, view).await
}

/// Handles `GET /api/v1/classes/{id}/downloads`.
pub(in crate::web) async fn downloads(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
) -> WebResult {
    answer_staff(state, &actor, id, move |class| Ok(class.downloads())).await
}

/// Handles `GET /api/v1/classes/{id}/downloads/{name}`: returns a file in the format that `nimatron grade` writes.
pub(in crate::web) async fn download(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path((id, name)): Path<(String, String)>,
) -> WebResult {
    actor.require_staff()?;
    blocking(move || {
        let found = find_class(&state, &id)?.download(&name)?;
        let file = found.ok_or_else(|| WebError::missing(format!("there is no download named `{name}`")))?;
        let attachment = format!("attachment; filename=\"{}\"", file.name);
        let headers = [(header::CONTENT_TYPE, file.content_type), (header::CONTENT_DISPOSITION, attachment)];
        Ok((headers, file.bytes).into_response())
    })
    .await
}

/// Query parameters for filling in an exported table.
#[derive(Debug, Deserialize)]
pub(in crate::web) struct FillQuery {
    /// Title of the assignment in Canvas.
    title: Option<String>,
}

/// Handles `POST /api/v1/classes/{id}/downloads/{name}`: fills in a table that was exported from Moodle or Canvas.
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
            other => {
                return Err(WebError::missing(format!(
                    "`{other}` is not the name of a table that the server can fill in"
                ))
                .help("expected `moodle.csv` or `canvas.csv`"));
            }
        };
        let (text, unknown, warning) = (filled.text, filled.unknown, filled.warning);
        Ok(json_of(StatusCode::OK, &json!({ "name": name, "text": text, "unknown": unknown, "warning": warning })))
    })
    .await
}
