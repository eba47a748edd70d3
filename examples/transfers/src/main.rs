//! Serves the bank until it is told to stop. Try it:
//!
//! ```text
//! createdb transfers
//! DATABASE_URL=postgres://localhost/transfers cargo run -p transfers
//!
//! move() { curl -si 127.0.0.1:3003/transfers -H "Idempotency-Key: $1" --json "$2"; }
//! move t1 '{"from":"alice","to":"bob","amount":1000}'
//! move t1 '{"from":"alice","to":"bob","amount":1000}'    # the first answer again
//! move t1 '{"from":"alice","to":"bob","amount":2000}'    # 409: another transfer
//! curl -s 127.0.0.1:3003/accounts/bob
//! ```

use std::env;
use std::error::Error;

use idem_axum::{Idempotency, PostgresStore};
use sqlx::PgPool;
use tokio::net::TcpListener;
use transfers::api::{AppState, router};
use transfers::bank::Bank;

const ADDRESS: &str = "127.0.0.1:3003";

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    tracing_subscriber::fmt().without_time().with_target(false).init();
    let url = env::var("DATABASE_URL").map_err(|_| "set DATABASE_URL to a PostgreSQL database")?;
    let pool = PgPool::connect(&url).await?;
    let store = PostgresStore::options(&pool).transactions(8).build();
    store.migrate().await?;
    let bank = Bank::open(pool).await?;
    let idempotency = Idempotency::global(store);
    let janitor = idempotency.janitor().spawn();
    let state = AppState { bank, idempotency: idempotency.clone() };
    let listener = TcpListener::bind(ADDRESS).await?;
    tracing::info!("serving http://{ADDRESS}");
    axum::serve(listener, router(state)).with_graceful_shutdown(interrupted()).await?;
    janitor.stop().await;
    idempotency.shutdown().await;
    Ok(())
}

/// Ends when the process is interrupted.
async fn interrupted() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
