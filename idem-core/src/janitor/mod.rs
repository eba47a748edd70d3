//! Expired records, removed away from the path of requests.
//!
//! A record past its ttl counts as absent, but its place is not free before somebody has
//! [purged](Store::purge) it. A [`Janitor`] does that, round after round, a batch at a time.

mod handle;
mod pauses;
mod progress;
mod rounds;

use std::fmt;
use std::future::{Future, pending};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

pub use handle::JanitorHandle;
use progress::Tally;
pub use progress::{JanitorProgress, JanitorStats};
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

use crate::store::{ErasedStore, Store};

const EVERY: Duration = Duration::from_secs(60);

/// Small enough that no request waits long for a lock that the batch holds.
const BATCH: u32 = 500;

/// How long one batch may take unless it is set: as long as any call of an engine.
const STORE_TIMEOUT: Duration = Duration::from_secs(5);

/// Removes the expired records of a store, for as long as it runs.
///
/// A round removes batch after batch while there is a full one, and pauses after each for as long
/// as it took: at most half of the time goes into removing. The time between rounds is drawn
/// anew each time, so that instances which start together do not go on together. Every instance
/// may have a janitor; what one has removed, no other finds.
///
/// A store that fails is asked again after pauses that grow from a second to five minutes, and
/// never given up. Each failure is a warning in the log, and counts in [`JanitorStats::failures`].
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// use std::time::Duration;
/// use idem_core::janitor::Janitor;
/// use idem_core::store::memory::MemoryStore;
///
/// let store = MemoryStore::new();
/// let janitor = Janitor::new(store.clone()).every(Duration::from_secs(300)).spawn();
/// // Serve, and in the end:
/// janitor.stop().await;
/// # }
/// ```
#[must_use = "a janitor removes nothing before it is spawned or run"]
pub struct Janitor {
    store: Arc<dyn ErasedStore>,
    every: Duration,
    batch: u32,
    store_timeout: Duration,
    tally: Tally,
}

impl Janitor {
    /// A janitor for `store`.
    pub fn new(store: impl Store) -> Self {
        Self::sharing(Arc::new(store))
    }

    /// A janitor for a store that others use too, such as an [engine](crate::engine::Engine).
    pub fn sharing(store: Arc<impl Store>) -> Self {
        Self::on(store)
    }

    pub(crate) fn on(store: Arc<dyn ErasedStore>) -> Self {
        Self {
            store,
            every: EVERY,
            batch: BATCH,
            store_timeout: STORE_TIMEOUT,
            tally: Tally::default(),
        }
    }

    /// Sets the mean time between the end of a round and the next; a minute unless set, and no less
    /// than ten milliseconds. Each time is up to a quarter shorter or longer; the first
    /// round comes at any moment within it.
    pub fn every(self, every: Duration) -> Self {
        Self { every: every.max(pauses::SHORTEST_REST), ..self }
    }

    /// Sets the most records that are removed in one step of the store; 500 unless set, and no less
    /// than one.
    pub fn batch(self, records: u32) -> Self {
        Self { batch: records.max(1), ..self }
    }

    /// Sets how long one batch may take before it counts as failed; 5 seconds unless set.
    pub fn store_timeout(self, limit: Duration) -> Self {
        Self { store_timeout: limit, ..self }
    }

    /// What reads the numbers of this janitor while it runs.
    #[must_use]
    pub fn progress(&self) -> JanitorProgress {
        self.tally.progress()
    }

    /// Runs in a task of its own, until the handle says otherwise or is dropped.
    ///
    /// # Panics
    /// Outside a tokio runtime.
    pub fn spawn(self) -> JanitorHandle {
        let (stop, progress) = (CancellationToken::new(), self.progress());
        let running = self.run_until(stop.clone().cancelled_owned());
        // Its events belong to no request, also where the first one starts it.
        let task = tokio::spawn(running.instrument(tracing::Span::none()));
        JanitorHandle::new(stop, task, progress)
    }

    /// Runs until the future is dropped, for those who have tasks of their own. Needs tokio's timers.
    ///
    /// # Cancellation
    /// Safe: whether a batch that was under way is done or not, the next one finds what is left.
    pub async fn run(self) {
        self.run_until(pending()).await;
    }

    /// Like [`run`](Self::run), until `stop` ends: during a pause at once, otherwise after the batch
    /// that is under way.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// # use idem_core::{janitor::Janitor, store::memory::MemoryStore};
    /// let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    /// let janitor = Janitor::new(MemoryStore::new());
    /// let task = tokio::spawn(janitor.run_until(async {
    ///     let _ = stopped.await;
    /// }));
    /// drop(stop);
    /// task.await.expect("it has ended");
    /// # }
    /// ```
    pub async fn run_until(self, stop: impl Future<Output = ()>) {
        let Err(rounds::Stopped) = self.rounds(pin!(stop)).await;
    }
}

impl fmt::Debug for Janitor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Janitor");
        shown.field("every", &self.every).field("batch", &self.batch);
        shown.field("store_timeout", &self.store_timeout).finish_non_exhaustive()
    }
}
