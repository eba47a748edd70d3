//! What the fixtures share: an application's state, and a place to route to.

mod plain_store;

use axum::Router;
use axum::handler::Handler;
use axum::routing::post;
use idem_axum::{Global, Idempotency, IdempotencyState, MemoryStore};

pub use plain_store::PlainStore;

/// The state of the fixtures' application.
#[derive(Clone, IdempotencyState)]
pub struct AppState {
    idempotency: Idempotency<Global, MemoryStore>,
}

/// A state as an application would make it.
pub fn state() -> AppState {
    AppState { idempotency: Idempotency::global(MemoryStore::new()) }
}

/// Routes to a handler, which must therefore be one.
pub fn route<H, T>(handler: H)
where
    H: Handler<T, AppState>,
    T: 'static,
{
    let _: Router = Router::new().route("/", post(handler)).with_state(state());
}
