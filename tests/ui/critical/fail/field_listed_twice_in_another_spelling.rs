// errors: 1
use axum::Json;
use idem_axum::idempotent;
use serde::Deserialize;

#[derive(Deserialize)]
struct Payment {
    r#type: String,
}

#[idempotent(critical = ["type", "r#type"])]
async fn pay(Json(payment): Json<Payment>) -> String {
    payment.r#type
}

fn main() {
    ui::route(pay);
}
