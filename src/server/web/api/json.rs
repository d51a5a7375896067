//! JSON in requests and responses.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::super::error::{WebError, WebResult};

/// Time limit for receiving the body of a request.
const BODY_TIME: Duration = Duration::from_secs(30);

/// Creates a response whose body is the JSON text `text`.
pub(in crate::web) fn json_text(status: StatusCode, text: String) -> Response {
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// Creates a response whose body is `value`, serialized as JSON.
pub(super) fn json_of(status: StatusCode, value: &impl Serialize) -> Response {
    match serde_json::to_string(value) {
        Ok(text) => json_text(status, text),
        Err(error) => WebError::internal(format!("cannot serialize the response: {error}")).into_response(),
    }
}

/// Reads and parses a JSON body of at most `most` bytes.
pub(super) async fn read_json<T: DeserializeOwned>(body: Body, most: usize) -> WebResult<T> {
    let bytes = read_body(body, most).await?;
    serde_json::from_slice(&bytes).map_err(|error| {
        WebError::new(StatusCode::BAD_REQUEST, format!("the request body is not valid JSON for this request: {error}"))
            .help("compare the body with the schema that `GET /api/v1/schema.json` returns")
    })
}

/// Reads a body of at most `most` bytes.
pub(super) async fn read_body(body: Body, most: usize) -> WebResult<Bytes> {
    let read = tokio::time::timeout(BODY_TIME, Limited::new(body, most).collect()).await;
    let read = read.map_err(|_| {
        let message = format!("the request body was not received within {} s", BODY_TIME.as_secs());
        WebError::new(StatusCode::REQUEST_TIMEOUT, message)
    })?;
    let whole = read.map_err(|error| match error.downcast_ref::<LengthLimitError>() {
        Some(_) => {
            let message = format!("the request body is larger than the limit of {} KiB", most >> 10);
            WebError::new(StatusCode::PAYLOAD_TOO_LARGE, message)
        }
        None => WebError::new(StatusCode::BAD_REQUEST, format!("cannot read the request body: {error}")),
    })?;
    Ok(whole.to_bytes())
}
