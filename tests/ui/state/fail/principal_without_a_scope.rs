// errors: 1
use idem_axum::{Idempotency, MemoryStore};

struct Account;

fn main() {
    let _ = Idempotency::per::<Account>(MemoryStore::new());
}
