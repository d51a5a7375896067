//! `/api/v1/stress`: searches for inputs that a program fails.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use serde::{Deserialize, Serialize};

use crate::searches::{NewSearch, SearchView, StartSearchError};

use super::super::actor::Actor;
use super::super::error::{WebError, WebResult};
use super::super::extract::Path;
use super::super::follow::{Followed, follow, last_event_id};
use super::super::state::{WebState, blocking};
use super::json::{json_of, read_json};
use super::program::{MAX_REQUEST, checked_program};

/// The range of the duration of a search, in seconds.
const SECONDS: std::ops::RangeInclusive<u32> = 1..=600;

/// The body of `POST /api/v1/stress`.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "NewSearch")]
pub(in crate::web) struct NewSearchJson {
    /// The id of the problem.
    problem: String,
    /// The id of the language; derived from the name if it is missing.
    language: Option<String>,
    /// The file name of the program.
    name: Option<String>,
    /// The text of the program.
    source: String,
    /// The maximum duration, from 1 to 600 seconds; 60 if it is missing.
    seconds: Option<u32>,
    /// A correct program, which may be slow, that gives the answers in place of the reference.
    against: Option<AgainstJson>,
    /// A description of the inputs on one line, such as `n: 1..=10; a[n]: 1..=100`, for a problem that has none.
    input_spec: Option<String>,
}

/// A program that gives the answers.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "AnsweringProgram")]
struct AgainstJson {
    /// The file name, whose extension decides the language.
    name: String,
    source: String,
}

/// A search as the API shows it.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[schemars(rename = "Search")]
pub(in crate::web) struct SearchJson {
    id: String,
    problem: String,
    /// The file name of the program.
    name: String,
    language: String,
    /// `queued`, `running`, `finished` or `cancelled`.
    state: String,
    /// When it was started, in milliseconds since 1970.
    created: i64,
    /// The last event, `stress_finished`, of an ended search.
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<serde_json::Value>,
}

impl SearchJson {
    fn new(search: SearchView) -> SearchJson {
        SearchJson {
            id: search.id.to_string(),
            problem: search.problem.to_string(),
            name: search.name,
            language: search.language,
            state: search.state.name().to_owned(),
            created: search.created,
            result: search.finished,
        }
    }
}

impl From<StartSearchError> for WebError {
    fn from(error: StartSearchError) -> WebError {
        let message = error.to_string();
        match error {
            StartSearchError::OneAtATime => {
                WebError::new(StatusCode::TOO_MANY_REQUESTS, message).help("cancel it, or wait for its end")
            }
            StartSearchError::Full { .. } | StartSearchError::ShuttingDown => {
                WebError::new(StatusCode::SERVICE_UNAVAILABLE, message)
            }
            StartSearchError::Failed(failure) => failure.into(),
        }
    }
}

/// `POST /api/v1/stress`.
pub(in crate::web) async fn start(State(state): State<Arc<WebState>>, actor: Actor, body: Body) -> WebResult {
    let new: NewSearchJson = read_json(body, MAX_REQUEST).await?;
    let installed = state.languages().await?.to_vec();
    blocking(move || {
        let program = (new.language.as_deref(), new.name, &*new.source);
        let program = checked_program(&state, &actor, &installed, &new.problem, program)?;
        state.require_full_feedback(&actor, program.problem.as_str())?;
        let seconds = new.seconds.unwrap_or(60);
        if !SECONDS.contains(&seconds) {
            return Err(WebError::unprocessable("`seconds` must be from 1 to 600"));
        }
        let against = match new.against {
            Some(AgainstJson { name, source }) => {
                let checked = checked_program(&state, &actor, &installed, &new.problem, (None, Some(name), &*source))?;
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

/// The search of this id, if the caller may see it.
pub(in crate::web) fn find_search(state: &WebState, actor: &Actor, id: &str) -> WebResult<SearchView> {
    let found = id.parse().ok().and_then(|id| state.searches.get(&id));
    found.filter(|search| actor.sees_work_of(&search.person)).ok_or_else(|| {
        WebError::missing("there is no such search").help("searches end with the server, and only the latest are kept")
    })
}

/// `GET /api/v1/stress/{id}`.
pub(in crate::web) async fn show(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
) -> WebResult {
    Ok(json_of(StatusCode::OK, &SearchJson::new(find_search(&state, &actor, &id)?)))
}

/// `GET /api/v1/stress`: the caller's searches that are known, the latest first.
pub(in crate::web) async fn list(State(state): State<Arc<WebState>>, actor: Actor) -> WebResult {
    let searches: Vec<_> = state.searches.of_person(actor.person()).into_iter().map(SearchJson::new).collect();
    Ok(json_of(StatusCode::OK, &searches))
}

/// `GET /api/v1/stress/{id}/events`: as the events of a run, up to `stress_finished`.
pub(in crate::web) async fn events(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> WebResult {
    let search = find_search(&state, &actor, &id)?;
    follow(state, search.id, Followed::Search, last_event_id(&headers))
}

/// `DELETE /api/v1/stress/{id}`: cancels the search. What it has found is kept.
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
