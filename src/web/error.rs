//! Errors as responses: JSON for programs, a page for browsers.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::model::{Diagnostic, Failure};

/// A request that can't be carried out.
#[derive(Debug, Clone)]
pub(super) struct WebError {
    pub(super) status: StatusCode,
    /// What is wrong, as a sentence without a full stop.
    pub(super) message: String,
    /// What to do about it.
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

    /// There is nothing with this path or id.
    pub(super) fn missing(what: impl Into<String>) -> WebError {
        WebError::new(StatusCode::NOT_FOUND, what)
    }

    /// The request is understood, but a value in it is not acceptable.
    pub(super) fn unprocessable(message: impl Into<String>) -> WebError {
        WebError::new(StatusCode::UNPROCESSABLE_ENTITY, message)
    }

    /// An error of this program.
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

/// The JSON form. `guard` replaces it by a page if the client asked for HTML.
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

/// The texts of an error response, from which its page is made.
#[derive(Debug, Clone)]
pub(super) struct ErrorText {
    pub(super) message: String,
    pub(super) help: Option<String>,
}
