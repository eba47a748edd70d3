//! Why nothing moved.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

/// Why nothing moved, as the client is told.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// No money, or nobody else to get it.
    #[error("a transfer moves more than nothing, from one account to another")]
    NothingToMove,
    /// One of the two is not there.
    #[error("there is no such account")]
    UnknownAccount,
    /// There is less than is asked for.
    #[error("the account holds less than that")]
    InsufficientFunds,
    /// The database failed, or did not take what was written.
    #[error("the books could not be written: nothing has moved, try again with the same key")]
    Storage(#[from] sqlx::Error),
}

/// A 4xx is an answer for good; the 500 of the storage undoes what was written, and lets a retry run.
impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let status = match &self {
            Self::NothingToMove => StatusCode::UNPROCESSABLE_ENTITY,
            Self::UnknownAccount => StatusCode::NOT_FOUND,
            Self::InsufficientFunds => StatusCode::PAYMENT_REQUIRED,
            Self::Storage(error) => {
                tracing::error!(%error, "the books could not be written");
                StatusCode::INTERNAL_SERVER_ERROR
            }
        };
        (status, self.to_string()).into_response()
    }
}
