// errors: 1
use axum::body::Bytes;
use idem_axum::idempotent;

struct Shop;

impl Shop {
    #[idempotent]
    async fn pay(&self, _: Bytes) {}
}

fn main() {}
