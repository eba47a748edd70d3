// errors: 1
use axum::Json;
use idem_axum::idempotent;
use serde::Deserialize;

#[derive(Deserialize)]
struct Payment {
    rate: Rate,
}

#[derive(Deserialize)]
struct Rate {
    percent: f32,
}

#[idempotent(critical = ["rate.percent"])]
async fn pay(Json(payment): Json<Payment>) -> String {
    payment.rate.percent.to_string()
}

fn main() {
    ui::route(pay);
}
