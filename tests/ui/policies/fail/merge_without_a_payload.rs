// errors: 1
use idem_axum::idempotent;

#[idempotent(policy = "merge")]
async fn refresh() {}

fn main() {
    ui::route(refresh);
}
