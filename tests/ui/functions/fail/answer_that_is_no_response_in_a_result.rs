// errors: 1
use axum::body::Bytes;
use axum::http::StatusCode;
use idem_axum::idempotent;

struct Receipt;

#[idempotent]
async fn pay(_: Bytes) -> Result<Receipt, StatusCode> {
    Ok(Receipt)
}

fn main() {}
