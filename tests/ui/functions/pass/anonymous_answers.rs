use axum::body::Bytes;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use idem_axum::idempotent;

#[idempotent]
async fn fallible(body: Bytes) -> Result<impl IntoResponse, StatusCode> {
    let text = std::str::from_utf8(&body).map_err(|_| StatusCode::BAD_REQUEST)?;
    Ok((StatusCode::CREATED, text.to_owned()))
}

#[idempotent]
async fn plain() -> impl IntoResponse {
    [("x-answer", "yes")]
}

#[idempotent]
async fn nothing(_: Bytes) {}

fn main() {
    ui::route(fallible);
    ui::route(plain);
    ui::route(nothing);
}
