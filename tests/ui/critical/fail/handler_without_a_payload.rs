// errors: 1
use idem_axum::idempotent;

#[idempotent(critical = ["amount"])]
async fn refresh() {}

fn main() {
    ui::route(refresh);
}
