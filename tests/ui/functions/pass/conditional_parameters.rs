//! Parameters that a `cfg` removes or keeps, in each position but the last.
use axum::Json;
use axum::http::{HeaderMap, Method, Uri};
use idem_axum::idempotent;

#[idempotent]
async fn first_is_gone(#[cfg(any())] _: Missing, _: Method, Json(n): Json<u64>) -> String {
    n.to_string()
}

#[idempotent]
async fn first_is_there(#[cfg(all())] method: Method, Json(n): Json<u64>) -> String {
    format!("{method} {n}")
}

#[idempotent]
async fn all_but_the_last_are_gone(
    #[cfg(any())] _: Missing,
    #[cfg(any())] _: Missing,
    Json(n): Json<u64>,
) -> String {
    n.to_string()
}

#[idempotent(header = "X-Key")]
async fn some_in_the_middle(
    method: Method,
    #[cfg(any())] _: Missing,
    #[cfg(all())] uri: Uri,
    #[cfg(all())]
    #[allow(unused_variables)]
    headers: HeaderMap,
    Json(n): Json<u64>,
) -> String {
    format!("{method} {uri} {n}")
}

#[cfg(any())]
#[idempotent]
async fn not_there_at_all(_: Missing) {}

fn main() {
    ui::route(first_is_gone);
    ui::route(first_is_there);
    ui::route(all_but_the_last_are_gone);
    ui::route(some_in_the_middle);
}
