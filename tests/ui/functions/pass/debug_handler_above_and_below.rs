use axum::Json;
use axum::debug_handler;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use idem_axum::idempotent;

#[idempotent]
#[debug_handler]
async fn below(Path(_): Path<u64>, Json(amount): Json<u64>) -> String {
    amount.to_string()
}

#[debug_handler(state = ui::AppState)]
#[idempotent(state = ui::AppState)]
async fn above(State(_): State<ui::AppState>, _: HeaderMap, Json(amount): Json<u64>) -> String {
    amount.to_string()
}

#[debug_handler(state = ui::AppState)]
#[idempotent(header = "X-Key", state = ui::AppState)]
async fn above_one_parameter(Json(amount): Json<u64>) -> String {
    amount.to_string()
}

fn main() {
    ui::route(below);
    ui::route(above);
    ui::route(above_one_parameter);
}
