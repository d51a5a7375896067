//! Error responses: JSON for API clients, a page for browsers.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::model::{Diagnostic, Failure};

/// An error response.
#[derive(Debug, Clone)]
pub(super) struct WebError {
    pub(super) status: StatusCode,
    /// Description of the error, without a full stop.
    pub(super) message: String,
    /// Advice for the user; `None` if there is none.
    pub(super) help: Option<String>,
}

pub(super) type WebResult<T = Response> = Result<T, WebError>;

impl WebError {
    pub(super) fn new(status: StatusCode, message: impl Into<String>) -> WebError {
        WebError { status, message: message.into(), help: None }
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> WebError {
        self.help = Some(help.into());
        self
    }

    /// Creates an error with status 404, for an unknown path or id.
    pub(super) fn missing(what: impl Into<String>) -> WebError {
        WebError::new(StatusCode::NOT_FOUND, what)
    }

    /// Creates an error with status 422, for a well-formed request with an invalid value.
    pub(super) fn unprocessable(message: impl Into<String>) -> WebError {
        WebError::new(StatusCode::UNPROCESSABLE_ENTITY, message)
    }

    /// Creates an error with status 500, for a fault of the server.
    pub(super) fn internal(message: impl Into<String>) -> WebError {
        WebError::new(StatusCode::INTERNAL_SERVER_ERROR, message)
    }
}

impl From<Diagnostic> for WebError {
    fn from(complaint: Diagnostic) -> WebError {
        let help = complaint.help;
        WebError { help, ..WebError::unprocessable(complaint.message) }
    }
}

impl From<Failure> for WebError {
    fn from(failure: Failure) -> WebError {
        match failure {
            Failure::Complaint(complaint) => WebError::from(complaint),
            Failure::Fault(fault) => WebError::internal(fault.message),
        }
    }
}

/// Responds with JSON. `guard` replaces the response with an HTML page if the client expects one.
impl IntoResponse for WebError {
    fn into_response(self) -> Response {
        let mut body = json!({ "error": self.message });
        if let Some(help) = &self.help {
            body["help"] = json!(help);
        }
        let mut response = super::api::json_text(self.status, body.to_string());
        response.extensions_mut().insert(ErrorText { message: self.message, help: self.help });
        response
    }
}

/// Message and advice of an error response, from which `guard` renders the error page.
#[derive(Debug, Clone)]
pub(super) struct ErrorText {
    pub(super) message: String,
    pub(super) help: Option<String>,
}
