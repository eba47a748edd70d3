use idem_axum::{Global, Idempotency, IdempotencyState, MemoryStore};

#[derive(IdempotencyState)]
struct Plain {
    _name: String,
    idempotency: idem_axum::Idempotency<Global, MemoryStore>,
}

#[derive(IdempotencyState)]
struct Tuple(u64, Idempotency<Global, MemoryStore>);

type Engine = Idempotency<Global, MemoryStore>;

#[derive(IdempotencyState)]
struct Marked {
    _other: Idempotency<Global, MemoryStore>,
    #[idem(engine)]
    engine: Engine,
}

#[derive(IdempotencyState)]
struct Generic<T: Send + Sync + 'static> {
    _shop: T,
    idempotency: Idempotency<Global, MemoryStore>,
}

fn is_state<S: IdempotencyState>() {}

fn main() {
    is_state::<Plain>();
    is_state::<Tuple>();
    is_state::<Marked>();
    is_state::<Generic<u8>>();
}
