//! Parts of a request's address as arguments of handlers. Errors are JSON or a page, as all errors of the server; axum's own
//! extractors would answer with plain text.

#![expect(clippy::disallowed_types, reason = "these are the types that wrap them")]

use axum::extract::FromRequestParts;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::http::request::Parts;

use super::error::WebError;

/// The values of the parameters in the path of a route.
#[derive(Debug)]
pub(super) struct Path<T>(pub(super) T);

/// The values after the question mark.
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

/// What is wrong, without the name that axum puts before the reason.
fn reason(part: &str, text: &str) -> String {
    format!("the {part} of the address can't be read: {}", text.split_once(": ").map_or(text, |(_, reason)| reason))
}
