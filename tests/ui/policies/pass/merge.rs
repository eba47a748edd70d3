#![deny(unused)]

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use idem_axum::{Merge, SemanticIdentity, idempotent};
use serde::Deserialize;
use ui::AppState;

#[derive(Deserialize, Merge)]
struct Cart {
    customer: u64,
    #[idem(merge = "union")]
    coupons: Vec<String>,
}

#[derive(Deserialize, SemanticIdentity, Merge)]
struct Order<T> {
    #[idem(critical)]
    customer: u64,
    #[idem(merge = "append_new")]
    items: Vec<T>,
}

#[idempotent(critical = ["customer"], policy = "merge", max_history = 4)]
async fn save(Json(cart): Json<Cart>) -> String {
    format!("{} {}", cart.customer, cart.coupons.len())
}

#[idempotent(policy = "merge", concurrent = "wait", header = "X-Key")]
async fn order<T>(
    State(_): State<AppState>,
    Json(order): Json<Order<T>>,
) -> Result<String, StatusCode>
where
    T: for<'de> Deserialize<'de> + Send + 'static,
{
    Ok(format!("{} {}", order.customer, order.items.len()))
}

fn main() {
    ui::route(save);
    ui::route(order::<String>);
}
