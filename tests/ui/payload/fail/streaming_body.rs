// errors: 1
use axum::body::Body;
use idem_axum::idempotent;

#[idempotent]
async fn upload(_: Body) {}

fn main() {}
