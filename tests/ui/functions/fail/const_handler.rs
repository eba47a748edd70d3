// errors: 1
#[idem_axum::idempotent]
const fn pay(body: String) -> String {
    body
}

fn main() {}
