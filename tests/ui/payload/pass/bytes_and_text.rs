use axum::body::Bytes;
use idem_axum::idempotent;

#[idempotent]
async fn bytes(body: Bytes) -> Bytes {
    body
}

#[idempotent]
async fn text(body: String) -> String {
    body
}

fn main() {
    ui::route(bytes);
    ui::route(text);
}
