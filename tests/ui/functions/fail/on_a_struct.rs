// errors: 1
use idem_axum::idempotent;

#[idempotent]
struct Pay {
    amount: u64,
}

fn main() {}
