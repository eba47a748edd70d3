//! Serves the profiles until it is told to stop. Try it:
//!
//! ```text
//! save() { curl -si -X PUT 127.0.0.1:3001/profile -H 'Authorization: Bearer demo-ada' -H 'Idempotency-Key: form-1' --json "$1"; }
//! save '{"handle":"ada","languages":["en"]}'
//! save '{"handle":"ada","display_name":"Ada","languages":["fr","en"]}'   # merged
//! save '{"handle":"ada","languages":["en"]}'                             # the first answer again
//! curl -s 127.0.0.1:3001/profiles/ada
//! ```

use std::error::Error;
use std::path::Path;

use idem_axum::{Idempotency, SqliteStore};
use profile_merge::api::{AppState, router};
use profile_merge::profiles::Profiles;
use profile_merge::user::User;
use tokio::net::TcpListener;

const FILE: &str = "profiles.db";
const ADDRESS: &str = "127.0.0.1:3001";

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    tracing_subscriber::fmt().without_time().with_target(false).init();
    let profiles = Profiles::open(Path::new(FILE)).await?;
    // The same file: one backup holds the profiles and the keys of their saves.
    let idempotency = Idempotency::per::<User>(SqliteStore::open(FILE).await?);
    let state = AppState { profiles, idempotency: idempotency.clone() };
    let listener = TcpListener::bind(ADDRESS).await?;
    tracing::info!("serving http://{ADDRESS}, profiles and keys are in {FILE}");
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
