//! The routes and their handlers.

use axum::extract::{FromRef, Path, State};
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use idem_axum::{Global, Idempotency, IdempotencyState, PostgresStore, Tx, idempotent};

use crate::bank::{Account, Bank, Receipt, Transfer, carry_out};
use crate::refusal::Refusal;

/// What the handlers share.
#[derive(Clone, FromRef, IdempotencyState)]
pub struct AppState {
    /// The books, for those who only read them.
    pub bank: Bank,
    /// Where keys are kept: the same database. The bank's own app is the one client.
    pub idempotency: Idempotency<Global, PostgresStore>,
}

/// The whole API.
pub fn router(state: AppState) -> Router {
    Router::new()
        .route("/transfers", post(transfer))
        .route("/accounts/{name}", get(account))
        .with_state(state)
}

/// Moves money, once for each key.
///
/// What it writes, it writes over `tx`. A refusal is an answer for good, and is decided before
/// anything is written; what fails after that is a 500, and undone.
#[idempotent(critical = ["from", "to", "amount"], ttl = "72h")]
async fn transfer(
    mut tx: Tx<PostgresStore>,
    Json(transfer): Json<Transfer>,
) -> Result<(StatusCode, Json<Receipt>), Refusal> {
    let receipt = carry_out(&mut tx, transfer).await?;
    Ok((StatusCode::CREATED, Json(receipt)))
}

/// What an account holds.
async fn account(
    State(bank): State<Bank>,
    Path(name): Path<String>,
) -> Result<Json<Account>, Refusal> {
    bank.account(&name).await?.map(Json).ok_or(Refusal::UnknownAccount)
}
