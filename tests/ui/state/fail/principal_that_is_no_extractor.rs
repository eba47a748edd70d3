// errors: 1
use idem_axum::{EmptyScope, Idempotency, IdempotencyState, MemoryStore, Principal, Scope};

struct Account(String);

impl Principal for Account {
    fn scope(&self) -> Result<Scope, EmptyScope> {
        Scope::of(self.0.as_str())
    }
}

#[derive(Clone, IdempotencyState)]
struct AppState {
    idempotency: Idempotency<Account, MemoryStore>,
}

fn main() {}
