//! Endpoints for submissions and their events.

use std::sync::Arc;

use axum::Extension;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};

use crate::model::{ProblemId, Score};
use crate::people::FeedbackLevel;
use crate::submissions::{
    JudgingState, NewSubmission, Priority, StoredSubmission, SubmissionFilter, SubmissionId, SubmissionKind,
    SubmitError,
};

use super::super::actor::Actor;
use super::super::error::{WebError, WebResult};
use super::super::extract::{Path, Query};
use super::super::feedback::redacted_report;
use super::super::follow::{Followed, follow, last_event_id};
use super::super::guard::Visit;
use super::super::state::{UsableLanguage, WebState, blocking};
use super::json::{json_of, read_json};
use super::program::{CheckedProgram, MAX_REQUEST, checked_program};
use super::stress::followed_search;

/// Default number of runs in a list.
const LISTED: u32 = 50;

/// Body of `POST /api/v1/runs`.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "NewRun")]
pub(in crate::web) struct NewRunJson {
    /// Id of the problem.
    problem: String,
    /// Id of the language; by default it is derived from the extension of `name`.
    language: Option<String>,
    /// File name of the program; by default it is derived from `language`.
    name: Option<String>,
    /// Source text of the program.
    source: String,
    /// Tests to run: all cases (`submit`, the default), the samples (`samples`), the input in the field `input`
    /// (`input`), or the caller's own tests (`tests`).
    kind: Option<SubmissionKind>,
    /// Input for a run of kind `input`.
    input: Option<String>,
}

/// Body of `POST /api/v1/runs/cancel`. Without `ids`, all runs of `person` on `problem` that have not ended are
/// cancelled.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "CancelRuns")]
pub(in crate::web) struct CancelRunsJson {
    /// Ids of the runs to cancel.
    ids: Option<Vec<String>>,
    /// Id of the problem; all problems by default.
    problem: Option<String>,
    /// Id of the person, or `all`; the caller by default.
    person: Option<String>,
}

/// A run, as returned by the API.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[schemars(rename = "Run")]
pub(in crate::web) struct RunJson {
    id: String,
    /// Id of the person who submitted the program.
    person: String,
    problem: String,
    /// File name of the program.
    name: String,
    language: Option<String>,
    /// Kind: `submit`, `samples`, `input`, `tests` or `judge`.
    kind: String,
    /// State: `queued`, `running`, `finished` or `cancelled`.
    state: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_score: Option<f64>,
    /// Error because of which the run has no verdict; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    /// Number of runs that will be started before this one; present only while the run is queued.
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<usize>,
    /// Time of submission, in milliseconds since the Unix epoch.
    created: i64,
    /// Time at which judging started, in milliseconds since the Unix epoch; absent before that.
    #[serde(skip_serializing_if = "Option::is_none")]
    started: Option<i64>,
    /// Time at which judging ended, in milliseconds since the Unix epoch; absent before that.
    #[serde(skip_serializing_if = "Option::is_none")]
    ended: Option<i64>,
}

/// Query parameters of the list of runs.
#[derive(Debug, Clone, Deserialize)]
pub(in crate::web) struct ListQuery {
    pub(in crate::web) problem: Option<String>,
    /// Id of the person, or `all`; the caller by default.
    pub(in crate::web) person: Option<String>,
    /// Id of a run; only earlier runs are listed.
    pub(in crate::web) before: Option<String>,
    pub(in crate::web) limit: Option<u32>,
}

impl RunJson {
    fn new(run: &StoredSubmission, position: Option<usize>, error: Option<String>) -> RunJson {
        RunJson {
            id: run.id.to_string(),
            person: run.person.clone(),
            problem: run.problem.to_string(),
            name: run.name.clone(),
            language: run.language.clone(),
            kind: run.kind.name().to_owned(),
            state: run.state.name().to_owned(),
            verdict: run.verdict.map(|verdict| verdict.short().to_owned()),
            score: run.score.map(Score::as_points),
            max_score: run.max_score.map(Score::as_points),
            error,
            position,
            created: run.created,
            started: run.started,
            ended: run.ended,
        }
    }
}

/// Handles `POST /api/v1/runs`.
pub(in crate::web) async fn submit(State(state): State<Arc<WebState>>, actor: Actor, body: Body) -> WebResult {
    let new: NewRunJson = read_json(body, MAX_REQUEST).await?;
    let installed = state.languages().await?.to_vec();
    blocking(move || {
        let id = state.queue.submit(check(&state, &actor, &installed, new)?)?;
        Ok(json_of(StatusCode::ACCEPTED, &serde_json::json!({ "id": id.to_string() })))
    })
    .await
}

/// Checks the body of a request for a run, and returns the submission to queue.
fn check(state: &WebState, actor: &Actor, installed: &[UsableLanguage], new: NewRunJson) -> WebResult<NewSubmission> {
    let program = (new.language.as_deref(), new.name, &*new.source);
    let CheckedProgram { problem, language, name } = checked_program(state, actor, installed, &new.problem, program)?;
    let kind = new.kind.unwrap_or(SubmissionKind::Submit);
    match (kind, new.input.is_some()) {
        (SubmissionKind::Input, false) => {
            return Err(WebError::unprocessable("`input` is required for runs of kind `input`"));
        }
        (SubmissionKind::Judge, _) => {
            return Err(WebError::unprocessable("use `POST /api/v1/judgings` to start a run of kind `judge`"));
        }
        (SubmissionKind::Input, true) | (_, false) => {}
        (other, true) => {
            let message = format!("`input` is not allowed for runs of kind `{}`", other.name());
            return Err(WebError::unprocessable(message));
        }
    }
    if kind == SubmissionKind::Submit {
        state.require_admission(actor, problem.as_str())?;
    }
    Ok(NewSubmission {
        person: actor.person().to_owned(),
        problem,
        name,
        language,
        source: new.source.into_bytes(),
        kind,
        input: new.input.map(String::into_bytes),
        priority: Priority::Person,
    })
}

impl From<SubmitError> for WebError {
    fn from(error: SubmitError) -> WebError {
        let message = error.to_string();
        match error {
            SubmitError::TooManyOfPerson { .. } => WebError::new(StatusCode::TOO_MANY_REQUESTS, message),
            SubmitError::StorageFull { .. } => WebError::new(StatusCode::FORBIDDEN, message)
                .help("ask a teacher to raise the limit with `nimatron serve --person-storage`"),
            SubmitError::QueueFull { .. } | SubmitError::ShuttingDown => {
                WebError::new(StatusCode::SERVICE_UNAVAILABLE, message)
            }
            SubmitError::Failed(failure) => failure.into(),
        }
    }
}

/// Returns the run with this id if the actor may see it.
pub(in crate::web) fn find(state: &WebState, actor: &Actor, id: &str) -> WebResult<StoredSubmission> {
    let missing = || WebError::missing(format!("there is no run with the id `{id}`"));
    let id: SubmissionId = id.parse().map_err(|_| missing())?;
    state.queue.get(&id)?.filter(|run| actor.sees_work_of(&run.person)).ok_or_else(missing)
}

/// Returns the runs that match a query, the latest first.
pub(in crate::web) fn runs_of(state: &WebState, actor: &Actor, query: &ListQuery) -> WebResult<Vec<StoredSubmission>> {
    let person = match query.person.as_deref() {
        None => Some(actor.person().to_owned()),
        Some("all") => actor.require_staff().map(|()| None)?,
        Some(person) if actor.sees_work_of(person) => Some(person.to_owned()),
        Some(_) => return Err(WebError::missing("you can see only your own submissions")),
    };
    let before = query.before.as_deref().map(|id| find(state, actor, id)).transpose()?.map(|run| run.id);
    let problem = query.problem.as_deref().map(str::parse::<ProblemId>).transpose();
    let problem = problem.map_err(|error| WebError::missing(error.to_string()))?;
    let limit = Some(query.limit.unwrap_or(LISTED));
    let filter = SubmissionFilter { person, problem, before, limit, ..SubmissionFilter::default() };
    Ok(state.queue.list(&filter)?)
}

/// Handles `GET /api/v1/runs`: lists runs, the latest first.
pub(in crate::web) async fn list(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Query(query): Query<ListQuery>,
) -> WebResult {
    blocking(move || {
        let runs = runs_of(&state, &actor, &query)?;
        let row = |run: &StoredSubmission| Ok(RunJson::new(run, None, state.shown_error(&actor, run)?));
        let rows: Vec<_> = runs.iter().map(row).collect::<WebResult<_>>()?;
        Ok(json_of(StatusCode::OK, &rows))
    })
    .await
}

/// Handles `GET /api/v1/runs/{id}`.
pub(in crate::web) async fn show(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
) -> WebResult {
    blocking(move || {
        let run = find(&state, &actor, &id)?;
        let error = state.shown_error(&actor, &run)?;
        Ok(json_of(StatusCode::OK, &RunJson::new(&run, state.queue.position(&run.id), error)))
    })
    .await
}

/// Handles `DELETE /api/v1/runs/{id}`: cancels the run.
pub(in crate::web) async fn cancel(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
) -> WebResult {
    blocking(move || {
        let run = find(&state, &actor, &id)?;
        actor.require_change_of(&run.person)?;
        state.queue.cancel(&run.id)?;
        Ok(StatusCode::NO_CONTENT.into_response())
    })
    .await
}

/// Handles `POST /api/v1/runs/cancel`: cancels several runs, and returns the number of runs that had not ended.
pub(in crate::web) async fn cancel_many(State(state): State<Arc<WebState>>, actor: Actor, body: Body) -> WebResult {
    let which: CancelRunsJson = read_json(body, MAX_REQUEST).await?;
    blocking(move || {
        let ids = match &which.ids {
            Some(_) if which.problem.is_some() || which.person.is_some() => {
                return Err(WebError::unprocessable("`ids` cannot be combined with `problem` or `person`"));
            }
            Some(ids) => {
                let changeable = |id: &String| {
                    let run = find(&state, &actor, id)?;
                    actor.require_change_of(&run.person).map(|()| run.id)
                };
                ids.iter().map(changeable).collect::<WebResult<Vec<_>>>()?
            }
            None => open_runs(&state, &actor, &which)?,
        };
        let cancelled = state.queue.cancel_all(&ids)?;
        Ok(json_of(StatusCode::OK, &serde_json::json!({ "cancelled": cancelled })))
    })
    .await
}

/// Returns the ids of the queued and running submissions of the person and the problem in `which`. Fails if the actor
/// may not cancel them.
fn open_runs(state: &WebState, actor: &Actor, which: &CancelRunsJson) -> WebResult<Vec<SubmissionId>> {
    let person = match which.person.as_deref() {
        None => Some(actor.person().to_owned()),
        Some("all") => actor.require_teacher().map(|()| None)?,
        Some(person) => actor.require_change_of(person).map(|()| Some(person.to_owned()))?,
    };
    let problem = which.problem.as_deref().map(str::parse::<ProblemId>).transpose();
    let problem = problem.map_err(|error| WebError::missing(error.to_string()))?;
    let mut ids = Vec::new();
    for stage in [JudgingState::Queued, JudgingState::Running] {
        let (person, problem) = (person.clone(), problem.clone());
        let mut filter = SubmissionFilter { person, problem, state: Some(stage), ..SubmissionFilter::default() };
        loop {
            let page = state.queue.list(&filter)?;
            let Some(last) = page.last() else { break };
            filter.before = Some(last.id.clone());
            ids.extend(page.into_iter().map(|run| run.id));
        }
    }
    Ok(ids)
}

/// Handles `GET /api/v1/runs/{id}/events`: streams the events that follow the event with the number in
/// `Last-Event-ID`. The id may also identify a search.
pub(in crate::web) async fn events(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Extension(visit): Extension<Visit>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> WebResult {
    let shared = state.clone();
    let followed = blocking(move || match followed_search(&shared, &actor, &id) {
        Ok(found) => Ok(found),
        Err(_) => {
            let run = find(&shared, &actor, &id)?;
            let feedback = shared.feedback_for(&actor, run.problem.as_str())?;
            Ok((run.id, Followed::Run(feedback)))
        }
    })
    .await?;
    follow(state, visit, followed, last_event_id(&headers))
}

/// Handles `GET /api/v1/runs/{id}/report`: returns the report of an ended run, or the status 204 if it has none.
pub(in crate::web) async fn report(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
) -> WebResult {
    blocking(move || {
        let run = find(&state, &actor, &id)?;
        match state.queue.report(&run.id)? {
            Some(report) => match state.feedback_for(&actor, run.problem.as_str())? {
                FeedbackLevel::Full => Ok(json_of(StatusCode::OK, &report)),
                FeedbackLevel::Verdicts => {
                    let whole = serde_json::to_value(&report).map_err(|error| WebError::internal(error.to_string()))?;
                    Ok(json_of(StatusCode::OK, &redacted_report(whole)))
                }
            },
            // The run ended without a report, because it was not judged.
            None if run.state.ended() => Ok(StatusCode::NO_CONTENT.into_response()),
            None => Err(WebError::missing("this run has no report yet").help("wait until the run has ended")),
        }
    })
    .await
}

/// Handles `GET /api/v1/runs/{id}/source`: returns the program as text.
pub(in crate::web) async fn source(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
) -> WebResult {
    blocking(move || {
        let run = find(&state, &actor, &id)?;
        let source = state.queue.source(&run.id)?.unwrap_or_default();
        let text = String::from_utf8_lossy(&source).into_owned();
        Ok::<Response, WebError>(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response())
    })
    .await
}
