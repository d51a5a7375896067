//! Endpoints for searches for inputs on which a program fails.

use std::sync::Arc;

use axum::Extension;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use serde::{Deserialize, Serialize};

use crate::searches::{NewSearch, SearchView, StartSearchError};
use crate::submissions::SubmissionId;

use super::super::actor::Actor;
use super::super::error::{WebError, WebResult};
use super::super::extract::Path;
use super::super::feedback::hide_reasons;
use super::super::follow::{Followed, follow, last_event_id};
use super::super::guard::Visit;
use super::super::state::{WebState, blocking};
use super::json::{json_of, read_json};
use super::program::{MAX_REQUEST, checked_program};

/// Allowed durations of a search, in seconds.
const SECONDS: std::ops::RangeInclusive<u32> = 1..=600;

/// Body of `POST /api/v1/stress`.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "NewSearch")]
pub(in crate::web) struct NewSearchJson {
    /// Id of the problem.
    problem: String,
    /// Id of the language; by default it is derived from the extension of `name`.
    language: Option<String>,
    /// File name of the program; by default it is derived from `language`.
    name: Option<String>,
    /// Source text of the program.
    source: String,
    /// Maximum duration in seconds, from 1 to 600; 60 by default.
    seconds: Option<u32>,
    /// A correct program, possibly slow, that computes the expected answers in place of the reference solution.
    against: Option<AgainstJson>,
    /// One-line specification of the inputs, such as `n: 1..=10; a[n]: 1..=100`, for a problem that has no
    /// specification.
    input_spec: Option<String>,
}

/// A program that computes the expected answers.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "AnsweringProgram")]
struct AgainstJson {
    /// File name, whose extension determines the language.
    name: String,
    source: String,
}

/// A search, as returned by the API.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[schemars(rename = "Search")]
pub(in crate::web) struct SearchJson {
    id: String,
    problem: String,
    /// File name of the program.
    name: String,
    language: String,
    /// State: `queued`, `running`, `finished` or `cancelled`.
    state: String,
    /// Time at which the search was requested, in milliseconds since the Unix epoch.
    created: i64,
    /// The event `stress_finished`, with which the search ended; absent until then.
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<serde_json::Value>,
}

impl SearchJson {
    fn new(search: SearchView, explains: bool) -> SearchJson {
        let mut result = search.finished;
        if let Some(event) = result.as_mut().and_then(serde_json::Value::as_object_mut).filter(|_| !explains) {
            hide_reasons(event);
        }
        SearchJson {
            id: search.id.to_string(),
            problem: search.problem.to_string(),
            name: search.name,
            language: search.language,
            state: search.state.name().to_owned(),
            created: search.created,
            result,
        }
    }
}

impl From<StartSearchError> for WebError {
    fn from(error: StartSearchError) -> WebError {
        let message = error.to_string();
        match error {
            StartSearchError::OneAtATime => {
                WebError::new(StatusCode::TOO_MANY_REQUESTS, message).help("cancel that search, or wait until it ends")
            }
            StartSearchError::Full { .. } | StartSearchError::ShuttingDown => {
                WebError::new(StatusCode::SERVICE_UNAVAILABLE, message)
            }
            StartSearchError::Failed(failure) => failure.into(),
        }
    }
}

/// Handles `POST /api/v1/stress`.
pub(in crate::web) async fn start(State(state): State<Arc<WebState>>, actor: Actor, body: Body) -> WebResult {
    let new: NewSearchJson = read_json(body, MAX_REQUEST).await?;
    let installed = state.languages().await?.to_vec();
    blocking(move || {
        let program = (new.language.as_deref(), new.name, &*new.source);
        let program = checked_program(&state, &actor, &installed, &new.problem, program)?;
        state.require_full_feedback(&actor, program.problem.as_str())?;
        let seconds = new.seconds.unwrap_or(60);
        if !SECONDS.contains(&seconds) {
            let (least, most) = (*SECONDS.start(), *SECONDS.end());
            return Err(WebError::unprocessable(format!(
                "`seconds` is {seconds}, but must be between {least} and {most}"
            )));
        }
        let against = match new.against {
            Some(AgainstJson { name, source }) => {
                let checked = checked_program(&state, &actor, &installed, &new.problem, (None, Some(name), &*source));
                let checked = checked.map_err(|error| WebError {
                    message: format!("invalid program in `against`: {}", error.message),
                    ..error
                })?;
                Some((checked.name, source.into_bytes()))
            }
            None => None,
        };
        let search = NewSearch {
            person: actor.person().to_owned(),
            problem: program.problem,
            name: program.name,
            language: program.language,
            source: new.source.into_bytes(),
            seconds,
            against,
            input_spec: new.input_spec,
        };
        let id = state.searches.start(&search)?;
        Ok(json_of(StatusCode::ACCEPTED, &serde_json::json!({ "id": id.to_string() })))
    })
    .await
}

/// Returns the search with this id if the actor may see it.
pub(in crate::web) fn find_search(state: &WebState, actor: &Actor, id: &str) -> WebResult<SearchView> {
    let found = id.parse().ok().and_then(|id| state.searches.get(&id));
    found.filter(|search| actor.sees_work_of(&search.person)).ok_or_else(|| {
        WebError::missing(format!("there is no search with the id `{id}`"))
            .help("the server keeps only the latest searches and discards them when it restarts; start a new search")
    })
}

/// Returns whether the caller may see why the positions of the problem's game are won or lost.
fn explains(state: &WebState, actor: &Actor, search: &SearchView) -> WebResult<bool> {
    Ok(state.closed_by(actor, search.problem.as_str())?.is_none())
}

/// Returns the id of the search, and the [`Followed::Search`] that states whether the caller may see why positions are
/// won or lost.
pub(in crate::web) fn followed_search(
    state: &WebState,
    actor: &Actor,
    id: &str,
) -> WebResult<(SubmissionId, Followed)> {
    let search = find_search(state, actor, id)?;
    let explains = explains(state, actor, &search)?;
    Ok((search.id, Followed::Search { explains }))
}

/// Handles `GET /api/v1/stress/{id}`.
pub(in crate::web) async fn show(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
) -> WebResult {
    blocking(move || {
        let search = find_search(&state, &actor, &id)?;
        let explains = explains(&state, &actor, &search)?;
        Ok(json_of(StatusCode::OK, &SearchJson::new(search, explains)))
    })
    .await
}

/// Handles `GET /api/v1/stress`: lists the caller's searches, the latest first.
pub(in crate::web) async fn list(State(state): State<Arc<WebState>>, actor: Actor) -> WebResult {
    blocking(move || {
        let row =
            |search: SearchView| explains(&state, &actor, &search).map(|explains| SearchJson::new(search, explains));
        let searches = state.searches.of_person(actor.person()).into_iter().map(row);
        Ok(json_of(StatusCode::OK, &searches.collect::<WebResult<Vec<_>>>()?))
    })
    .await
}

/// Handles `GET /api/v1/stress/{id}/events`: streams the events of the search, up to `stress_finished`.
pub(in crate::web) async fn events(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Extension(visit): Extension<Visit>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> WebResult {
    let shared = state.clone();
    let followed = blocking(move || followed_search(&shared, &actor, &id)).await?;
    follow(state, visit, followed, last_event_id(&headers))
}

/// Handles `DELETE /api/v1/stress/{id}`: cancels the search. A failing input that was already found is kept.
pub(in crate::web) async fn cancel(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
) -> WebResult {
    let search = find_search(&state, &actor, &id)?;
    actor.require_change_of(&search.person)?;
    state.searches.cancel(&search.id);
    Ok(StatusCode::NO_CONTENT.into_response())
}
