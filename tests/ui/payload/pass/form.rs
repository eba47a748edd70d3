use axum::Form;
use idem_axum::idempotent;
use serde::Deserialize;

#[derive(Deserialize)]
struct Payment {
    amount: u64,
}

#[idempotent(critical = ["amount"])]
async fn pay(Form(payment): Form<Payment>) -> String {
    payment.amount.to_string()
}

fn main() {
    ui::route(pay);
}
