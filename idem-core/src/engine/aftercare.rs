//! What is owed to a record after its request was answered: claims to give back, outcomes that
//! could not be written yet.

use std::future::Future;
use std::time::Duration;

use tokio::time::{sleep, timeout};

use super::Engine;
use crate::store::StoreError;

/// How many records are cared for at once. Beyond that an outage leaves them to their leases.
pub(super) const LIMIT: usize = 1024;

/// No record is given up sooner, however short its lease.
const SHORTEST: Duration = Duration::from_secs(30);

const FIRST_PAUSE: Duration = Duration::from_millis(50);
pub(super) const LONGEST_PAUSE: Duration = Duration::from_secs(5);

impl Engine {
    /// Runs `work` in the background, for one lease and at least half a minute; a shutdown waits
    /// for it.
    pub(super) fn after_care(
        &self,
        lease: Duration,
        work: impl Future<Output = ()> + Send + 'static,
    ) {
        let Ok(permit) = self.inner.aftercare.clone().try_acquire_owned() else {
            tracing::error!("too many records wait for the store: one is left to its lease");
            return;
        };
        self.inner.running.spawn(async move {
            if timeout(span(lease), work).await.is_err() {
                tracing::error!(
                    "the store did not come back in time: a record is left to its lease"
                );
            }
            drop(permit);
        });
    }
}

/// How long a record with this lease is cared for.
pub(super) fn span(lease: Duration) -> Duration {
    lease.max(SHORTEST)
}

/// Repeats `step` until it succeeds or fails for good, with growing pauses; each time it has
/// `limit` to answer.
pub(super) async fn retry<T, F>(limit: Duration, mut step: impl FnMut() -> F) -> Option<T>
where
    F: Future<Output = Result<T, StoreError>>,
{
    let mut pause = FIRST_PAUSE;
    loop {
        match timeout(limit, step()).await {
            Ok(Ok(value)) => return Some(value),
            Ok(Err(error)) if !error.is_retryable() => return None,
            Ok(Err(_)) | Err(_) => {}
        }
        sleep(pause).await;
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}
