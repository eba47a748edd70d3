#![deny(warnings)]

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use idem_axum::idempotent;
use serde::Deserialize;

#[derive(Deserialize)]
struct Pay {
    amount: u64,
    currency: String,
}

#[idempotent(critical = ["amount", "currency"])]
async fn destructured(
    _: HeaderMap,
    State(_state): State<ui::AppState>,
    Json(Pay { amount, .. }): Json<Pay>,
) -> String {
    amount.to_string()
}

#[idempotent]
async fn mutable(mut headers: HeaderMap, mut body: Json<Pay>) -> String {
    headers.clear();
    body.amount += 1;
    body.0.currency
}

fn main() {
    ui::route(destructured);
    ui::route(mutable);
}
