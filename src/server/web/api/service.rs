//! Endpoints for installed languages, health and metrics, and the fallbacks for unknown paths and unsupported methods.

use std::fmt::Write as _;
use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::{Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

use crate::queue::{CanaryResult, DispatchView, PoolView, WorkerState, WorkerView};

use super::super::actor::Actor;
use super::super::error::{WebError, WebResult};
use super::super::guard::Visit;
use super::super::state::{WebState, blocking};
use super::json::json_of;

/// Handles `GET /api/v1/languages`: lists the installed languages.
pub(in crate::web) async fn languages(State(state): State<Arc<WebState>>) -> WebResult {
    Ok(json_of(StatusCode::OK, &state.languages().await?))
}

/// Handles `GET /healthz`: returns `ok`, or status 503 if the submission store failed. Only staff see the message of
/// the error, since it may contain file names.
pub(in crate::web) async fn health(State(state): State<Arc<WebState>>, Extension(visit): Extension<Visit>) -> Response {
    let sees_reasons = visit.actor.is_some_and(|actor| actor.sees_all());
    match state.queue.fault() {
        None => "ok\n".into_response(),
        Some(fault) => {
            let reason = if sees_reasons { fault.message } else { "the submission store failed".to_owned() };
            (StatusCode::SERVICE_UNAVAILABLE, format!("{reason}\n")).into_response()
        }
    }
}

/// Handles `GET /metrics`: returns metrics in the Prometheus text format.
pub(in crate::web) async fn metrics(State(state): State<Arc<WebState>>, actor: Actor) -> WebResult {
    actor.require_staff()?;
    let counts = state.queue.counts();
    let mut text = String::new();
    for (name, help, value) in [
        ("nimatron_submissions_queued", "Number of queued submissions.", counts.queued),
        ("nimatron_submissions_running", "Number of submissions being judged.", counts.running),
    ] {
        // Writing to a string cannot fail.
        _ = write!(text, "# HELP {name} {help}\n# TYPE {name} gauge\n{name} {value}\n");
    }
    if state.queue.is_remote() {
        let view = blocking(move || Ok(state.queue.remote_view())).await?;
        text += &view.map(|view| cluster_metrics(&view)).unwrap_or_default();
    }
    Ok(([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response())
}

/// Returns the metrics of the machines that judge the submissions.
fn cluster_metrics(view: &DispatchView) -> String {
    let mut text = String::new();
    let mut metric = |name: &str, kind: &str, help: &str, values: &[(String, u64)]| {
        _ = write!(text, "# HELP {name} {help}\n# TYPE {name} {kind}\n");
        for (labels, value) in values {
            _ = writeln!(text, "{name}{labels} {value}");
        }
    };
    let pools = |value: fn(&PoolView) -> u64| -> Vec<(String, u64)> {
        // Pool names contain no characters that must be escaped.
        view.pools.iter().map(|pool| (format!("{{pool=\"{}\"}}", pool.name), value(pool))).collect()
    };
    metric("nimatron_jobs_queued", "gauge", "Queued jobs.", &pools(|pool| pool.queued as u64));
    metric("nimatron_jobs_running", "gauge", "Running jobs.", &pools(|pool| pool.running as u64));
    metric("nimatron_slots", "gauge", "Slots on workers that accept jobs.", &pools(|pool| pool.slots as u64));
    metric("nimatron_slots_free", "gauge", "Free slots on workers that accept jobs.", &pools(|pool| pool.free as u64));
    let oldest = pools(|pool| pool.oldest_ms.unwrap_or(0).div_ceil(1_000));
    metric("nimatron_job_oldest_seconds", "gauge", "Age of the oldest queued job, in seconds.", &oldest);
    let workers = WorkerState::ALL.map(|state| {
        let count = view.workers.iter().filter(|worker| worker.state == state).count();
        (format!("{{state=\"{}\"}}", state.name()), count as u64)
    });
    metric("nimatron_workers", "gauge", "Registered workers, by state.", &workers);
    let canaries: Vec<(&WorkerView, &CanaryResult)> =
        view.workers.iter().filter_map(|worker| Some((worker, worker.canary.as_ref()?))).collect();
    // Names of workers also contain no characters that must be escaped.
    let label = |worker: &WorkerView| format!("{{worker=\"{}\"}}", worker.name);
    let right: Vec<(String, u64)> = canaries
        .iter()
        .map(|(worker, canary)| (label(worker), u64::from(canary.verdict.as_ref() == Some(&canary.expected))))
        .collect();
    metric("nimatron_worker_canary_right", "gauge", "Whether the last canary run had the expected verdict.", &right);
    let ages: Vec<(String, u64)> = canaries
        .iter()
        .map(|(worker, _)| (label(worker), worker.canary_age_ms.unwrap_or_default().div_ceil(1_000)))
        .collect();
    metric("nimatron_worker_canary_age_seconds", "gauge", "Time since the last canary run, in seconds.", &ages);
    let attempts = view.attempts;
    let attempts = [("finished", attempts.finished), ("failed", attempts.failed), ("parked", attempts.parked)];
    let attempts = attempts.map(|(end, count)| (format!("{{end=\"{end}\"}}"), count));
    metric("nimatron_attempts_total", "counter", "Attempts that have ended since the server started.", &attempts);
    text
}

/// Handles `GET /api/v1/cluster`: returns the pools and the workers that judge the submissions; `null` if this machine
/// judges them, or if the state of the queue is currently unknown.
pub(in crate::web) async fn cluster(State(state): State<Arc<WebState>>, actor: Actor) -> WebResult {
    actor.require_staff()?;
    let view = blocking(move || Ok(state.queue.remote_view())).await?;
    Ok(json_of(StatusCode::OK, &view))
}

/// Responds to a request for an unknown path.
pub(in crate::web) async fn not_found(uri: Uri) -> WebError {
    WebError::missing(format!("there is no page or endpoint at `{}`", uri.path()))
}

/// Responds to a request whose method is not supported for its path.
pub(in crate::web) async fn not_allowed(method: Method) -> WebError {
    WebError::new(StatusCode::METHOD_NOT_ALLOWED, format!("the endpoint does not support the method `{method}`"))
}
