#![deny(unused)]

use axum::Json;
use idem_axum::{SemanticIdentity, idempotent};
use rust_decimal::Decimal;
use serde::Deserialize;

#[derive(Deserialize, SemanticIdentity)]
#[serde(rename_all = "camelCase")]
#[allow(dead_code)]
struct Payment<T> {
    #[idem(critical)]
    amount: Decimal,
    #[idem(critical)]
    #[serde(rename = "type")]
    kind: T,
    #[idem(ignore)]
    #[serde(alias = "ts")]
    client_time: u64,
    #[idem(nested)]
    card: Option<Card>,
    #[idem(nested)]
    items: Vec<Card>,
    #[idem(nested)]
    #[serde(flatten)]
    meta: Meta,
    note: String,
}

#[derive(Deserialize, SemanticIdentity)]
struct Card {
    #[idem(critical)]
    last4: String,
}

#[derive(Deserialize, SemanticIdentity)]
struct Meta {
    #[idem(ignore)]
    #[allow(dead_code)]
    trace: String,
}

#[derive(SemanticIdentity)]
struct Envelope<T> {
    #[idem(nested)]
    inner: T,
}

#[idempotent]
async fn pay(Json(payment): Json<Payment<String>>) -> String {
    payment.note + &payment.kind
}

fn main() {
    let masked: &dyn Fn(&Envelope<Meta>) -> bool =
        &|_| <Envelope<Meta> as SemanticIdentity>::HAS_CRITICAL;
    assert!(!masked(&Envelope { inner: Meta { trace: String::new() } }));
    assert!(<Envelope<Card> as SemanticIdentity>::HAS_CRITICAL);
    assert!(<Payment<u64> as SemanticIdentity>::HAS_CRITICAL);
    ui::route(pay);
}
