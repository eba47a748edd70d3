// errors: 1
use axum::Json;
use idem_axum::idempotent;
use serde::Deserialize;

#[derive(Deserialize)]
struct Payment {
    card: Card,
}

#[derive(Deserialize)]
struct Card {
    last4: String,
}

#[idempotent(critical = ["card?.last4"])]
async fn pay(Json(payment): Json<Payment>) -> String {
    payment.card.last4
}

fn main() {
    ui::route(pay);
}
