use axum::Json;
use idem_axum::idempotent;
use serde::Deserialize;

#[derive(Deserialize)]
struct Payment {
    amount: u64,
}

#[idempotent(
    critical = ["amount"],
    policy = "review",
    on_accept = settle,
    suspicious_within = "10s",
    fresh_after = "12h",
    max_history = 16,
    max_conflicts = 4,
    ttl = "1d12h",
    lease = "1500ms",
    on_failure = "reject",
    on_crash = "retry",
    concurrent = "wait",
    wait = "750ms",
    name = "shop.pay",
    header = "X-Retry-Key",
    key = "optional",
    crate = idem_axum,
)]
async fn pay(Json(payment): Json<Payment>) -> String {
    settle(payment).await
}

async fn settle(payment: Payment) -> String {
    payment.amount.to_string()
}

fn main() {
    ui::route(pay);
}
