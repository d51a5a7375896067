//! What the server says of itself: languages, health and metrics, and the answers to unknown requests.

use std::fmt::Write as _;
use std::sync::Arc;

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::super::actor::Actor;
use super::super::error::{WebError, WebResult};
use super::super::state::WebState;
use super::json::json_of;

/// `GET /api/v1/languages`: the installed languages.
pub(in crate::web) async fn languages(State(state): State<Arc<WebState>>) -> WebResult {
    Ok(json_of(StatusCode::OK, &state.languages().await?))
}

/// `GET /healthz`: `ok`, or the fault of the store.
pub(in crate::web) async fn health(State(state): State<Arc<WebState>>) -> Response {
    match state.queue.fault() {
        None => "ok\n".into_response(),
        Some(fault) => (StatusCode::SERVICE_UNAVAILABLE, format!("{}\n", fault.message)).into_response(),
    }
}

/// `GET /metrics`: Prometheus text.
pub(in crate::web) async fn metrics(State(state): State<Arc<WebState>>, actor: Actor) -> WebResult {
    actor.require_staff()?;
    let counts = state.queue.counts();
    let mut text = String::new();
    for (name, help, value) in [
        ("nimatron_submissions_queued", "Submissions that wait to be judged.", counts.queued),
        ("nimatron_submissions_running", "Submissions that are being judged.", counts.running),
    ] {
        // Writing to a string does not fail.
        _ = write!(text, "# HELP {name} {help}\n# TYPE {name} gauge\n{name} {value}\n");
    }
    Ok(([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response())
}

/// A path that does not exist.
pub(in crate::web) async fn not_found() -> WebError {
    WebError::missing("there is no page at this address")
}

/// A method that a path does not support.
pub(in crate::web) async fn not_allowed() -> WebError {
    WebError::new(StatusCode::METHOD_NOT_ALLOWED, "this address does not support the method of the request")
}
