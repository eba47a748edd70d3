// errors: 1
use axum::body::Bytes;
use idem_axum::idempotent;

#[idempotent]
#[idempotent(ttl = "72h")]
async fn pay(_: Bytes) {}

fn main() {}
