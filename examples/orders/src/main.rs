//! Serves the shop until it is told to stop. Try it:
//!
//! ```text
//! order() { curl -si 127.0.0.1:3002/orders --json "$1"; }
//! order '{"cart":"c1","items":[],"total":0}'                            # refused, and no record
//! order '{"cart":"c1","items":[{"sku":"tea","count":1}],"total":450}'
//! order '{"cart":"c1","items":[{"sku":"tea","count":2}],"total":900}'   # too soon: suspicious
//! order '{"cart":"c1","items":[{"sku":"tea","count":1}],"total":450}'   # the first answer again
//! curl -s 127.0.0.1:3002/carts/c1
//! ```

use std::error::Error;
use std::path::Path;

use idem_axum::{Idempotency, SqliteStore};
use orders::api::{AppState, router};
use orders::ledger::Ledger;
use tokio::net::TcpListener;

const FILE: &str = "orders.db";
const ADDRESS: &str = "127.0.0.1:3002";

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    tracing_subscriber::fmt().without_time().with_target(false).init();
    let ledger = Ledger::open(Path::new(FILE)).await?;
    // The same file: one backup holds the orders and their keys.
    let idempotency = Idempotency::global(SqliteStore::open(FILE).await?);
    let state = AppState { ledger, idempotency: idempotency.clone() };
    let listener = TcpListener::bind(ADDRESS).await?;
    tracing::info!("serving http://{ADDRESS}, orders and keys are in {FILE}");
    axum::serve(listener, router(state)).with_graceful_shutdown(interrupted()).await?;
    idempotency.shutdown().await;
    Ok(())
}

/// Ends when the process is interrupted.
async fn interrupted() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
