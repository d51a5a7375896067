//! Extractors for the path and the query string. They reject requests with a `WebError`; axum's own extractors respond
//! with plain text.

#![expect(clippy::disallowed_types, reason = "the types in this module wrap the extractors of axum")]

use axum::extract::FromRequestParts;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::http::request::Parts;

use super::error::WebError;

/// Parameters in the path of a route.
#[derive(Debug)]
pub(super) struct Path<T>(pub(super) T);

/// Parameters in the query string.
#[derive(Debug)]
pub(super) struct Query<T>(pub(super) T);

impl<T, S> FromRequestParts<S> for Path<T>
where
    axum::extract::Path<T>: FromRequestParts<S, Rejection = PathRejection>,
    S: Send + Sync,
{
    type Rejection = WebError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Path<T>, WebError> {
        let read = axum::extract::Path::<T>::from_request_parts(parts, state).await;
        let values = read.map_err(|error| WebError::new(error.status(), reason("path", &error.body_text())))?;
        Ok(Path(values.0))
    }
}

impl<T, S> FromRequestParts<S> for Query<T>
where
    axum::extract::Query<T>: FromRequestParts<S, Rejection = QueryRejection>,
    S: Send + Sync,
{
    type Rejection = WebError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Query<T>, WebError> {
        let read = axum::extract::Query::<T>::from_request_parts(parts, state).await;
        let values = read.map_err(|error| WebError::new(error.status(), reason("query", &error.body_text())))?;
        Ok(Query(values.0))
    }
}

/// Formats the error message for a part of the URL that axum rejected. `text` is axum's message, whose prefix is
/// dropped.
fn reason(part: &str, text: &str) -> String {
    let reason = text.split_once(": ").map_or(text, |(_, reason)| reason);
    format!("cannot parse the {part} of the URL: {reason}")
}
