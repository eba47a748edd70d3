// errors: 1
use idem_axum::{Global, Idempotency, IdempotencyState, MemoryStore};

#[derive(IdempotencyState)]
struct AppState {
    #[idem(engine)]
    payments: Idempotency<Global, MemoryStore>,
    #[idem(engine)]
    orders: Idempotency<Global, MemoryStore>,
}

fn main() {}
