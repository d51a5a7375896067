//! JSON in requests and responses.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::super::error::{WebError, WebResult};

/// Time in which a client must send the body of a request.
const BODY_TIME: Duration = Duration::from_secs(30);

/// A response with this JSON text.
pub(in crate::web) fn json_text(status: StatusCode, text: String) -> Response {
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// A response with a value as JSON.
pub(super) fn json_of(status: StatusCode, value: &impl Serialize) -> Response {
    match serde_json::to_string(value) {
        Ok(text) => json_text(status, text),
        Err(error) => WebError::internal(format!("the answer can't be written: {error}")).into_response(),
    }
}

/// Reads a JSON body of at most `most` bytes.
pub(super) async fn read_json<T: DeserializeOwned>(body: Body, most: usize) -> WebResult<T> {
    let bytes = read_body(body, most).await?;
    serde_json::from_slice(&bytes).map_err(|error| {
        WebError::new(StatusCode::BAD_REQUEST, format!("the body is not the expected JSON: {error}"))
            .help("GET /api/v1/schema.json describes it")
    })
}

/// Reads a body of at most `most` bytes.
pub(super) async fn read_body(body: Body, most: usize) -> WebResult<Bytes> {
    let read = tokio::time::timeout(BODY_TIME, Limited::new(body, most).collect()).await;
    let read = read.map_err(|_| WebError::new(StatusCode::REQUEST_TIMEOUT, "the body did not arrive in time"))?;
    let whole = read.map_err(|error| match error.downcast_ref::<LengthLimitError>() {
        Some(_) => WebError::new(StatusCode::PAYLOAD_TOO_LARGE, format!("the body is larger than {} KiB", most >> 10)),
        None => WebError::new(StatusCode::BAD_REQUEST, "the body can't be read"),
    })?;
    Ok(whole.to_bytes())
}
