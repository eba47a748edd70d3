//! The routes and their handlers.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use idem_axum::idempotent;

use crate::account::{Account, Statement};
use crate::bank::Bank;
use crate::error::PaymentError;
use crate::payment::{Payment, Receipt};
use crate::service::AppState;

pub(crate) fn routes() -> Router<AppState> {
    Router::new().route("/payments", post(pay)).route("/accounts/{id}", get(statement))
}

/// Pays from the caller's account. Under one key it happens once, and only with one amount,
/// currency and payee.
#[idempotent(policy = "reject", ttl = "72h")]
async fn pay(
    State(bank): State<Bank>,
    payer: Account,
    Json(payment): Json<Payment>,
) -> Result<(StatusCode, Json<Receipt>), PaymentError> {
    let receipt = bank.pay(&payer, &payment).await?;
    Ok((StatusCode::CREATED, Json(receipt)))
}

/// What the caller's own account holds. Those of others are as unknown as those that do not exist.
async fn statement(
    State(bank): State<Bank>,
    caller: Account,
    Path(id): Path<String>,
) -> Result<Json<Statement>, PaymentError> {
    if id != caller.id {
        return Err(PaymentError::UnknownAccount);
    }
    Ok(Json(bank.statement(&caller).await?))
}
