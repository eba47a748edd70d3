use axum::Json;
use idem_axum::idempotent;
use serde::Deserialize;
use std::fmt::Display;

#[derive(Deserialize)]
struct Payment {
    amount: u64,
}

#[idempotent(critical = ["amount"], policy = "review", on_accept = settle::<u8, _>, ttl = "72h")]
async fn pay(Json(payment): Json<Payment>) -> String {
    settle::<u8, _>(payment).await
}

async fn settle<T: Default + Display, P: Into<Payment>>(payment: P) -> String {
    format!("{} {}", T::default(), payment.into().amount)
}

fn main() {
    ui::route(pay);
}
