// errors: 1
use axum::Json;
use idem_axum::idempotent;
use serde::Deserialize;

#[derive(Deserialize)]
struct Payment {
    amount: u64,
}

#[idempotent(header = "Schlüssel")]
async fn pay(Json(payment): Json<Payment>) -> String {
    payment.amount.to_string()
}

fn main() {
    ui::route(pay);
}
