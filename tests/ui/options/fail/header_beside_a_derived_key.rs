// errors: 1
use axum::Json;
use idem_axum::idempotent;
use serde::Deserialize;

#[derive(Deserialize)]
struct Payment {
    request_id: String,
}

#[idempotent(header = "X-Request-Id", key = field("request_id"))]
async fn pay(Json(payment): Json<Payment>) -> String {
    payment.request_id
}

fn main() {
    ui::route(pay);
}
