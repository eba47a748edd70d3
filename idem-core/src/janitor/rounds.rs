//! What a janitor does when it runs.
//!
//! Any number of them may be at it in any number of processes. Two that look for expired records
//! at once see the same ones; each batch is one atomic step of the store, so that one of them
//! removes a record, and counts it, and the other finds it gone. A key that is used again between
//! two batches is a record that has not expired, and no batch takes it.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use tokio::time::{Instant, timeout};

use super::{Janitor, pauses};
use crate::store::StoreError;

/// It is time to stop.
pub(super) struct Stopped;

/// One round, as the log tells of it.
#[derive(Default)]
struct Round {
    batches: u64,
    removed: u64,
    /// How many batches have failed since the last that did not.
    failures_in_a_row: u32,
}

impl Janitor {
    /// Rounds without end, until `stop` ends.
    pub(super) async fn rounds<S>(&self, mut stop: Pin<&mut S>) -> Result<Infallible, Stopped>
    where
        S: Future<Output = ()>,
    {
        let mut rest = pauses::before_the_first_round(self.every);
        loop {
            pause(rest, stop.as_mut()).await?;
            let (started, mut round) = (Instant::now(), Round::default());
            let ended = self.clear(&mut round, stop.as_mut()).await;
            round.tell(started.elapsed());
            ended?;
            self.tally.round_ended(started.elapsed());
            rest = pauses::between_rounds(self.every);
        }
    }

    /// Removes batch after batch until one is not full.
    async fn clear<S>(&self, round: &mut Round, mut stop: Pin<&mut S>) -> Result<(), Stopped>
    where
        S: Future<Output = ()>,
    {
        loop {
            let started = Instant::now();
            let rest = match self.remove_batch().await {
                Ok(removed) => {
                    let took = started.elapsed();
                    self.tally.removed(removed);
                    round.has_removed(removed, took);
                    if removed < self.batch {
                        return Ok(());
                    }
                    pauses::after_a_batch(took, self.store_timeout)
                }
                Err(error) => {
                    self.tally.failed();
                    round.has_failed(&error)
                }
            };
            pause(rest, stop.as_mut()).await?;
        }
    }

    /// A batch that is given up may be done all the same: that leaves less for the next.
    async fn remove_batch(&self) -> Result<u32, StoreError> {
        let after = self.store_timeout;
        let call = self.store.clone().purge(self.batch);
        timeout(after, call).await.unwrap_or(Err(StoreError::TimedOut { after }))
    }
}

impl Round {
    fn has_removed(&mut self, removed: u32, took: Duration) {
        self.batches += 1;
        self.removed += u64::from(removed);
        self.failures_in_a_row = 0;
        let took_ms = took.as_millis();
        tracing::debug!(removed, took_ms, "a batch of expired records was removed");
    }

    /// How long to leave the store alone.
    fn has_failed(&mut self, error: &StoreError) -> Duration {
        self.failures_in_a_row = self.failures_in_a_row.saturating_add(1);
        let rest = pauses::after_failures(self.failures_in_a_row);
        let (failures, again_in_ms) = (self.failures_in_a_row, rest.as_millis());
        tracing::warn!(%error, failures, again_in_ms, "expired records could not be removed");
        rest
    }

    fn tell(&self, took: Duration) {
        let Self { batches, removed, .. } = *self;
        if removed > 0 {
            let took_ms = took.as_millis();
            tracing::info!(removed, batches, took_ms, "expired records were removed");
        }
    }
}

/// Waits for `time`, or less where it is time to stop.
async fn pause<S>(time: Duration, stop: Pin<&mut S>) -> Result<(), Stopped>
where
    S: Future<Output = ()>,
{
    match timeout(time, stop).await {
        Ok(()) => Err(Stopped),
        Err(_) => Ok(()),
    }
}
