//! Lints and attributes of the user's hold as they did.
#![deny(missing_docs, unused, clippy::all)]

use axum::body::Bytes;
use idem_axum::idempotent;

/// Takes a payment.
#[idempotent(ttl = "72h")]
#[must_use]
#[inline]
pub async fn pay(body: Bytes) -> String {
    #![allow(unused_variables)]
    let unused = body;
    String::new()
}

/// Takes another.
#[idempotent]
#[allow(unused_variables)]
pub async fn pay_again(body: Bytes) -> String {
    String::new()
}

/// Has as many parameters as are allowed.
#[idempotent]
#[axum::debug_handler(state = ui::AppState)]
pub async fn checked(_: axum::http::Method, _: axum::http::Uri, body: Bytes) -> String {
    body.len().to_string()
}

#[cfg_attr(all(), idempotent)]
async fn conditional(
    #[cfg(any())] _missing: DoesNotExist,
    #[cfg(all())] _present: axum::http::Method,
    _: Bytes,
) {
}

fn main() {
    ui::route(pay);
    ui::route(pay_again);
    ui::route(checked);
    ui::route(conditional);
}
