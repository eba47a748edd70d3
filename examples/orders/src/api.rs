//! The routes and their handlers.

use axum::extract::{FromRef, Path, State};
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use idem_axum::{Global, Idempotency, IdempotencyState, Store, idempotent};

use crate::ledger::Ledger;
use crate::order::{Order, Placed};

/// What the handlers share, over any store of keys.
#[derive(Clone, IdempotencyState)]
pub struct AppState<St: Store + Clone> {
    /// Where orders are kept.
    pub ledger: Ledger,
    /// Where keys are kept. The app is the one client of this service, which tells carts apart.
    pub idempotency: Idempotency<Global, St>,
}

// By hand: axum's derive knows no generic states.
impl<St: Store + Clone> FromRef<AppState<St>> for Ledger {
    fn from_ref(state: &AppState<St>) -> Self {
        state.ledger.clone()
    }
}

/// The whole API.
pub fn router<St: Store + Clone>(state: AppState<St>) -> Router {
    let routes = Router::new().route("/orders", post(order)).route("/carts/{cart}", get(cart));
    routes.with_state(state)
}

/// Places an order, once for each cart as it was shown.
#[idempotent(
    key = field("cart"),
    critical = ["items[].sku", "items[].count", "total"],
    suspicious_within = "10s",
    fresh_after = "1h",
    ttl = "24h"
)]
async fn order(
    State(ledger): State<Ledger>,
    Json(order): Json<Order>,
) -> Result<(StatusCode, Json<Placed>), (StatusCode, &'static str)> {
    let placed = ledger.place(order).await.map_err(|error| unavailable(&error))?;
    Ok((StatusCode::CREATED, Json(placed)))
}

/// What was ordered from a cart.
async fn cart(
    State(ledger): State<Ledger>,
    Path(cart): Path<String>,
) -> Result<Json<Vec<Placed>>, (StatusCode, &'static str)> {
    ledger.of_cart(&cart).await.map(Json).map_err(|error| unavailable(&error))
}

fn unavailable(error: &sqlx::Error) -> (StatusCode, &'static str) {
    tracing::error!(%error, "the orders cannot be reached");
    (StatusCode::SERVICE_UNAVAILABLE, "the orders cannot be reached")
}
