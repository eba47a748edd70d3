// errors: 1
use axum::extract::Request;
use idem_axum::idempotent;

#[idempotent]
async fn upload(_: Request) {}

fn main() {}
