//! A handler for one state alone, with and without type arguments.
use axum::Json;
use axum::extract::FromRef;
use idem_axum::{Global, Idempotency, IdempotencyState, MemoryStore, idempotent};

#[derive(Clone, IdempotencyState)]
struct Generic<A: Send + Sync + 'static, B: Send + Sync + 'static> {
    idempotency: Idempotency<Global, MemoryStore>,
    first: A,
    second: B,
}

impl FromRef<Generic<u8, u16>> for u16 {
    fn from_ref(state: &Generic<u8, u16>) -> u16 {
        state.second
    }
}

#[idempotent(state = Generic<u8, u16>, ttl = "1h")]
async fn pay(Json(amount): Json<u64>) -> String {
    amount.to_string()
}

#[idempotent(state = ui::AppState)]
async fn refund(Json(amount): Json<u64>) -> String {
    amount.to_string()
}

fn main() {
    let idempotency = Idempotency::global(MemoryStore::new());
    let state = Generic { idempotency, first: 1_u8, second: 2_u16 };
    let _ = state.first;
    let _: axum::Router =
        axum::Router::new().route("/", axum::routing::post(pay)).with_state(state);
    ui::route(refund);
}
