//! What a handler may say of its own answer: whether it is one for good.

use std::convert::Infallible;

use axum::http::{StatusCode, response};
use axum::response::{IntoResponseParts, ResponseParts};

/// How an answer counts where its status would say otherwise.
///
/// A handler attaches it to its response. One that attaches none leaves it to the
/// [status](macro@crate::idempotent#outcomes).
///
/// ```
/// use axum::{http::StatusCode, response::IntoResponse};
/// use idem_axum::{Outcome, idempotent};
///
/// /// A 404 is an answer for good. This one asks for another try.
/// #[idempotent]
/// async fn settle() -> impl IntoResponse {
///     (StatusCode::NOT_FOUND, Outcome::Transient, "the order has not arrived here yet")
/// }
/// ```
///
/// A type of error says it once for all handlers that return it. `None` attaches nothing:
///
/// ```
/// use axum::{http::StatusCode, response::{IntoResponse, Response}};
/// use idem_axum::{Outcome, idempotent};
///
/// enum BankError { UnknownAccount, InsufficientFunds, Discontinued, NetworkSilent }
///
/// impl IntoResponse for BankError {
///     fn into_response(self) -> Response {
///         let (status, outcome) = match self {
///             Self::UnknownAccount => (StatusCode::NOT_FOUND, None),
///             // After a deposit the same payment may succeed.
///             Self::InsufficientFunds => (StatusCode::PAYMENT_REQUIRED, Some(Outcome::Transient)),
///             // No retry will ever be served.
///             Self::Discontinued => (StatusCode::SERVICE_UNAVAILABLE, Some(Outcome::Final)),
///             // The money may have moved.
///             Self::NetworkSilent => (StatusCode::GATEWAY_TIMEOUT, Some(Outcome::Indeterminate)),
///         };
///         (status, outcome, "not paid").into_response()
///     }
/// }
///
/// #[idempotent]
/// async fn pay() -> Result<StatusCode, BankError> {
///     Err(BankError::NetworkSilent)
/// }
/// ```
///
/// It lives in the response's extensions, where code that makes a [`Response`](axum::response::Response)
/// by hand inserts it and layers around the handler read it. Of several, the one that was attached
/// last counts: in nested tuples the outermost. It is neither stored nor sent to the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The answer is the key's: it is stored and replayed, a `503` too.
    Final,
    /// The operation failed, a `200` too: `on_failure` decides what a retry does.
    Transient,
    /// Nobody can tell what has happened: as after a crash, `on_crash` decides what a retry does.
    Indeterminate,
}

impl Outcome {
    /// What the handler has said of its response, or else what the status says.
    pub(crate) fn of(response: &response::Parts) -> Self {
        let said = response.extensions.get().copied();
        said.unwrap_or_else(|| Self::by_status(response.status))
    }

    /// Server errors and the statuses that ask for another try are no answers for good.
    fn by_status(status: StatusCode) -> Self {
        let asks_again =
            [StatusCode::REQUEST_TIMEOUT, StatusCode::TOO_EARLY, StatusCode::TOO_MANY_REQUESTS];
        if status.is_server_error() || asks_again.contains(&status) {
            Self::Transient
        } else {
            Self::Final
        }
    }
}

impl IntoResponseParts for Outcome {
    type Error = Infallible;

    fn into_response_parts(self, mut parts: ResponseParts) -> Result<ResponseParts, Infallible> {
        parts.extensions_mut().insert(self);
        Ok(parts)
    }
}
