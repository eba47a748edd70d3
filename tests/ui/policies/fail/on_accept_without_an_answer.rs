// errors: 1
use axum::Json;
use axum::extract::State;
use idem_axum::idempotent;
use serde::Deserialize;
use ui::AppState;

#[derive(Deserialize)]
struct Payment {
    amount: u64,
}

async fn settle(_: AppState, payment: Payment) -> Option<Payment> {
    (payment.amount > 0).then_some(payment)
}

#[idempotent(policy = "review", on_accept = settle)]
async fn pay(State(_): State<AppState>, Json(payment): Json<Payment>) -> String {
    payment.amount.to_string()
}

fn main() {
    ui::route(pay);
}
