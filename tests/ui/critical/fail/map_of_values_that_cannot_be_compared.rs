// errors: 1
use std::collections::HashMap;

use axum::Json;
use idem_axum::idempotent;
use serde::Deserialize;

#[derive(Deserialize)]
struct Payment {
    items: HashMap<String, Item>,
}

#[derive(Deserialize)]
struct Item {
    count: u32,
}

#[idempotent(critical = ["items"])]
async fn pay(Json(payment): Json<Payment>) -> String {
    payment.items.values().map(|item| item.count).sum::<u32>().to_string()
}

fn main() {
    ui::route(pay);
}
