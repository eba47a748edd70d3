// errors: 1
use axum::body::Bytes;
use axum::routing::post;
use idem_axum::{Global, Idempotency, IdempotencyState, Tx, idempotent};
use ui::PlainStore;

#[idempotent]
async fn pay(tx: Tx<PlainStore>, body: Bytes) -> String {
    drop(tx);
    body.len().to_string()
}

#[derive(Clone, IdempotencyState)]
struct AppState {
    idempotency: Idempotency<Global, PlainStore>,
}

fn main() {
    let state = AppState { idempotency: Idempotency::global(PlainStore::default()) };
    let _: axum::Router = axum::Router::new().route("/pay", post(pay)).with_state(state);
}
