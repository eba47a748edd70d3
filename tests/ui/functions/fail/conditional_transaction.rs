// errors: 1
use axum::body::Bytes;
use idem_axum::{TransactionalStore, Tx, idempotent};

#[idempotent]
async fn pay<St: TransactionalStore>(#[cfg(unix)] tx: Tx<St>, body: Bytes) -> String {
    drop(tx);
    body.len().to_string()
}

fn main() {}
