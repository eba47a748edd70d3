use axum::Json;
use idem_axum::idempotent;
use serde::Deserialize;

#[derive(Deserialize)]
struct Payment {
    amount: u64,
}

#[idempotent(policy = "last_write_wins", max_history = 4)]
async fn pay(Json(payment): Json<Payment>) -> String {
    payment.amount.to_string()
}

#[idempotent(policy = "last_write_wins")]
async fn refresh() {}

fn main() {
    ui::route(pay);
    ui::route(refresh);
}
