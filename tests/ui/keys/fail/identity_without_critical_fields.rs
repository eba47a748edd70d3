// errors: 1
use axum::Json;
use idem_axum::{SemanticIdentity, idempotent};
use serde::Deserialize;

#[derive(Deserialize, SemanticIdentity)]
struct Payment {
    amount: u64,
    #[idem(ignore)]
    client_ts: String,
}

#[idempotent(key = identity)]
async fn pay(Json(payment): Json<Payment>) -> String {
    format!("{} {}", payment.amount, payment.client_ts)
}

fn main() {
    ui::route(pay);
}
