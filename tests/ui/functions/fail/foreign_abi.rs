// errors: 1
#[idem_axum::idempotent]
async extern "C" fn pay(body: String) -> String {
    body
}

fn main() {}
