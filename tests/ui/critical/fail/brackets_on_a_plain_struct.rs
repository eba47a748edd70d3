// errors: 1
use axum::Json;
use idem_axum::idempotent;
use serde::Deserialize;

#[derive(Deserialize)]
struct Payment {
    item: Item,
}

#[derive(Deserialize)]
struct Item {
    sku: String,
}

#[idempotent(critical = ["item[].sku"])]
async fn pay(Json(payment): Json<Payment>) -> String {
    payment.item.sku
}

fn main() {
    ui::route(pay);
}
