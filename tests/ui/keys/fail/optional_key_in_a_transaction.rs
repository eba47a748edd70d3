// errors: 1
use axum::body::Bytes;
use idem_axum::{TransactionalStore, Tx, idempotent};

#[idempotent(key = "optional")]
async fn pay<St: TransactionalStore>(tx: Tx<St>, body: Bytes) -> String {
    drop(tx);
    body.len().to_string()
}

fn main() {}
