use axum::Json;
use idem_axum::idempotent;
use utoipa::OpenApi;

#[idempotent]
#[utoipa::path(post, path = "/below", request_body = u64, responses((status = 200, body = String)))]
async fn below(Json(amount): Json<u64>) -> String {
    amount.to_string()
}

#[utoipa::path(post, path = "/above", request_body = u64, responses((status = 200, body = String)))]
#[idempotent(critical = ["0"])]
async fn above(Json(amount): Json<(u64,)>) -> String {
    amount.0.to_string()
}

#[derive(OpenApi)]
#[openapi(paths(below, above))]
struct Api;

fn main() {
    ui::route(below);
    ui::route(above);
    let paths = Api::openapi().paths.paths;
    assert!(paths.contains_key("/below") && paths.contains_key("/above"));
}
