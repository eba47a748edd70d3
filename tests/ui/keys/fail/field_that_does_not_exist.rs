// errors: 1
use axum::Json;
use idem_axum::idempotent;
use serde::Deserialize;

#[derive(Deserialize)]
struct Payment {
    request_id: String,
}

#[idempotent(key = field("requestid"))]
async fn pay(Json(payment): Json<Payment>) -> String {
    payment.request_id
}

fn main() {
    ui::route(pay);
}
