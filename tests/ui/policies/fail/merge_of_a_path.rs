// errors: 1
use axum::extract::Path;
use idem_axum::idempotent;

#[idempotent(policy = "merge")]
async fn cancel(Path(order): Path<u64>) -> String {
    order.to_string()
}

fn main() {
    ui::route(cancel);
}
