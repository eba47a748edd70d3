// errors: 1
use idem_axum::idempotent;

struct Payment;

#[idempotent]
async fn pay(_: Payment) {}

fn main() {
    ui::route(pay);
}
