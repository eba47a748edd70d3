// errors: 1
use axum::Router;
use axum::body::Bytes;
use axum::routing::post;
use idem_axum::idempotent;

#[idempotent]
async fn pay(_: Bytes) {}

#[derive(Clone)]
struct AppState;

fn main() {
    let _: Router = Router::new().route("/pay", post(pay)).with_state(AppState);
}
