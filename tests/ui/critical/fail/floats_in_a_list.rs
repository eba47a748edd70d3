// errors: 1
use axum::Json;
use idem_axum::idempotent;
use serde::Deserialize;

#[derive(Deserialize)]
struct Payment {
    shares: Vec<f64>,
}

#[idempotent(critical = ["shares"])]
async fn pay(Json(payment): Json<Payment>) -> String {
    payment.shares.len().to_string()
}

fn main() {
    ui::route(pay);
}
