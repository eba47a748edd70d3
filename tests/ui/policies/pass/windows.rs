use axum::Json;
use idem_axum::idempotent;
use serde::Deserialize;

#[derive(Deserialize)]
struct Payment {
    amount: u64,
}

#[idempotent(suspicious_within = "10s", fresh_after = "12h", max_history = 2)]
async fn pay(Json(payment): Json<Payment>) -> String {
    payment.amount.to_string()
}

#[idempotent(critical = ["amount"], policy = "last_write_wins", fresh_after = "48h", ttl = "72h")]
async fn set(Json(payment): Json<Payment>) -> String {
    payment.amount.to_string()
}

fn main() {
    ui::route(pay);
    ui::route(set);
}
