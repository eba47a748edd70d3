//! The hold that a program has on its janitor.

use tokio::task::JoinHandle;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::{JanitorProgress, JanitorStats};

/// A [`Janitor`](super::Janitor) that runs. Dropping the handle stops it after the batch that is
/// under way, without waiting for that: a janitor keeps its store open, and does not outlive what
/// it belongs to unless it is [detached](Self::detach).
#[derive(Debug)]
#[must_use = "dropping the handle stops the janitor: keep it, or detach it"]
pub struct JanitorHandle {
    /// A janitor that is told to stop between a batch and its pause is not missed: the token stays
    /// cancelled, and every pause looks at it first.
    stop: DropGuard,
    task: JoinHandle<()>,
    progress: JanitorProgress,
}

impl JanitorHandle {
    pub(super) fn new(
        stop: CancellationToken,
        task: JoinHandle<()>,
        progress: JanitorProgress,
    ) -> Self {
        Self { stop: stop.drop_guard(), task, progress }
    }

    /// Stops the janitor and waits for its end: at once during a pause, otherwise as long as the
    /// batch under way takes, which is no longer than the time limit of the store.
    ///
    /// # Cancellation
    /// Safe: the janitor stops all the same.
    pub async fn stop(self) {
        drop(self.stop);
        match self.task.await {
            Err(error) if error.is_panic() => {
                tracing::error!("the janitor had ended in a panic of its store");
            }
            // Cancelled: the runtime has ended before.
            Ok(()) | Err(_) => {}
        }
    }

    /// Lets the janitor run until its runtime ends, for a program that never stops it.
    pub fn detach(self) {
        self.stop.disarm();
    }

    /// What the janitor has done so far.
    #[must_use]
    pub fn stats(&self) -> JanitorStats {
        self.progress.stats()
    }

    /// What reads its numbers where the handle is not, and hears of its end.
    #[must_use]
    pub fn progress(&self) -> JanitorProgress {
        self.progress.clone()
    }
}
