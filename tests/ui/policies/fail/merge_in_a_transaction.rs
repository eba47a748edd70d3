// errors: 1
use axum::Json;
use idem_axum::{TransactionalStore, Tx, idempotent};
use serde::Deserialize;

#[derive(Deserialize)]
struct Payment {
    amount: u64,
}

#[idempotent(policy = "merge")]
async fn pay<St: TransactionalStore>(tx: Tx<St>, Json(payment): Json<Payment>) -> String {
    drop(tx);
    payment.amount.to_string()
}

fn main() {}
