use axum::extract::Path;
use axum::http::HeaderMap;
use idem_axum::idempotent;

#[idempotent]
async fn refresh() -> &'static str {
    "done"
}

#[idempotent]
async fn cancel(Path(order): Path<u64>) -> String {
    order.to_string()
}

#[idempotent]
async fn inspect(Path(order): Path<u64>, headers: HeaderMap) -> String {
    format!("{order}{}", headers.len())
}

fn main() {
    ui::route(refresh);
    ui::route(cancel);
    ui::route(inspect);
}
