//! Endpoints for a person's own tests of a problem, and for adding the failing input of a search to the tests.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use serde::Serialize;

use crate::model::ProblemId;
use crate::searches::{KeptTest, keep_found};
use crate::submissions::OwnTest;

use super::super::actor::Actor;
use super::super::error::{WebError, WebResult};
use super::super::extract::Path;
use super::super::state::{WebState, blocking};
use super::json::json_of;
use super::stress::find_search;

/// A person's own test of a problem.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[schemars(rename = "OwnTest")]
pub(in crate::web) struct OwnTestJson {
    /// Name of the test, such as `my-1`. It is also the name of the case in runs of kind `tests`.
    name: String,
    input: String,
    /// Expected output; null if it is unknown.
    answer: Option<String>,
    /// Size of the input, in bytes.
    size: usize,
    /// Time at which the test was added, in milliseconds since the Unix epoch.
    created: i64,
}

/// Result of adding a failing input to the tests.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[schemars(rename = "KeptTest")]
pub(in crate::web) struct KeptTestJson {
    /// `problem` if the input was added to the tests of the problem, `own` if it was added to the caller's own tests.
    kept: &'static str,
    /// Name of the own test; null if the input was added to the tests of the problem.
    name: Option<String>,
    /// Description of the result for the user.
    message: String,
}

fn problem_id(state: &WebState, actor: &Actor, id: &str) -> WebResult<ProblemId> {
    let listing = state.listing(actor)?;
    let entry = listing.entry(id).ok_or_else(|| listing.unknown(id))?;
    Ok(entry.id.clone())
}

/// Handles `GET /api/v1/problems/{id}/tests`: lists the caller's own tests.
pub(in crate::web) async fn list(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
) -> WebResult {
    blocking(move || {
        let tests = state.queue.own_tests(actor.person(), &problem_id(&state, &actor, &id)?)?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let row = |test: OwnTest| OwnTestJson {
            name: test.name(),
            size: test.input.len(),
            input: text(&test.input),
            answer: test.answer.as_deref().map(text),
            created: test.created,
        };
        Ok(json_of(StatusCode::OK, &tests.into_iter().map(row).collect::<Vec<_>>()))
    })
    .await
}

/// Handles `DELETE /api/v1/problems/{id}/tests/{name}`: removes an own test.
pub(in crate::web) async fn remove(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path((id, name)): Path<(String, String)>,
) -> WebResult {
    blocking(move || {
        let problem = problem_id(&state, &actor, &id)?;
        let number = OwnTest::number_in(&name);
        let removed = match number {
            Some(number) => state.queue.remove_own_test(actor.person(), &problem, number)?,
            None => false,
        };
        if !removed {
            return Err(WebError::missing(format!("you have no test `{name}`")));
        }
        Ok(StatusCode::NO_CONTENT.into_response())
    })
    .await
}

/// Handles `POST /api/v1/stress/{id}/keep`: adds the failing input of an ended search to the tests.
pub(in crate::web) async fn keep(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
) -> WebResult {
    blocking(move || {
        let search = find_search(&state, &actor, &id)?;
        actor.require_change_of(&search.person)?;
        let found = state.searches.found(&search.id).ok_or_else(|| {
            if search.state.ended() {
                WebError::unprocessable("the search found no failing input")
            } else {
                WebError::unprocessable("the search has not ended")
                    .help("wait until it has found a failing input and ended")
            }
        })?;
        let listing = state.listing(&actor)?;
        let gone = || WebError::missing(format!("the problem `{}` no longer exists or cannot be read", search.problem));
        let source = listing.source(&search.problem).ok_or_else(gone)?;
        let changes_problem = actor.require_teacher().is_ok();
        let kept = keep_found((&state.service, &state.queue), source, (&search, &found), changes_problem)?;
        let json = match kept {
            KeptTest::OfProblem(message) => KeptTestJson { kept: "problem", name: None, message },
            KeptTest::Own(name) => {
                let message = format!("Added to your own tests as {name}");
                KeptTestJson { kept: "own", name: Some(name), message }
            }
        };
        Ok(json_of(StatusCode::OK, &json))
    })
    .await
}
