// errors: 1
use axum::body::Bytes;
use idem_axum::idempotent;

#[idempotent]
async unsafe fn pay(_: Bytes) {}

fn main() {}
