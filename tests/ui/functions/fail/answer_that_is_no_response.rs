// errors: 1
use axum::body::Bytes;
use idem_axum::idempotent;

struct Receipt;

#[idempotent]
async fn pay(_: Bytes) -> Receipt {
    Receipt
}

fn main() {}
