//! One execution of a handler, from its claim to its recorded outcome.

use std::fmt;

use tokio::runtime::Handle;
use tokio_util::task::task_tracker::TaskTrackerToken;

use super::aftercare::retry;
use super::{Engine, Inner};
use crate::decision::Cause;
use crate::lease::{Beat, Fence, Lease};
use crate::store::{Outcome, Written};

/// The right to run the handler once; its lease is renewed until it is finished or dropped.
///
/// Dropped without [`finish`](Self::finish) the outcome is recorded as unknown, by a task of the
/// current runtime. Where there is none, the lease runs out, which comes to the same.
#[must_use = "an execution that is not finished ends as outcome unknown"]
pub struct Execution {
    granted: Granted,
    held: Option<Held>,
}

/// A claim that was granted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Granted {
    pub(super) lease: Lease,
    pub(super) attempts: u32,
    pub(super) cause: Cause,
}

/// What an execution holds on to until its end is recorded.
struct Held {
    engine: Engine,
    beat: Beat,
    _running: TaskTrackerToken,
}

/// What became of a recorded outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "only a recorded outcome is the key's"]
pub enum Finish {
    /// It is what every retry will be told.
    Recorded,
    /// The lease was lost to another execution, whose outcome counts instead.
    Fenced,
    /// The store could not be told; it is tried again in the background. Until then, and if that
    /// fails, the record counts as crashed.
    Unrecorded,
}

impl Execution {
    pub(super) fn begin(engine: &Engine, granted: Granted, running: TaskTrackerToken) -> Self {
        let beat = engine.inner.heartbeat.keep(granted.lease);
        let held = Held { engine: engine.clone(), beat, _running: running };
        Self { granted, held: Some(held) }
    }

    /// The fencing token of this execution.
    #[must_use]
    pub fn fence(&self) -> Fence {
        self.granted.lease.fence
    }

    /// The number of this execution of its record: 1 for the first.
    #[must_use]
    pub fn attempts(&self) -> u32 {
        self.granted.attempts
    }

    /// Why it may run.
    #[must_use]
    pub fn cause(&self) -> Cause {
        self.granted.cause
    }

    /// Whether the lease is known to be lost: whatever the handler does now is at its own risk.
    #[must_use]
    pub fn is_lost(&self) -> bool {
        self.held.as_ref().is_some_and(|held| held.beat.is_lost())
    }

    /// Records how the handler ended.
    ///
    /// # Cancellation
    /// Dropped before it is ready, the outcome may be unrecorded, as after a crash.
    pub async fn finish(mut self, outcome: Outcome) -> Finish {
        match self.held.take() {
            Some(held) => held.finish(self.granted.lease, outcome).await,
            None => Finish::Unrecorded,
        }
    }
}

impl fmt::Debug for Execution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Execution");
        shown.field("granted", &self.granted).finish_non_exhaustive()
    }
}

impl Drop for Execution {
    fn drop(&mut self) {
        let lease = self.granted.lease;
        if let (Some(held), Ok(runtime)) = (self.held.take(), Handle::try_current()) {
            tracing::error!(record = %lease.id, "an execution was dropped before its end");
            runtime.spawn(async move {
                let _ = held.finish(lease, Outcome::Unknown).await;
            });
        }
    }
}

impl Held {
    async fn finish(self, lease: Lease, outcome: Outcome) -> Finish {
        let engine = &self.engine;
        let finish = engine.inner.store.clone().finish(lease, outcome.clone());
        match engine.within_limit(finish).await {
            Ok(Written::Done) => {
                engine.inner.waiters.wake(&lease.id);
                Finish::Recorded
            }
            Ok(Written::Fenced) => {
                fenced(lease);
                Finish::Fenced
            }
            Err(error) => {
                tracing::error!(
                    record = %lease.id,
                    %error,
                    monotonic_counter.idem_outcomes_unrecorded = 1,
                    "the handler has ended and its outcome could not be recorded",
                );
                self.record_later(lease, outcome);
                Finish::Unrecorded
            }
        }
    }

    /// Goes on trying, with the lease kept alive, so that a short outage leaves no trace.
    fn record_later(self, lease: Lease, outcome: Outcome) {
        let engine = self.engine.clone();
        engine.after_care(lease.duration, async move {
            let Inner { store, settings, waiters, .. } = &*self.engine.inner;
            let finish = || store.clone().finish(lease, outcome.clone());
            match retry(settings.store_timeout, finish).await {
                Some(Written::Done) => {
                    waiters.wake(&lease.id);
                    tracing::info!(record = %lease.id, "the outcome was recorded late");
                }
                Some(Written::Fenced) => fenced(lease),
                None => tracing::error!(record = %lease.id, "the outcome stays unrecorded"),
            }
        });
    }
}

fn fenced(lease: Lease) {
    tracing::error!(
        record = %lease.id,
        fence = lease.fence.get(),
        monotonic_counter.idem_executions_fenced = 1,
        "the lease was lost while the handler ran: its outcome is not recorded",
    );
}
