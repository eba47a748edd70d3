// errors: 1
use axum::body::Bytes;
use idem_axum::idempotent;

#[idempotent]
fn pay(_: Bytes) {}

fn main() {}
