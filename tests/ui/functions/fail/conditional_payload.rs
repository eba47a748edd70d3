// errors: 1
#[idem_axum::idempotent]
async fn pay(_: axum::http::HeaderMap, #[cfg(all())] body: String) -> String {
    body
}

fn main() {}
