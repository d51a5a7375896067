//! Endpoints for the list of problems and their statements.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};

use crate::model::ProblemId;
use crate::service::ProblemEntry;
use crate::submissions::ProblemStanding;

use super::super::actor::Actor;
use super::super::error::WebResult;
use super::super::extract::{Path, Query};
use super::super::pages::problem::read_problem;
use super::super::state::{WebState, blocking};
use super::json::json_of;

/// A problem in a list, as returned by the API.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[schemars(rename = "Problem")]
pub(in crate::web) struct ProblemJson {
    id: String,
    name: String,
    keywords: Vec<String>,
    limits: LimitsJson,
    /// Whether a submission of the caller was accepted.
    solved: bool,
    /// Verdict of the caller's latest submission, if it has one.
    last_verdict: Option<String>,
}

/// Limits of a problem.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[schemars(rename = "Limits")]
struct LimitsJson {
    /// CPU time limit in milliseconds; an upper bound if the limit is derived from the solutions.
    cpu_ms: u64,
    /// Whether the CPU time limit is derived from the solutions.
    cpu_derived: bool,
    memory_bytes: u64,
}

/// A problem with its statement.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[schemars(rename = "ProblemDetails")]
pub(in crate::web) struct ProblemDetailsJson {
    #[serde(flatten)]
    problem: ProblemJson,
    /// Language of the statement.
    language: String,
    /// Languages in which the statement is available.
    languages: Vec<String>,
    statement_html: String,
    samples: Vec<SampleJson>,
}

/// A sample of the statement.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[schemars(rename = "Sample")]
struct SampleJson {
    name: String,
    input: String,
    answer: Option<String>,
}

/// Query parameters of a problem.
#[derive(Debug, Deserialize)]
pub(in crate::web) struct LanguageParam {
    pub(in crate::web) lang: Option<String>,
}

impl ProblemJson {
    fn new(entry: &ProblemEntry, standing: Option<&ProblemStanding>) -> ProblemJson {
        ProblemJson {
            id: entry.id.to_string(),
            name: entry.name.clone(),
            keywords: entry.keywords.clone(),
            limits: LimitsJson {
                cpu_ms: entry.most.as_micros() / 1_000,
                cpu_derived: entry.time.is_none(),
                memory_bytes: entry.memory.get(),
            },
            solved: standing.is_some_and(|standing| standing.solved),
            last_verdict: standing.and_then(|standing| standing.last_verdict).map(|verdict| verdict.short().to_owned()),
        }
    }
}

/// Returns the actor's standing on each problem.
pub(in crate::web) fn standings(state: &WebState, actor: &Actor) -> WebResult<HashMap<ProblemId, ProblemStanding>> {
    let all = state.queue.standing(actor.person())?;
    Ok(all.into_iter().map(|standing| (standing.problem.clone(), standing)).collect())
}

/// Handles `GET /api/v1/problems`.
pub(in crate::web) async fn list(State(state): State<Arc<WebState>>, actor: Actor) -> WebResult {
    blocking(move || {
        let standings = standings(&state, &actor)?;
        let listing = state.listing(&actor)?;
        let rows: Vec<_> = listing.entries().map(|entry| ProblemJson::new(entry, standings.get(&entry.id))).collect();
        Ok(json_of(StatusCode::OK, &rows))
    })
    .await
}

/// Handles `GET /api/v1/problems/{id}`.
pub(in crate::web) async fn show(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
    Query(query): Query<LanguageParam>,
) -> WebResult {
    blocking(move || {
        let read = read_problem(&state, &actor, &id, query.lang.as_slice())?;
        let standings = standings(&state, &actor)?;
        let samples = read.samples.into_iter();
        let details = ProblemDetailsJson {
            problem: ProblemJson::new(&read.entry, standings.get(&read.entry.id)),
            language: read.language,
            languages: read.languages,
            statement_html: read.html,
            samples: samples.map(|one| SampleJson { name: one.name, input: one.input, answer: one.answer }).collect(),
        };
        Ok(json_of(StatusCode::OK, &details))
    })
    .await
}
