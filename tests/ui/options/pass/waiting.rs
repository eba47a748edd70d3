use axum::Json;
use idem_axum::idempotent;
use serde::Deserialize;

#[derive(Deserialize)]
struct Payment {
    amount: u64,
}

#[idempotent(concurrent = "wait")]
async fn pay(Json(payment): Json<Payment>) -> String {
    payment.amount.to_string()
}

#[idempotent(wait = "1s500ms", lease = "2s", concurrent = "wait")]
async fn refund(Json(payment): Json<Payment>) -> String {
    payment.amount.to_string()
}

fn main() {
    ui::route(pay);
    ui::route(refund);
}
