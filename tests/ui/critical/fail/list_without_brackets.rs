// errors: 1
use axum::Json;
use idem_axum::idempotent;
use serde::Deserialize;

#[derive(Deserialize)]
struct Payment {
    items: Vec<Item>,
}

#[derive(Deserialize)]
struct Item {
    sku: String,
}

#[idempotent(critical = ["items.sku"])]
async fn pay(Json(payment): Json<Payment>) -> String {
    payment.items.into_iter().map(|item| item.sku).collect()
}

fn main() {
    ui::route(pay);
}
