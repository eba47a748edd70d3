//! A transaction in every place that a parameter can have.

use axum::body::Bytes;
use axum::extract::Path;
use axum::routing::post;
use axum::{Json, Router};
use idem_axum::{Global, Idempotency, IdempotencyState, TransactionalStore, Tx, idempotent};
use serde::Deserialize;

#[derive(Deserialize)]
struct Payment {
    amount: u64,
}

#[derive(Clone, IdempotencyState)]
pub struct App<St: TransactionalStore> {
    idempotency: Idempotency<Global, St>,
}

#[idempotent(critical = ["amount"], policy = "last_write_wins", concurrent = "wait")]
async fn first<St: TransactionalStore>(
    tx: Tx<St>,
    Path(_): Path<String>,
    Json(payment): Json<Payment>,
) -> String {
    drop(tx);
    payment.amount.to_string()
}

#[idempotent(header = "X-Key")]
async fn between<St: TransactionalStore>(
    Path(_): Path<String>,
    mut _tx: idem_axum::Tx<St>,
    _: Bytes,
) {
}

#[idempotent]
async fn without_a_payload<St: TransactionalStore>(Path(name): Path<String>, _: Tx<St>) -> String {
    name
}

#[idempotent]
async fn alone<St: TransactionalStore>(_: Tx<St>) {}

/// No store is needed to see that it compiles.
pub fn router<St: TransactionalStore + Clone>() -> Router<App<St>> {
    Router::new()
        .route("/first/{id}", post(first::<St>))
        .route("/between/{id}", post(between::<St>))
        .route("/last/{id}", post(without_a_payload::<St>))
        .route("/alone", post(alone::<St>))
}

fn main() {}
