// errors: 1
use idem_axum::{Global, Idempotency, IdempotencyState, MemoryStore};

#[derive(IdempotencyState)]
enum AppState {
    Ready(Idempotency<Global, MemoryStore>),
}

fn main() {}
