//! Endpoint to which `nimatron grade --cluster` sends the programs of a class for judging. Each request contains one
//! program with its judge options and limits.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::StatusCode;

use crate::service::JudgeRequest;
use crate::submissions::{NewSubmission, Priority, ProblemFinder as _, ProgramOrder, SubmissionKind};
use crate::unzip::name::parts;

use super::super::actor::Actor;
use super::super::error::{WebError, WebResult};
use super::super::state::{WebState, blocking};
use super::json::{json_of, read_json};

/// Maximum size of a body, in bytes. The answers to an output-only problem may be up to 64 MiB in size, and are
/// larger when encoded as JSON.
const MAX_ORDER: usize = 128 << 20;
/// Maximum length of a program's name, in bytes.
const MAX_NAME: usize = 200;

/// Handles `POST /api/v1/judgings`: submits a program of the caller with batch priority.
pub(in crate::web) async fn submit(State(state): State<Arc<WebState>>, actor: Actor, body: Body) -> WebResult {
    actor.require_teacher()?;
    let request: JudgeRequest = read_json(body, MAX_ORDER).await?;
    blocking(move || {
        let id = state.queue.submit(check(&state, &actor, request)?)?;
        Ok(json_of(StatusCode::ACCEPTED, &serde_json::json!({ "id": id.to_string() })))
    })
    .await
}

/// Checks a request, and returns the submission to queue. Rejects the request if the server has another version of the
/// problem, or if a file name refers to a path outside of the program's folder.
fn check(state: &WebState, actor: &Actor, request: JudgeRequest) -> WebResult<NewSubmission> {
    let JudgeRequest { problem, source, program, options, limits, .. } = request;
    let listing = state.listing(actor)?;
    let id = problem.id.as_str();
    let entry = listing.entry(id).ok_or_else(|| listing.unknown(id))?;
    let found = state.service.prepare(&state.index.find(&entry.id)?.source)?;
    if found.digest() != problem.digest {
        let message = format!("the server has a different version of the problem `{id}`");
        let help = "use the same version of Nimatron and the same problem files on the client and on the server";
        return Err(WebError::new(StatusCode::CONFLICT, message).help(help));
    }
    if options.checker.is_some() || options.interactor.is_some() || !options.inputs.is_empty() {
        return Err(WebError::unprocessable("`options` must not contain a checker, an interactor or inputs"));
    }
    for file in &source.files {
        parts(file.name.as_bytes())
            .map_err(|why| WebError::unprocessable(format!("the file `{}` {why}", file.name.escape_debug())))?;
    }
    let shown = program.as_deref().unwrap_or(&source.name);
    let name = shown.rsplit('/').next().unwrap_or(shown).to_owned();
    if name.is_empty() || name.len() > MAX_NAME || name.contains(char::is_control) {
        let message =
            format!("the program name must have 1 to {MAX_NAME} bytes and must not contain control characters");
        return Err(WebError::unprocessable(message));
    }
    // The page of the submission shows only the first file.
    let first = source.files.first().map(|file| file.content.0.clone()).unwrap_or_default();
    let language = source.language.clone();
    let order = ProgramOrder { source, options, program, limits };
    Ok(NewSubmission {
        person: actor.person().to_owned(),
        problem: problem.id,
        name,
        language,
        source: first,
        kind: SubmissionKind::Judge,
        input: Some(order.to_input().map_err(|fault| WebError::internal(fault.to_string()))?),
        priority: Priority::Batch,
    })
}
