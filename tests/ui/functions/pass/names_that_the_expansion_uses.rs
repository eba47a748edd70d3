use axum::body::Bytes;
use axum::http::{HeaderMap, Method, Uri, Version};
use idem_axum::idempotent;

const CONTRACT: usize = 1;
const MASK: usize = 2;

#[idempotent]
async fn ordinary(store: Method, key: Uri, record: Version, ctx: HeaderMap, body: Bytes) -> String {
    format!("{store}{key}{record:?}{}{}", ctx.len(), body.len())
}

#[idempotent]
async fn opening(
    semantics: Method,
    contract: Uri,
    argument0: Version,
    identity: HeaderMap,
    payload: Bytes,
) -> String {
    format!(
        "{semantics}{contract}{argument0:?}{}{}{}",
        identity.len(),
        payload.len(),
        CONTRACT + MASK
    )
}

#[idempotent]
async fn payload(out: Method, opening: Bytes) -> String {
    format!("{out}{}", opening.len())
}

fn main() {
    ui::route(ordinary);
    ui::route(opening);
    ui::route(payload);
}
