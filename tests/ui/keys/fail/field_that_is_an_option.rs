// errors: 1
use axum::Json;
use idem_axum::idempotent;
use serde::Deserialize;

#[derive(Deserialize)]
struct Payment {
    request_id: Option<String>,
}

#[idempotent(key = field("request_id"))]
async fn pay(Json(payment): Json<Payment>) -> String {
    payment.request_id.unwrap_or_default()
}

fn main() {
    ui::route(pay);
}
