//! Requests that fail: JSON with a message.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use zonewalk_reference::Error;

/// Why a request fails.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    pub(crate) status: StatusCode,
    pub(crate) message: String,
}

impl Failure {
    pub(crate) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Failure {
            status,
            message: message.into(),
        }
    }

    /// Response to a request that makes no sense.
    pub(crate) fn bad(message: impl Into<String>) -> Self {
        Failure::new(StatusCode::BAD_REQUEST, message)
    }

    /// It makes sense, but not now.
    pub(crate) fn conflict(message: impl Into<String>) -> Self {
        Failure::new(StatusCode::CONFLICT, message)
    }

    /// It was understood, and the model says no.
    pub(crate) fn refused(message: impl Into<String>) -> Self {
        Failure::new(StatusCode::UNPROCESSABLE_ENTITY, message)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::refused(error.to_string())
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let body = json!({ "error": { "status": self.status.as_u16(), "message": self.message } });
        let kind = [(header::CONTENT_TYPE, "application/json; charset=utf-8")];
        (self.status, kind, body.to_string()).into_response()
    }
}
