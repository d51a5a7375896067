//! Page of the machines that judge the submissions.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use maud::{Markup, html};

use crate::queue::{DispatchView, PoolView, WorkerView};

use super::super::actor::Actor;
use super::super::error::WebResult;
use super::super::guard::Visit;
use super::super::state::{WebState, blocking};
use super::layout::{PageFrame, Section, page as frame};

/// Handles `GET /cluster`.
pub(in crate::web) async fn page(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Extension(visit): Extension<Visit>,
) -> WebResult {
    actor.require_staff()?;
    blocking(move || {
        let content = html! {
            div.page-title { h1 { "Workers" } }
            @match (state.queue.is_remote(), state.queue.remote_view()) {
                (false, _) => p { "This machine judges the submissions. " code { "nimatron guide cluster" } " describes how other machines can judge them." },
                (true, None) => p { "The queue is not responding. Reload the page to try again." },
                (true, Some(view)) => (tables(&view)),
            }
        };
        let page = PageFrame { title: "Workers", section: Section::Cluster, layout: "page", scripts: &[], content };
        Ok(frame(&state, &visit, &page))
    })
    .await
}

fn tables(view: &DispatchView) -> Markup {
    html! {
        h2 { "Pools" }
        div.table-scroll { table.table {
            thead { tr {
                th scope="col" { "Pool" } th scope="col" { "Queued" } th scope="col" { "Oldest" } th scope="col" { "Running" }
                th scope="col" { "Free slots" } th scope="col" { "Languages without a worker" }
            } }
            tbody { @for pool in &view.pools { (pool_row(pool)) } }
        } }
        h2 { "Workers" }
        @if view.workers.is_empty() {
            p { "No worker has registered since the server started." }
        } @else {
            div.table-scroll { table.table {
                thead { tr {
                    th scope="col" { "Worker" } th scope="col" { "Pool" } th scope="col" { "State" } th scope="col" { "Running" }
                    th scope="col" { "Last message" } th scope="col" { "Last canary" } th scope="col" { "CPU" } th scope="col" { "Isolation" }
                    th scope="col" { "Calibration" }
                } }
                tbody { @for worker in &view.workers { (worker_row(worker)) } }
            } }
        }
        p {
            "Jobs since the server started: " (view.attempts.finished) " judged, "
            (view.attempts.failed) " queued again after a failed attempt, "
            (view.attempts.parked) " abandoned."
        }
    }
}

fn pool_row(pool: &PoolView) -> Markup {
    let missing: Vec<&str> = pool.missing_languages.iter().map(String::as_str).collect();
    html! {
        tr {
            td { (pool.name) } td { (pool.queued) }
            td { @if let Some(oldest) = pool.oldest_ms { (seconds(oldest)) } }
            td { (pool.running) } td { (pool.free) " of " (pool.slots) } td { (missing.join(", ")) }
        }
    }
}

fn worker_row(worker: &WorkerView) -> Markup {
    html! {
        tr {
            td { (worker.name) } td { (worker.pool) }
            td { (worker.state.name()) @if let Some(reason) = &worker.reason { ": " (reason) } }
            td { (worker.running) " of " (worker.slots) } td { (seconds(worker.silent_ms)) " ago" }
            td { (canary(worker)) } td { (worker.cpu) } td { (worker.isolation) }
            td { @if worker.calibration_us > 0 { (worker.calibration_us / 1_000) "." (format!("{:03}", worker.calibration_us % 1_000)) " ms" } }
        }
    }
}

/// Describes the result and the age of a worker's last canary run.
fn canary(worker: &WorkerView) -> String {
    let (Some(canary), Some(age)) = (&worker.canary, worker.canary_age_ms) else { return "none".to_owned() };
    let result = match (&canary.verdict, &canary.fault) {
        (Some(verdict), _) if *verdict == canary.expected => format!("correct ({verdict})"),
        (Some(verdict), _) => format!("wrong ({verdict} instead of {})", canary.expected),
        (None, fault) => format!("failed ({})", fault.as_deref().unwrap_or_default()),
    };
    format!("{result}, {} ago", seconds(age))
}

fn seconds(ms: u64) -> String {
    format!("{} s", ms.div_ceil(1_000))
}
