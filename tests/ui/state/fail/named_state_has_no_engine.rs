// errors: 1
use axum::Json;
use idem_axum::idempotent;

#[derive(Clone)]
struct AppState;

#[idempotent(state = AppState)]
async fn pay(Json(amount): Json<u64>) -> String {
    amount.to_string()
}

fn main() {
    let _: axum::Router =
        axum::Router::new().route("/", axum::routing::post(pay)).with_state(AppState);
}
