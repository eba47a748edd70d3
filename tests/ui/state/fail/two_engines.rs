// errors: 1
use idem_axum::{Global, Idempotency, IdempotencyState, MemoryStore};

#[derive(IdempotencyState)]
struct AppState {
    first: Idempotency<Global, MemoryStore>,
    second: Idempotency<Global, MemoryStore>,
}

fn main() {}
