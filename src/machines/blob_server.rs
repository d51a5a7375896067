//! Serves the files of jobs to the workers that have the jobs.

#![expect(clippy::disallowed_types, reason = "workers read no error texts")]

use std::net::{SocketAddr, TcpListener as StdListener};
use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::net::TcpListener;

use crate::model::{Diagnostic, Digest, Failure, Fault, FaultKind};
use crate::queue::JobNumber;

use super::cluster_hooks::ClusterHooks;

/// Listens at an address, without answering yet.
///
/// # Errors
/// Fails if the address can't be used, for example because it is in use.
pub(super) fn listen(address: SocketAddr) -> Result<(StdListener, SocketAddr), Failure> {
    let listener = StdListener::bind(address).map_err(|error| {
        Diagnostic::new(format!("cannot listen on `{address}` for workers: {error}"))
            .help("choose another address with `--cluster-listen`")
    })?;
    let internal = |error: std::io::Error| Fault::io(FaultKind::Internal, &error).context("cannot listen for workers");
    listener.set_nonblocking(true).map_err(internal)?;
    let address = listener.local_addr().map_err(internal)?;
    Ok((listener, address))
}

/// Answers requests until the runtime ends.
pub(super) async fn serve_blobs(listener: StdListener, hooks: Arc<ClusterHooks>) -> std::io::Result<()> {
    let router = Router::new().route("/v1/jobs/{job}/{epoch}/blobs/{digest}", get(blob)).with_state(hooks);
    axum::serve(TcpListener::from_std(listener)?, router).await
}

/// `GET /v1/jobs/{job}/{epoch}/blobs/{digest}`: returns a file of an open job with this epoch, if the request has
/// the token of the attempt.
async fn blob(
    State(hooks): State<Arc<ClusterHooks>>,
    Path((job, epoch, digest)): Path<(u64, u64, String)>,
    headers: HeaderMap,
) -> Response {
    let token = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
    let job = JobNumber(job);
    if !token.is_some_and(|token| hooks.secret.is_token(token, job, epoch)) {
        return StatusCode::FORBIDDEN.into_response();
    }
    let Ok(digest) = digest.parse::<Digest>() else { return StatusCode::NOT_FOUND.into_response() };
    let found = tokio::task::spawn_blocking(move || hooks.blob(job, epoch, digest)).await;
    match found {
        Ok(Ok(Some(content))) => content.into_response(),
        Ok(Ok(None)) => StatusCode::NOT_FOUND.into_response(),
        _ => StatusCode::SERVICE_UNAVAILABLE.into_response(),
    }
}
