// errors: 1
use idem_axum::idempotent;

#[idempotent]
async fn pay(_: impl Into<String>) {}

fn main() {}
