//! `/api/v1/runs`: submissions and their events.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};

use crate::model::ProblemId;
use crate::people::FeedbackLevel;
use crate::submissions::{
    NewSubmission, Priority, StoredSubmission, SubmissionFilter, SubmissionId, SubmissionKind, SubmitError,
};

use super::super::actor::Actor;
use super::super::error::{WebError, WebResult};
use super::super::extract::{Path, Query};
use super::super::feedback::redacted_report;
use super::super::follow::{Followed, follow, last_event_id};
use super::super::state::{UsableLanguage, WebState, blocking};
use super::json::{json_of, read_json};
use super::program::{CheckedProgram, MAX_REQUEST, checked_program};
use super::stress::find_search;

/// Number of runs in a list without `limit`.
const LISTED: u32 = 50;

/// The body of `POST /api/v1/runs`.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "NewRun")]
pub(in crate::web) struct NewRunJson {
    /// The id of the problem.
    problem: String,
    /// The id of the language; derived from the name if it is missing.
    language: Option<String>,
    /// The file name of the program.
    name: Option<String>,
    /// The text of the program.
    source: String,
    /// Which tests are run: all (`submit`, the default), the `samples`, the `input`, or your own `tests`.
    kind: Option<SubmissionKind>,
    /// The input of a run of kind `input`.
    input: Option<String>,
}

/// A run as the API shows it.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[schemars(rename = "Run")]
pub(in crate::web) struct RunJson {
    id: String,
    /// The id of the person.
    person: String,
    problem: String,
    /// The file name of the program.
    name: String,
    language: Option<String>,
    /// `submit`, `samples`, `input` or `tests`.
    kind: String,
    /// `queued`, `running`, `finished` or `cancelled`.
    state: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_score: Option<f64>,
    /// Why there is no verdict.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    /// The number of runs that are judged before this one; only while it is queued.
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<usize>,
    /// When it was submitted, in milliseconds since 1970.
    created: i64,
}

/// Query parameters of the list of runs.
#[derive(Debug, Clone, Deserialize)]
pub(in crate::web) struct ListQuery {
    pub(in crate::web) problem: Option<String>,
    /// The id of the person, or `all`; without it the caller.
    pub(in crate::web) person: Option<String>,
    /// Only those before this one.
    pub(in crate::web) before: Option<String>,
    pub(in crate::web) limit: Option<u32>,
}

impl RunJson {
    fn new(run: &StoredSubmission, position: Option<usize>, error: Option<String>) -> RunJson {
        let points = |score: crate::model::Score| score.as_thousandths() as f64 / 1_000.0;
        RunJson {
            id: run.id.to_string(),
            person: run.person.clone(),
            problem: run.problem.to_string(),
            name: run.name.clone(),
            language: run.language.clone(),
            kind: run.kind.name().to_owned(),
            state: run.state.name().to_owned(),
            verdict: run.verdict.map(|verdict| verdict.short().to_owned()),
            score: run.score.map(points),
            max_score: run.max_score.map(points),
            error,
            position,
            created: run.created,
        }
    }
}

/// `POST /api/v1/runs`.
pub(in crate::web) async fn submit(State(state): State<Arc<WebState>>, actor: Actor, body: Body) -> WebResult {
    let new: NewRunJson = read_json(body, MAX_REQUEST).await?;
    let installed = state.languages().await?.to_vec();
    blocking(move || {
        let id = state.queue.submit(check(&state, &actor, &installed, new)?)?;
        Ok(json_of(StatusCode::ACCEPTED, &serde_json::json!({ "id": id.to_string() })))
    })
    .await
}

/// Checks the body of a submission.
fn check(state: &WebState, actor: &Actor, installed: &[UsableLanguage], new: NewRunJson) -> WebResult<NewSubmission> {
    let program = (new.language.as_deref(), new.name, &*new.source);
    let CheckedProgram { problem, language, name } = checked_program(state, actor, installed, &new.problem, program)?;
    let kind = new.kind.unwrap_or(SubmissionKind::Submit);
    if (kind == SubmissionKind::Input) != new.input.is_some() {
        return Err(WebError::unprocessable("`input` belongs to a run of kind `input`"));
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
            SubmitError::QueueFull { .. } | SubmitError::ShuttingDown => {
                WebError::new(StatusCode::SERVICE_UNAVAILABLE, message)
            }
            SubmitError::Failed(failure) => failure.into(),
        }
    }
}

/// The run of this id, if the caller may see it.
pub(in crate::web) fn find(state: &WebState, actor: &Actor, id: &str) -> WebResult<StoredSubmission> {
    let missing = || WebError::missing("there is no such run");
    let id: SubmissionId = id.parse().map_err(|_| missing())?;
    state.queue.get(&id)?.filter(|run| actor.sees_work_of(&run.person)).ok_or_else(missing)
}

/// The runs of a query, the latest first.
pub(in crate::web) fn runs_of(state: &WebState, actor: &Actor, query: &ListQuery) -> WebResult<Vec<StoredSubmission>> {
    let person = match query.person.as_deref() {
        None => Some(actor.person().to_owned()),
        Some("all") => actor.require_staff().map(|()| None)?,
        Some(person) if actor.sees_work_of(person) => Some(person.to_owned()),
        Some(_) => return Err(WebError::missing("there is no such person")),
    };
    let before = query.before.as_deref().map(|id| find(state, actor, id)).transpose()?.map(|run| run.id);
    let no_problem = || WebError::missing("there is no such problem");
    let problem = query.problem.as_deref().map(|id| id.parse::<ProblemId>().map_err(|_| no_problem())).transpose()?;
    let limit = Some(query.limit.unwrap_or(LISTED));
    let filter = SubmissionFilter { person, problem, before, limit, ..SubmissionFilter::default() };
    Ok(state.queue.list(&filter)?)
}

/// `GET /api/v1/runs`: the latest first.
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

/// `GET /api/v1/runs/{id}`.
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

/// `DELETE /api/v1/runs/{id}`: cancels the run.
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

/// `GET /api/v1/runs/{id}/events`: server-sent events, after the one that `Last-Event-ID` names. Searches have such ids and
/// events too.
pub(in crate::web) async fn events(
    State(state): State<Arc<WebState>>,
    actor: Actor,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> WebResult {
    let shared = state.clone();
    let (id, followed) = blocking(move || match find_search(&shared, &actor, &id) {
        Ok(search) => Ok((search.id, Followed::Search)),
        Err(_) => {
            let run = find(&shared, &actor, &id)?;
            let feedback = shared.feedback_for(&actor, run.problem.as_str())?;
            Ok((run.id, Followed::Run(feedback)))
        }
    })
    .await?;
    follow(state, id, followed, last_event_id(&headers))
}

/// `GET /api/v1/runs/{id}/report`: the evidence of an ended run; 204 if nothing was run.
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
            // Nothing was run.
            None if run.state.ended() => Ok(StatusCode::NO_CONTENT.into_response()),
            None => Err(WebError::missing("this run has no report").help("it exists when the run has ended")),
        }
    })
    .await
}

/// `GET /api/v1/runs/{id}/source`: the program as text.
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
