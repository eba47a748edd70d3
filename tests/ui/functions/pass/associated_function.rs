use axum::body::Bytes;
use idem_axum::idempotent;

struct Shop;

impl Shop {
    #[idempotent]
    async fn pay(body: Bytes) -> String {
        body.len().to_string()
    }
}

fn main() {
    ui::route(Shop::pay);
}
