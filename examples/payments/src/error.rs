//! What can go wrong with a payment, and what the client is told.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::money::Currency;

/// Why a request was not carried out.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum PaymentError {
    #[error("send the token of an account: `Authorization: Bearer demo-alice`")]
    NotAuthenticated,
    #[error("there is no such account")]
    UnknownAccount,
    #[error("an account cannot pay itself")]
    PaysItself,
    #[error("an amount is more than zero")]
    AmountNotPositive,
    #[error("the amount has more decimals than its currency, or is too large")]
    AmountNotPayable,
    #[error("both accounts must be in the currency of the payment, {}", .0.code())]
    CurrencyMismatch(Currency),
    #[error("the account holds less than that")]
    InsufficientFunds,
    #[error("the books could not be reached: try again with the same key")]
    Storage(#[from] sqlx::Error),
}

impl PaymentError {
    const fn status(&self) -> StatusCode {
        match self {
            Self::NotAuthenticated => StatusCode::UNAUTHORIZED,
            Self::UnknownAccount => StatusCode::NOT_FOUND,
            Self::InsufficientFunds => StatusCode::PAYMENT_REQUIRED,
            Self::PaysItself
            | Self::AmountNotPositive
            | Self::AmountNotPayable
            | Self::CurrencyMismatch(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Storage(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// The word that programs compare.
    const fn code(&self) -> &'static str {
        match self {
            Self::NotAuthenticated => "not-authenticated",
            Self::UnknownAccount => "unknown-account",
            Self::PaysItself => "pays-itself",
            Self::AmountNotPositive => "amount-not-positive",
            Self::AmountNotPayable => "amount-not-payable",
            Self::CurrencyMismatch(_) => "currency-mismatch",
            Self::InsufficientFunds => "insufficient-funds",
            Self::Storage(_) => "storage-failed",
        }
    }
}

#[derive(Serialize)]
struct Document {
    code: &'static str,
    detail: String,
}

/// A 4xx is an answer for good and is replayed; the 500 of a failed storage lets a retry run again.
impl IntoResponse for PaymentError {
    fn into_response(self) -> Response {
        if let Self::Storage(error) = &self {
            tracing::error!(%error, "the storage failed");
        }
        let document = Document { code: self.code(), detail: self.to_string() };
        let mut response = (self.status(), Json(document)).into_response();
        if matches!(self, Self::NotAuthenticated) {
            let bearer = HeaderValue::from_static("Bearer");
            response.headers_mut().insert(header::WWW_AUTHENTICATE, bearer);
        }
        response
    }
}
