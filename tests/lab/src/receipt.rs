//! The answer of every route.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rust_decimal::Decimal;
use serde::Serialize;
use uuid::Uuid;

use crate::payload::Payment;

/// What was done: the payment with an identifier that no other execution has.
#[derive(Serialize)]
pub(crate) struct Receipt {
    id: String,
    amount: Option<Decimal>,
    currency: Option<String>,
    recipient: Option<String>,
    note: Option<String>,
    tags: Vec<String>,
    /// Fills the answer up to the length that the script asks for.
    #[serde(skip_serializing_if = "String::is_empty")]
    padding: String,
}

impl Receipt {
    /// The receipt of a payment.
    pub(crate) fn of(payment: Payment) -> Self {
        Self {
            amount: Some(payment.amount),
            currency: Some(payment.currency),
            recipient: Some(payment.recipient),
            note: payment.note,
            tags: payment.tags.unwrap_or_default(),
            ..Self::of_bytes()
        }
    }

    /// The receipt of bytes that were not read.
    pub(crate) fn of_bytes() -> Self {
        Self {
            id: Uuid::new_v4().to_string(),
            amount: None,
            currency: None,
            recipient: None,
            note: None,
            tags: Vec::new(),
            padding: String::new(),
        }
    }

    /// The amount, where one was read.
    pub(crate) fn amount(&self) -> Option<Decimal> {
        self.amount
    }

    /// The response, with a body of at least `bytes` bytes.
    pub(crate) fn into_response(mut self, status: StatusCode, bytes: usize) -> Response {
        let location = HeaderValue::from_str(&format!("/payments/{}", self.id));
        let location = location.expect("a UUID is visible ASCII");
        if status == StatusCode::NO_CONTENT {
            return (status, [(header::LOCATION, location)]).into_response();
        }
        self.padding = "x".repeat(bytes.saturating_sub(self.json().len()));
        let json = HeaderValue::from_static("application/json");
        let headers = [(header::CONTENT_TYPE, json), (header::LOCATION, location)];
        (status, headers, self.json()).into_response()
    }

    fn json(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("strings and decimals are JSON")
    }
}
