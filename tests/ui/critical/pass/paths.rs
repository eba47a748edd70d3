use std::collections::HashMap;

use axum::Json;
use idem_axum::{IdentityValue, idempotent};
use rust_decimal::Decimal;
use serde::Deserialize;

#[derive(Deserialize)]
struct Order {
    amount: Decimal,
    card: Option<Card>,
    items: Vec<Item>,
    rows: Vec<Vec<Option<u64>>>,
    boxed: Box<Item>,
    pair: (u64, Item),
    labels: HashMap<String, u64>,
    method: Method,
}

#[derive(Deserialize)]
struct Card {
    last4: String,
}

#[derive(Deserialize)]
struct Item {
    sku: String,
    tags: Option<Vec<String>>,
}

#[derive(Deserialize, IdentityValue)]
enum Method {
    Card,
    Transfer { iban: String },
}

#[idempotent(critical = [
    "amount", "card?.last4", "items[].sku", "items[].tags?[]", "rows[][]?", "boxed.sku", "pair.0", "pair.1.sku",
    "labels", "method",
])]
async fn order(Json(order): Json<Order>) -> String {
    order.amount.to_string()
}

#[idempotent(critical = ["0", "1.sku"])]
async fn pair(Json(pair): Json<(u64, Item)>) -> String {
    pair.0.to_string()
}

fn main() {
    ui::route(order);
    ui::route(pair);
}
