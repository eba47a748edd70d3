//! What a janitor has done, in numbers.

use std::time::Duration;

use tokio::sync::watch;

/// What a janitor has done since it was made.
///
/// During an outage of the store [`failures`](Self::failures) grows and [`rounds`](Self::rounds)
/// stands still.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct JanitorStats {
    /// Rounds that came to their end: nothing expired was left. One that was stopped is not counted.
    pub rounds: u64,
    /// What was removed, counted batch by batch: expired records, and conflicts whose time is over.
    /// A batch whose reply was lost may have removed what nobody has counted.
    pub purged: u64,
    /// Batches that failed, or did not end within the time limit of the store.
    pub failures: u64,
    /// How long the last round took that came to its end, its pauses among it.
    pub last_round: Option<Duration>,
}

/// Reads the numbers of a janitor, wherever that runs; clones read the same.
#[derive(Clone, Debug)]
pub struct JanitorProgress {
    stats: watch::Receiver<JanitorStats>,
}

impl JanitorProgress {
    /// The numbers of this moment.
    #[must_use]
    pub fn stats(&self) -> JanitorStats {
        *self.stats.borrow()
    }

    /// The numbers when they have changed since the last call; `None` when the janitor has ended.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// # use idem_core::{janitor::Janitor, store::memory::MemoryStore};
    /// let janitor = Janitor::new(MemoryStore::new());
    /// let mut progress = janitor.progress();
    /// tokio::spawn(async move {
    ///     while let Some(stats) = progress.changed().await {
    ///         println!("idem_purged_total {}", stats.purged);
    ///     }
    /// });
    /// # }
    /// ```
    ///
    /// # Cancellation
    /// Safe: nothing is missed.
    pub async fn changed(&mut self) -> Option<JanitorStats> {
        self.stats.changed().await.ok()?;
        Some(*self.stats.borrow_and_update())
    }
}

/// The janitor's side.
#[derive(Debug, Default)]
pub(super) struct Tally(watch::Sender<JanitorStats>);

impl Tally {
    pub(super) fn progress(&self) -> JanitorProgress {
        JanitorProgress { stats: self.0.subscribe() }
    }

    pub(super) fn removed(&self, records: u32) {
        if records > 0 {
            self.0.send_modify(|stats| stats.purged += u64::from(records));
        }
    }

    pub(super) fn failed(&self) {
        self.0.send_modify(|stats| stats.failures += 1);
    }

    pub(super) fn round_ended(&self, took: Duration) {
        self.0.send_modify(|stats| {
            stats.rounds += 1;
            stats.last_round = Some(took);
        });
    }
}
