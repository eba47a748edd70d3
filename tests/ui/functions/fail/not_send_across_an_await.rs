// errors: 1
use axum::body::Bytes;
use idem_axum::idempotent;

#[idempotent]
async fn pay(_: Bytes) -> String {
    let shared = std::rc::Rc::new(1);
    std::future::ready(()).await;
    shared.to_string()
}

fn main() {}
