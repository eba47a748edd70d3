// errors: 1
use axum::body::Bytes;
use idem_axum::{TransactionalStore, Tx, idempotent};

#[idempotent]
async fn pay<St: TransactionalStore>(first: Tx<St>, second: Tx<St>, body: Bytes) -> String {
    drop((first, second));
    body.len().to_string()
}

fn main() {}
