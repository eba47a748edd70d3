//! The handler as it was written, under a name beside the one that is routed to.
#![deny(missing_docs, unused)]

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use idem_axum::idempotent;
use serde::Deserialize;

/// A payment.
#[derive(Deserialize)]
pub struct Payment {
    amount: u64,
}

/// Takes a payment.
#[idempotent(critical = ["amount"], unprotected = charge)]
pub async fn pay(
    State(_): State<ui::AppState>,
    Json(payment): Json<Payment>,
) -> Result<String, StatusCode> {
    if payment.amount == 0 { Err(StatusCode::BAD_REQUEST) } else { Ok(payment.amount.to_string()) }
}

/// Has type parameters.
#[idempotent(unprotected = keep_any)]
pub async fn keep<T: ToString + Send + 'static, const N: usize>(Json(value): Json<T>) -> String {
    format!("{} {N}", value.to_string())
}

/// A shop.
pub struct Shop {
    /// Its name.
    pub name: String,
}

impl Shop {
    /// Opens one.
    #[idempotent(unprotected = Self::new)]
    pub async fn open(Json(name): Json<String>) -> String {
        Self { name }.name
    }
}

async fn test() {
    let state = ui::state();
    let paid: Result<String, StatusCode> = charge(State(state), Json(Payment { amount: 7 })).await;
    assert_eq!(paid.as_deref(), Ok("7"));
    assert_eq!(keep_any::<u8, 3>(Json(1)).await, "1 3");
    assert_eq!(Shop::new(Json("corner".to_owned())).await, "corner");
}

fn main() {
    ui::route(pay);
    ui::route(keep::<u8, 3>);
    ui::route(Shop::open);
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(test());
}
