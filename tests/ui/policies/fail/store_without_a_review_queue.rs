// errors: 1
use axum::Json;
use axum::routing::post;
use idem_axum::{Global, Idempotency, IdempotencyState, idempotent};
use serde::Deserialize;
use ui::PlainStore;

#[derive(Deserialize)]
struct Payment {
    amount: u64,
}

#[idempotent(policy = "review")]
async fn pay(Json(payment): Json<Payment>) -> String {
    payment.amount.to_string()
}

#[derive(Clone, IdempotencyState)]
struct AppState {
    idempotency: Idempotency<Global, PlainStore>,
}

fn main() {
    let state = AppState { idempotency: Idempotency::global(PlainStore::default()) };
    let _: axum::Router = axum::Router::new().route("/pay", post(pay)).with_state(state);
}
