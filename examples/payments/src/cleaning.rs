//! Removes the keys whose time is over, away from the path of requests.

use std::time::Duration;

use idem_axum::SqliteStore;
use idem_axum::core::store::{Store, StoreError};
use tokio::time::interval;

const EVERY: Duration = Duration::from_secs(60 * 60);

/// Small enough that a payment never waits long for the write lock.
const BATCH: u32 = 500;

/// Cleans now and then, for as long as it is polled.
pub(crate) async fn clean(store: SqliteStore) {
    let mut ticks = interval(EVERY);
    loop {
        ticks.tick().await;
        if let Err(error) = remove_expired(&store).await {
            tracing::warn!(%error, "expired keys stay until the next cleaning");
        }
    }
}

async fn remove_expired(store: &SqliteStore) -> Result<(), StoreError> {
    while store.purge(BATCH).await? == BATCH {}
    Ok(())
}
