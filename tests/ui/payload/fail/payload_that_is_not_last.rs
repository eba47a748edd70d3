// errors: 1
use axum::Json;
use axum::http::HeaderMap;
use idem_axum::idempotent;

#[idempotent(critical = ["0"])]
async fn pay(Json(amount): Json<(u64,)>, _: HeaderMap) -> String {
    amount.0.to_string()
}

fn main() {}
